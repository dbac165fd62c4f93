"""The live page: on this machine alone, for its own page alone, and never a traceback."""

import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from regard.commands.looking import Looking

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from regard.look.server import application

HERE = "http://127.0.0.1:8080"


@pytest.fixture(scope="module")
def looking(tiny_run):
    import torch

    return Looking(tiny_run, torch.device("cpu"), command="regard look")


@pytest.fixture(scope="module")
def client(looking):
    return TestClient(application("<p>page</p>", looking.answer), base_url=HERE)


def test_it_shows_the_page_and_answers(client, looking):
    shown = client.get("/")
    assert shown.text == "<p>page</p>"
    assert shown.headers["cache-control"] == "no-store"
    found = client.post("/api/trace", json={"text": "the cat sleeps"})
    assert found.status_code == 200
    trace = found.json()
    assert trace["translation"] == "Katze schläft"
    assert trace["about"]["checkpoint"].startswith(looking.names[-1])
    assert trace["steps"]


def test_other_checkpoints_and_silenced_heads(client, looking):
    first = client.post(
        "/api/trace", json={"text": "the cat sleeps", "checkpoint": looking.names[0]}
    ).json()
    assert first["about"]["checkpoint"].startswith("step-")
    forced = {"text": "the cat sleeps", "target": "Katze schläft"}
    whole = client.post("/api/trace", json=forced).json()
    less = client.post("/api/trace", json=forced | {"without": [["cross", 0, 1]]}).json()
    assert whole["forced"]
    assert less["log_prob"] != whole["log_prob"]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (b"{", "not JSON"),
        (b"[1]", "must be a JSON object"),
        (b"[" * 60_000, "not JSON"),
        (b"{}", "has no text"),
        (b'{"text": 3}', "'text'"),
        (b'{"text": ""}', "is blank"),
        (b'{"text": "a", "wings": 2}', "'wings'"),
        (b'{"text": "a", "checkpoint": "../.."}', "no checkpoint '../..'"),
        (b'{"text": "a", "without": [["cross", 0, 9]]}', "no head 9"),
        (b'{"text": "a", "without": [["cross", "0", 0]]}', "without is a list of heads"),
        (b'{"text": "a", "without": [["wings", 0, 0]]}', "without is a list of heads"),
        (b'{"text": "' + b"a" * 70_000 + b'"}', "longer than 65536 bytes"),
        (b'{"text": "' + b"the cat " * 400 + b'"}', "has learnt from at most"),
        (b'{"text": "\\ud800"}', ""),
    ],
)
def test_wrong_questions_are_answered(client, question, says):
    kind = {"content-type": "application/json"}
    answer = client.post("/api/trace", content=question, headers=kind)
    assert answer.status_code == (400 if says else 200)
    assert not says or says in answer.json()["error"]


def test_another_site_cannot_ask(client):
    asked = client.post(
        "/api/trace", content=b'{"text": "a"}', headers={"content-type": "text/plain"}
    )
    assert asked.status_code == 415
    for host in ("evil.example", "127.0.0.1.evil.example"):
        assert client.get("/", headers={"host": host}).status_code == 400
    assert client.get("/", headers={"host": "localhost:8080"}).status_code == 200
    assert client.get("/../../etc/passwd").status_code == 404
    assert client.get("/api/trace").status_code == 405


@pytest.mark.slow
def test_the_command_serves_and_ends_quietly(tiny_run):
    command = [sys.executable, "-m", "regard", "look", tiny_run, "the cat sleeps", "--serve"]
    with subprocess.Popen(
        [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        address = server.stdout.readline().split()[0]
        port = int(address.rstrip("/").rpartition(":")[2])
        assert b"connect-src 'self'" in _page(address)
        with socket.socket() as elsewhere, pytest.raises(ConnectionRefusedError):
            elsewhere.connect(("127.0.0.2", port))  # this machine too, by another of its names
        taken = subprocess.run(
            [*command, "--port", str(port)], check=False, capture_output=True, text=True
        )
        server.send_signal(2)
        _, errors = server.communicate(timeout=30)
    assert taken.returncode == 2
    assert f"port {port} cannot be had" in taken.stderr
    assert errors in ("", "regard: interrupted\n")
    assert server.returncode == 130


def _page(address):
    for _ in range(50):
        try:
            return urllib.request.urlopen(address, timeout=5).read()
        except OSError:
            time.sleep(0.1)
    return b""
