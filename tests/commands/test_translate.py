# ruff: noqa: RUF001 (odd characters are the subject)
"""regard translate: text in, text out, line for line."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.checkpoint import load, save
from regard.commands import run
from regard.product import linear
from regard.text.normalise import normalise
from regard.text.pieces import Pieces
from regard.translator import Translator

BLANK = [
    "", " ", "\t", "\u3000", "\u00a0", "\x00", "\x01\x7f", "\x80", "\u2028", "\x85\x0b\x0c", "\r"
]  # fmt: skip
NASTY = [
    "\u200b", "\ufeff", "\u2060", "\ufeffthe cat sleeps", "the\u2028cat", "the\x0bcat\x0csleeps",
    "the\rcat", "a\x00b\x1bc", "x" * 200, "the " * 60, "cafe\u0301", "ﬁ x² … Ⅷ ｆｕｌｌ",
    "می\u200cخواهم", "\u202ethe\u202c \u2066cat\u2069", "a\u00adb",
    "👨\u200d👩\u200d👧 the cat 🇩🇪 1\ufe0f\u20e3",
    "</s> <s> <pad> <unk> ▁ @@ ｟ ￭ <0x41>", "%s %1$s {0} {name} ${x} <b> &lt; &amp; &#39;",
    "https://example.org/?a=b&c=d", "3.14 1,234.56 2026-11-29 C++", "İ ß ǆ", "die Katze schläft",
    "qzxv wkjp", "def f(x): return x[0]", "cat " * 50, "!" * 150, "\U0010ffff \uf8ff \ufffd",
]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def translate(run_folder, content: bytes, *options: object) -> bytes:
    """From file to file, in this process."""
    with open("in", "wb") as file:  # noqa: PTH123
        file.write(content)
    arguments = ["translate", run_folder, "--input", "in", "--output", "out", *options]
    assert run([str(argument) for argument in arguments]) == 0
    with open("out", "rb") as file:  # noqa: PTH123
        return file.read()


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("last", ["", "the cat sleeps"], ids=["ended", "not ended"])
def test_as_many_lines_out_as_in_whatever_they_hold(tiny_run, folder, end, last):
    texts = [text for pair in zip(NASTY, BLANK * 3, strict=False) for text in pair]
    content = "".join(text + end for text in texts) + last
    out = translate(tiny_run, content.encode()).decode()
    assert out.count("\n") == content.count("\n") == len(texts)
    lines = out.split("\n")
    found = [line.removesuffix("\r") if end == "\r\n" else line for line in lines]
    assert all(line.endswith("\r") == (end == "\r\n") for line in lines[:-1] if line != "\r")
    assert found.pop() == ("Katze schläft" if last else "")
    for text, translation in zip(texts, found, strict=True):
        if normalise(text):
            assert translation == normalise(translation)
        else:
            assert translation == text  # blank: comes back as it is


def test_lines_come_out_in_the_order_in_which_they_went_in(tiny_run, folder):
    chance = random.Random(3)
    words = ["the", "cat", "dog", "sleeps", "runs", "eats", "mouse"]
    texts = [" ".join(chance.choices(words, k=chance.randint(1, 9))) for _ in range(25)]
    translator = Translator.load(tiny_run)
    alone = [translator.translate([text])[0].text for text in texts]
    assert len(set(alone)) > 5
    out = translate(tiny_run, "".join(f"{text}\n" for text in texts).encode())
    assert out.decode() == "".join(f"{text}\n" for text in alone)


def test_random_unicode_comes_through(tiny_run, folder):
    chance = random.Random(5)
    codes = [*range(0x20, 0x500), *range(0x2000, 0x2100), *range(0x1F600, 0x1F650), *range(0x20)]
    codes.remove(0x0A)
    texts = ["".join(map(chr, chance.choices(codes, k=chance.randint(0, 12)))) for _ in range(80)]
    out = translate(tiny_run, "".join(f"{text}\n" for text in texts).encode())
    assert out.decode().count("\n") == len(texts)


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n\r\n", b" ", b"\x00\n\t"])
def test_nothing_to_translate_comes_back_as_it_is(tiny_run, folder, content):
    assert translate(tiny_run, content) == content


def test_a_blank_line_never_reaches_the_model(tiny_run):
    translator = Translator.load(tiny_run)
    steps = []
    found = translator.translate(BLANK, observer=steps.append)
    assert [translation.text for translation in found] == BLANK
    assert steps == []
    found = translator.translate(["", "the cat sleeps", " "], observer=steps.append)
    assert [translation.text for translation in found] == ["", "Katze schläft", " "]
    assert {tuple(step.sentences.tolist()) for step in steps} == {(0,)}  # one sentence was searched


def test_a_checkpoint_can_be_named_in_place_of_its_run(tiny_run, folder):
    newest = tiny_run / "checkpoints" / "step-00000080"
    averaged = tiny_run / "average"
    assert translate(averaged, b"the cat sleeps\n") == translate(tiny_run, b"the cat sleeps\n")
    assert translate(newest, b"the cat sleeps\n").count(b"\n") == 1


def test_input_and_output_may_be_one_file(tiny_run, folder):
    expected = translate(tiny_run, b"the cat\nthe dog\n")
    (folder / "text").write_bytes(b"the cat\nthe dog\n")
    assert run(["translate", str(tiny_run), "--input", "text", "--output", "text"]) == 0
    assert (folder / "text").read_bytes() == expected


def test_without_an_output_file_it_goes_to_standard_output(tiny_run, folder, capsysbinary):
    expected = translate(tiny_run, b"the cat\n\nthe dog")
    capsysbinary.readouterr()
    assert run(["translate", str(tiny_run), "--input", "in"]) == 0
    assert capsysbinary.readouterr().out == expected


def test_a_translation_that_may_be_cut_short_is_told(tiny_run, folder, capsys):
    whole = load(tiny_run / "average")
    search = whole.recipe["search"] | {"extra": 0}  # no longer than the source
    save(folder / "short", replace(whole, recipe=whole.recipe | {"search": search}))
    texts = ["cat", "", "the cat sleeps " * 3, "dog"]
    ends = [found.ended for found in Translator.load(folder / "short").translate(texts)]
    assert ends == [False, True, True, False]
    out = translate("short", "\n".join(texts).encode())
    assert out.count(b"\n") == 3
    assert capsys.readouterr().err == (
        "regard: 2 of the lines met a length limit and may not be whole: 1, 4\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nosuch"], 4, "nosuch does not exist; give the folder that `regard train` wrote"),
        (["empty"], 4, "empty holds no checkpoint; give the folder that `regard train` wrote"),
        (["in"], 4, "in holds no checkpoint"),
        (["RUN", "--device", "tpu"], 2, "device 'tpu' is unknown; use cpu, cuda, mps or auto"),
        (["RUN", "--device", ""], 2, "device '' is unknown"),
        (["RUN", "--device", "cuda:99"], 2, "device 'cuda:99' is not there on this machine"),
        (["RUN", "--device", "meta"], 2, "device 'meta' is not there on this machine"),
        (["RUN", "--beam", "0"], 2, "beam 0 must be at least 1"),
        (["RUN", "--penalty", "x"], 2, "penalty 'x' must be one of gnmt, length, none"),
        (["RUN", "--best", "9"], 2, "best 9 must be between 1 and beam"),
        (["RUN", "--no-repeat", "-1"], 2, "no_repeat -1 must not be negative"),
        (["RUN", "--sample", "--top-p", "2"], 2, "top_p 2.0 must be above 0 and at most 1"),
        (["RUN", "--seed", "99999999999999999999"], 2, "Overflow"),
        (["RUN", "--with", "nosuch"], 4, "nosuch does not exist"),
        (["RUN", "--alpha", "-1"], 2, "alpha -1.0 must be between 0 and 10"),
        (["RUN", "--input", "nosuch"], 2, "nosuch cannot be read: No such file or directory"),
        (["RUN", "--input", "empty"], 2, "empty cannot be read: Is a directory"),
        (["RUN", "--output", "empty"], 5, "empty is a folder; give the name of a file"),
        (["RUN", "--output", "."], 5, ". is a folder; give the name of a file"),
        (["RUN", "--output", "no/out"], 5, "no/out cannot be written: No such file or directory"),
        (["RUN", "--output", "in/out"], 5, "in/out cannot be written: Not a directory"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    tiny_run, folder, capsys, arguments, code, message
):
    (folder / "empty").mkdir()
    (folder / "in").write_bytes(b"the cat\n")
    places = ["--input", "in"] if "--input" not in arguments else ["--output", "out"]
    arguments = [str(tiny_run) if word == "RUN" else word for word in arguments]
    assert run(["translate", *arguments, *places]) == code
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"regard: {message}")
    assert sorted(path.name for path in folder.iterdir()) == ["empty", "in"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that breaks off")
def test_a_file_that_cannot_be_read_to_its_end_is_named(tiny_run, folder, capsys):
    assert run(["translate", str(tiny_run), "--input", "/proc/self/mem", "--output", "out"]) == 2
    assert "/proc/self/mem cannot be read: Input/output error" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_bytes_that_are_not_utf8_end_it_after_the_lines_before(tiny_run, folder, capsysbinary):
    good = translate(tiny_run, b"the cat\n\n")
    (folder / "bad").write_bytes(b"the cat\n\ncaf\xe9\nthe dog\n")
    (folder / "out").write_bytes(b"older")
    capsysbinary.readouterr()
    assert run(["translate", str(tiny_run), "--input", "bad"]) == 2
    out, err = capsysbinary.readouterr()
    assert out == good
    assert err.startswith(b"regard: bad, line 3, byte 4: 0xe9 is not UTF-8; convert")
    assert run(["translate", str(tiny_run), "--input", "bad", "--output", "out"]) == 2
    assert (folder / "out").read_bytes() == b"older"  # half a file is no file
    assert sorted(path.name for path in folder.iterdir()) == ["bad", "in", "out"]


@pytest.mark.parametrize("name", ["model.safetensors", "pieces.model", "recipe.json"])
def test_a_damaged_run_is_refused_by_the_name_of_the_file(tiny_run, folder, capsys, name):
    shutil.copytree(tiny_run, folder / "run")
    file = folder / "run" / "average" / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    (folder / "in").write_text("the cat\n")
    assert run(["translate", "run", "--input", "in"]) == 4
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"run/average/{name} is damaged" in err


@pytest.fixture
def talking(tiny_run):
    """The program in a process of its own, its input and output pipes of ours."""
    process = subprocess.Popen(
        [sys.executable, "-m", "regard", "translate", tiny_run],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
    )  # fmt: skip
    yield process
    process.kill()
    process.communicate()


def ended(process) -> tuple[int, bytes]:
    code = process.wait(timeout=30)
    return code, process.stderr.read()


@pytest.mark.slow
def test_a_person_who_types_a_line_sees_its_translation_and_can_leave(talking):
    for line in (b"the cat sleeps\n", b"\n", b"the dog runs\n"):
        talking.stdin.write(line)
        assert talking.stdout.readline().endswith(b"\n")  # though the input is still open
    talking.send_signal(signal.SIGINT)
    code, err = ended(talking)
    assert code == 130
    assert b"Traceback" not in err


@pytest.mark.slow
def test_a_reader_that_leaves_ends_it_quietly_though_input_goes_on(talking):
    talking.stdin.write(b"the cat sleeps\n")
    talking.stdout.readline()
    talking.stdout.close()
    talking.stdin.write(b"the cat sleeps\n")
    assert ended(talking) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "code", "message"),
    [
        ("yes 'the cat sleeps' | head -3000 | REGARD | head -1", 0, b""),
        ("REGARD </dev/null", 0, b""),
        ("REGARD <&-", 2, b"regard: standard input is closed; give --input FILE\n"),
        ("echo a | REGARD >&-", 5, b"regard: standard output is closed; say where to write\n"),
        ("echo 'the cat sleeps' | REGARD --output /dev/null", 0, b""),
        ("echo 'the cat sleeps' | REGARD --output /dev/stdout", 0, b""),
        (
            r"printf 'the cat sleeps\n\xff\n' | REGARD",
            2,
            b"standard input, line 2, byte 1: 0xff is not",
        ),
        (
            "echo 'the cat sleeps' | REGARD >/dev/full",
            5,
            b"standard output cannot be read or written",
        ),
    ],
)
def test_pipes_that_are_closed_or_full(tiny_run, shell, code, message):
    program = f'"{sys.executable}" -m regard translate "{tiny_run}"'
    place = 2 if "yes" in shell else 0 if shell.startswith("REGARD") else 1
    script = shell.replace("REGARD", program) + f'; exit "${{PIPESTATUS[{place}]}}"'
    found = subprocess.run(["bash", "-c", script], check=False, capture_output=True, timeout=60)
    assert found.returncode == code
    assert message in found.stderr
    assert found.stderr.count(b"\n") == bool(message)


@pytest.mark.slow
def test_a_killed_translation_leaves_no_file_under_its_name(tiny_run, folder):
    process = subprocess.Popen(
        [sys.executable, "-m", "regard", "translate", tiny_run, "--output", "out"],
        stdin=subprocess.PIPE,
    )  # fmt: skip
    process.stdin.write(b"the cat sleeps\n")
    process.stdin.flush()
    while not any(path.stat().st_size for path in folder.iterdir()):
        time.sleep(0.05)
    process.kill()
    process.wait()
    process.stdin.close()
    assert not os.path.exists("out")  # noqa: PTH110


def test_n_best_come_as_numbered_lines_best_first(tiny_run, folder):
    out = translate(tiny_run, b"the cat sleeps\n\nthe dog\n", "--beam", 4, "--best", 3).decode()
    rows = [line.split("\t") for line in out.removesuffix("\n").split("\n")]
    numbers = [row[0] for row in rows]
    assert numbers == sorted(numbers)
    assert (numbers.count("1"), numbers.count("2")) == (3, 1)
    assert 1 <= numbers.count("3") <= 3  # as many as ended
    assert rows[0][2] == "Katze schläft"
    assert rows[3] == ["2", "0.000000", ""]
    scores = [float(row[1]) for row in rows]
    assert scores[:3] == sorted(scores[:3], reverse=True)
    assert len({row[2] for row in rows[:3]}) > 1


def test_samples_follow_from_their_seed_alone(tiny_run, folder):
    texts = b"the cat sleeps\nthe dog\n\nthe mouse and the bird\n" * 5
    hot = ("--sample", "--temperature", 3)
    first = translate(tiny_run, texts, *hot)
    assert first == translate(tiny_run, texts, *hot)
    assert first != translate(tiny_run, texts, *hot, "--seed", 2)
    assert first.count(b"\n") == texts.count(b"\n")
    assert translate(tiny_run, texts, "--sample", "--top-k", 1) == translate(
        tiny_run, texts, "--beam", 1
    )


def test_an_ensemble_of_a_run_and_itself_is_the_run(tiny_run, folder):
    texts = b"the cat sleeps\nthe dog runs\n"
    assert translate(tiny_run, texts, "--with", tiny_run) == translate(tiny_run, texts)


def test_an_ensemble_needs_one_vocabulary(tiny_run, folder, capsys):
    whole = load(tiny_run / "average")
    other = Pieces.learn(["quite other words than those"], size=280)
    parameters = {name: x[: len(other)] if len(x) == len(whole.source) else x
                  for name, x in whole.parameters.items()}  # fmt: skip
    save(folder / "other", replace(whole, source=other, target=other, parameters=parameters))
    (folder / "in").write_bytes(b"the cat\n")
    assert run(["translate", str(tiny_run), "--with", "other", "--input", "in"]) == 4
    assert "model 2 of the ensemble has other pieces than the first" in capsys.readouterr().err


def test_no_pieces_come_twice_where_none_may(tiny_run, folder):
    texts = b"the cat the cat the cat the cat\n"
    for text in translate(tiny_run, texts, "--no-repeat", 1, "--shortest", 9).decode().split("\n"):
        assert len(set(text)) == len(text) or len(text.split()) == len(set(text.split()))


def test_check_invariance_says_for_each_way_that_nothing_changed(tiny_run, folder, capsys):
    texts = ["the cat sleeps", "", "the dog " * 4, "the bird", "x" * 40] * 3
    (folder / "in").write_text("\n".join(texts) + "\n")
    arguments = ["translate", str(tiny_run), "--input", "in", "--check-invariance"]
    assert run([*arguments, "--beam", "3", "--best", "3"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 5
    assert all(line.endswith(": the same, bit for bit (15 lines)") for line in said)


def test_check_invariance_names_the_lines_that_changed(tiny_run, folder, capsys, monkeypatch):
    monkeypatch.setattr("regard.product.ROWS", 1)
    monkeypatch.setattr("regard.product.Linear.forward", depends_on_rows)
    (folder / "in").write_text("the cat\nthe dog\n")
    assert run(["translate", str(tiny_run), "--input", "in", "--check-invariance"]) == 1
    assert "in batches of 1: 2 changed: 1, 2 (2 lines)" in capsys.readouterr().out


def depends_on_rows(self, x):
    return linear(x, self.weight, self.bias) * (1 + 1e-4 * x.shape[0])


def test_what_is_to_be_looked_at_twice_is_said(tiny_run, folder, capsys):
    translate(tiny_run, b"the cat 12\n\nthe dog\nthe dog 7 8 9\n")
    assert "regard: 2 of the lines have other numbers than their source: 1, 4\n" in (
        capsys.readouterr().err
    )


def test_2000_random_texts_come_through(tiny_run, folder):
    """A line each, whatever is in it: as many come out, they are UTF-8, none holds <unk>."""
    texts: list[str] = []

    @settings(max_examples=2000, database=None)
    @given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=20))
    def collect(text):
        texts.append(text)

    collect()
    content = "".join(f"{text}\n" for text in texts[:2000])
    out = translate(tiny_run, content.encode(), "--beam", 1, "--longest", 4).decode()
    assert out.count("\n") == content.count("\n") == 2000
    assert "<unk>" not in out
    for text, found in zip(texts, out.split("\n"), strict=False):
        if not normalise(text):
            assert found == text


@pytest.mark.slow
def test_a_translation_told_to_end_ends_quietly_and_leaves_nothing(tiny_run, folder):
    process = subprocess.Popen(
        [sys.executable, "-m", "regard", "translate", tiny_run, "--output", "out"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdin.write(b"the cat sleeps\n")
    process.stdin.flush()
    while not any(path.stat().st_size for path in folder.iterdir()):
        time.sleep(0.05)
    process.terminate()
    assert process.wait(timeout=30) == 143
    assert process.communicate() == (b"", b"")
    assert list(folder.iterdir()) == []


PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


def peak_megabytes(tiny_run, lines: int) -> int:
    """Of a translation of so many lines, one in 50 of which is not blank."""
    with open("in", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.writelines("the cat\n" if i % 50 == 0 else "\n" for i in range(lines))
    done = subprocess.run(
        [sys.executable, "-c", PEAK, sys.executable, "-m", "regard", "translate", tiny_run,
         "--beam", "1", "--longest", "2", "--input", "in"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    code, megabytes = map(int, done.stdout.split())
    assert code == 0
    return megabytes


@pytest.mark.slow
def test_memory_does_not_grow_with_the_lines(tiny_run, folder):
    assert peak_megabytes(tiny_run, 150_000) <= peak_megabytes(tiny_run, 10_000) + 50
