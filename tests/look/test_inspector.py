"""The inspector in a browser: its numbers, by mouse and by keyboard, for everybody."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from some_trace import some_trace

from regard.trace import Candidate

pytestmark = pytest.mark.slow

ODD = (
    ("</script>", "แมว", "חתול", "e\u0301", "👩🏽‍🚀", "<b>&amp;", "</s>"),
    ("<s>", "القطة", "تنام"),
    ("القطة", "تنام", "</s>"),
)


@pytest.fixture(scope="module")
def trace():
    step = (
        Candidate(0, "der", "der", -0.1, "goes on"),
        Candidate(0, "das", "das", -2.5, "rejected"),
    )
    return replace(some_trace(), steps=(step, step)).with_about(
        model="made up", checkpoint="0123abcd", command="none", date="2026-01-01"
    )


@pytest.fixture(scope="module")
def page_file(trace, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    other = replace(some_trace(seed=2), text="the other one")
    path.write_text(trace.page(other), encoding="utf-8")
    return path


def table(page) -> list[list[str]]:
    """The numbers of the chosen word, as they stand there."""
    rows = page.locator(".details-side table tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def column(page, place: int) -> list[float]:
    return [float(row[place].replace("\u2212", "-")) for row in table(page)[:-1]]


def test_numbers_are_those_of_the_trace(visit, page_file, trace):
    page = visit(page_file, "#kind=cross&layer=2&head=3&unit=pieces&word=q4")
    (attended,) = [a for a in trace.layers("cross") if a.layer == 1]
    weights, scores = attended.weights[2, 3], attended.scores[2, 3]
    lengths = np.linalg.norm(attended.values[2], axis=1)
    np.testing.assert_allclose(column(page, 1), scores, atol=0.0051)
    np.testing.assert_allclose(column(page, 2), weights, atol=0.00051)
    np.testing.assert_allclose(column(page, 3), lengths, atol=0.0051)
    np.testing.assert_allclose(column(page, 4), weights * lengths, atol=0.0051)
    mixed = np.linalg.norm(weights @ attended.values[2])
    assert float(table(page)[-1][-1]) == pytest.approx(mixed, abs=0.0051)
    page.get_by_role("slider", name="Temperature").fill("0.5")
    sharper = np.exp(scores / 0.5) / np.exp(scores / 0.5).sum()
    np.testing.assert_allclose(column(page, 2), sharper, atol=0.001)
    mixed = np.linalg.norm(sharper @ attended.values[2])
    assert float(table(page)[-1][-1]) == pytest.approx(mixed, abs=0.01)


def test_words_and_hidden_signs_are_those_of_the_views(visit, page_file, trace):
    page = visit(page_file, "#kind=cross&layer=1&head=2&word=q2")
    for name, signs in {"shown": "keep", "hidden": "hide", "hidden, rows": "renormalise"}.items():
        page.get_by_role("radio", name=name, exact=name == "hidden").first.check()
        page.locator("[data-side=query] button").nth(1).click()
        view = trace.words(signs=signs)
        weights = view.weights("cross", layer=0, head=1)[1]
        np.testing.assert_allclose(column(page, 1), weights, atol=0.00051)
        # the second word of the translation has two pieces, and so has that of the source
        attended = trace.layers("cross")[0]
        given = attended.weights[1, 1:3].mean(0)
        terms = given[:, None] * attended.values[1]
        terms = np.stack([terms[0], terms[1:3].sum(0), *terms[3:]])[: len(weights)]
        whole = np.array([given[0], given[1:3].sum(), *given[3:]])[: len(weights)]
        terms *= (weights / whole)[:, None]
        np.testing.assert_allclose(column(page, 3), np.linalg.norm(terms, axis=1), atol=0.006)
        total = float(table(page)[-1][-1])
        assert total == pytest.approx(np.linalg.norm(terms.sum(0)), abs=0.006)
    assert page.get_by_text("these are not the model's own weights").is_visible()


def test_by_mouse(visit, page_file):
    page = visit(page_file, "#kind=encoder&layer=1&head=1")
    page.locator("[data-side=query] button").nth(2).click()
    assert "sleeps → strongest" in page.locator(".status-line").inner_text()
    page.locator("[data-side=key] button").nth(0).click()
    assert "the ← most from" in page.locator(".status-line").inner_text()
    page.get_by_role("button", name="layer 2, head 3").click()
    assert page.get_by_role("heading", name="layer 2, head 3").is_visible()
    page.get_by_role("radio", name="what they do").check()
    assert page.locator(".heads-sorted .small-head").count() == 6
    page.get_by_label("Beside it").select_option("2")
    assert page.locator(".pane").count() == 2
    page.locator(".pane").first.get_by_text("How the translation was found").click()
    assert page.locator(".pane").first.get_by_text("rejected").is_visible()
    assert "kind=encoder" in page.url
    assert "head=3" in page.url


def test_by_keyboard_alone(visit, page_file):
    page = visit(page_file, "#kind=encoder&layer=1&head=1")

    def tab_to(selector):
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    tab_to("[data-side=key] button")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "elephant ← most from" in page.locator(".status-line").inner_text()
    page.wait_for_timeout(300)
    assert "elephant ← most from" in page.locator("[role=status]").inner_text()
    tab_to(".small-head")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.get_by_role("heading", name="layer 2, head 2").is_visible()
    assert page.evaluate("document.activeElement.dataset.head") == "1.1"
    tab_to(".temperature input")
    page.keyboard.press("ArrowLeft")
    assert "temperature=0.95" in page.url
    tab_to(".steps summary")
    page.keyboard.press("Enter")
    assert page.get_by_text("Step 1 of 2").first.is_visible()


def test_a_link_is_exactly_this_view(visit, page_file):
    address = "#kind=decoder&layer=2&head=3&word=k2&unit=pieces&temperature=0.5&order=sorted&step=2"
    first, second = visit(page_file, address), visit(page_file, address)
    assert first.locator("main").inner_text() == second.locator("main").inner_text()
    assert "← most from" in first.locator(".status-line").inner_text()
    assert first.get_by_text("Step 2 of 2").first.is_visible()


def test_masks_are_shown_as_masks(visit, page_file):
    page = visit(page_file, "#kind=decoder&layer=1&head=1&unit=pieces&word=q2")
    shown = [row[2] for row in table(page)[:-1]]
    assert shown[2:] == ["forbidden"] * 4
    assert "forbidden" not in shown[:2]


def test_saved_pictures_and_tables(visit, page_file, trace):
    page = visit(page_file, "#kind=cross&layer=1&head=1&unit=pieces")
    saved = {}
    for kind in ("SVG", "PNG", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {kind}").click()
        saved[kind] = download.value.path().read_bytes()
        assert download.value.suggested_filename == f"attention-cross-1-1.{kind.lower()}"
    assert len(list(ET.fromstring(saved["SVG"]).iter("{http://www.w3.org/2000/svg}rect"))) > 30
    assert saved["PNG"].startswith(b"\x89PNG")
    rows = [line.split(",")[1:] for line in saved["CSV"].decode().splitlines()[1:]]
    np.testing.assert_allclose(
        np.array(rows, float), trace.weights("cross", layer=0, head=0), atol=1e-4
    )


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_keeps_people_out(visit, page_file, faults, width):
    for language in ("en", "th", "pl", "he"):
        for rest in ("kind=decoder&word=k2", "kind=cross&unit=pieces&step=1&beside=2"):
            page = visit(page_file, f"#lang={language}&{rest}", width=width)
            assert faults(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.context.close()


def test_pieces_of_any_script(visit, tmp_path):
    path = tmp_path / "odd.html"
    path.write_text(some_trace(texts=ODD).page(), encoding="utf-8")
    page = visit(path, "#kind=cross")
    assert page.locator("[data-side=key] button").all_inner_texts() == list(ODD[0])
    assert page.locator("[data-side=query]").get_attribute("dir") == "rtl"
    page.locator("[data-side=query] button").first.focus()
    page.keyboard.press("ArrowLeft")  # the next one, where words run to the left
    assert page.evaluate("document.activeElement.textContent") == "تنام"


def test_in_a_notebook_it_stands_in_a_frame(visit, trace, tmp_path):
    path = tmp_path / "notebook.html"
    path.write_text(f"<main><h1>notebook</h1>{trace._repr_html_()}</main>", encoding="utf-8")
    page = visit(path)
    frame = page.frame_locator("iframe")
    frame.locator("[data-side=query] button").nth(1).click()
    assert "→ strongest" in frame.locator(".status-line").inner_text()


def test_arrays_without_scores_and_models_without_attention(visit, tmp_path):
    bare = replace(some_trace(), attentions=())
    weights = tuple(replace(a, scores=None, values=None) for a in some_trace().attentions)
    path = tmp_path / "bare.html"
    path.write_text(bare.page(replace(some_trace(), attentions=weights)), encoding="utf-8")
    page = visit(path)
    assert page.get_by_text("This model has no attention").is_visible()
    page.get_by_role("combobox", name="Shown").select_option("2")
    assert len(table(page)[0]) == 2
    assert json.loads(bare.to_json())["attentions"] == []


def test_live_it_answers_and_a_silenced_head_changes_what_it_says(browser, tiny_run):
    import threading

    import torch
    import uvicorn

    from regard.commands.look import _listen
    from regard.commands.looking import Looking
    from regard.look.page import page as html
    from regard.look.server import application

    looking = Looking(tiny_run, torch.device("cpu"), command="regard look")
    shown = html({"live": {"checkpoints": looking.names}, "traces": []}, live=True)
    config = uvicorn.Config(application(shown, looking.answer), log_level="error")
    server, listening = uvicorn.Server(config), _listen(0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    window = browser.new_context()
    page = window.new_page()
    page.set_default_timeout(10_000)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    page.goto(address)
    page.get_by_label("Your sentence").fill("the cat sleeps")
    page.get_by_label("Your sentence").press("Enter")
    page.locator(".texts").get_by_text("Katze schläft").wait_for()
    page.get_by_role("button", name="Silence").click()
    page.get_by_text("Without cross.1.").wait_for()
    page.get_by_role("button", name="All heads on again").click()
    page.get_by_text("Without cross.1.").wait_for(state="detached")
    page.get_by_role("slider", name="Checkpoint").fill("1")
    page.locator(".foot").get_by_text(looking.names[0]).wait_for()
    page.get_by_label("Your sentence").fill("the cat " * 300)
    page.get_by_label("Your sentence").press("Enter")
    page.get_by_role("alert").get_by_text("has learnt from at most").wait_for()
    window.close()
    server.should_exit = True
    thread.join(10)
    assert all(url.startswith(address) for url in asked)
