"""bytes -> a file that appears only when it is complete."""

import os
import sys
import threading

import pytest

from regard.commands.output import output
from regard.errors import DiskError


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_gets_its_name_when_everything_is_in_it(tmp_path):
    place = tmp_path / "text"
    place.write_bytes(b"old")
    with output(place) as file:
        file.write(b"new")
        file.flush()
        assert place.read_bytes() == b"old"
    assert place.read_bytes() == b"new"
    assert names(tmp_path) == ["text"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_goes_wrong_leaves_the_older_file(tmp_path, error):
    place = tmp_path / "text"
    place.write_bytes(b"old")

    def half():
        with output(place) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        half()
    assert (names(tmp_path), place.read_bytes()) == (["text"], b"old")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/text")
    for content in (b"one", b"two"):
        with output(tmp_path / "link") as file:
            file.write(content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "there" / "text").read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_a_named_pipe_is_written_to_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    with output(tmp_path / "pipe") as file:
        file.write(b"text")
    reader.join(10)
    assert read == [b"text"]
    assert (tmp_path / "pipe").is_fifo()


def test_a_place_that_cannot_be_written_is_said_before_any_work(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    for place, reason in {
        tmp_path: "is a folder",
        tmp_path / "..": "is a folder",
        tmp_path / "missing" / "text": "cannot be written: No such file",
        tmp_path / "file" / "text": "cannot be written: Not a directory",
        tmp_path / ("x" * 300): "cannot be written: File name too long",
    }.items():
        with pytest.raises(DiskError, match=reason), output(place):
            pytest.fail("work was begun")
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_is_said(tmp_path):
    (tmp_path / "full").symlink_to("/dev/full")
    with (
        pytest.raises(DiskError, match="full cannot be written: No space left"),
        output(tmp_path / "full") as file,
    ):
        file.write(b"text")
