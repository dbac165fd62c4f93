"""lines as they arrive -> windows."""

import os
import signal
import sys
import threading
import time
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.text.lines import lines
from regard.text.windows import PAUSE, windows


@given(st.lists(st.integers(), max_size=40), st.integers(1, 11))
def test_items_keep_their_order_in_windows_that_are_full(items, size):
    found = list(windows(items, size=size))
    assert [item for window in found for item in window] == items
    assert all(1 <= len(window) <= size for window in found)


def test_input_that_does_not_pause_fills_every_window():
    assert [len(window) for window in windows(range(23), size=7)] == [7, 7, 7, 2]


def test_none_and_exceptions_are_items_like_others():
    items = [None, ValueError("an item"), (), None]
    assert list(windows(items, size=3)) == [items[:3], items[3:]]


def test_a_window_is_handed_on_when_a_slow_writer_pauses():
    reading, writing = os.pipe()
    found = []
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", buffering=0) as target:
        arriving = windows(lines(source, name="pipe"), size=1000)
        for texts in (["a"], ["b", "c"], ["d"]):
            target.write("".join(f"{text}\n" for text in texts).encode())
            started = time.monotonic()
            found.append([line.text for line in next(arriving)])  # the pipe is still open
            assert time.monotonic() - started < 50 * PAUSE
        target.write(b"no end")
        target.close()
        assert [line.text for line in next(arriving)] == ["no end"]
        assert list(arriving) == []
    assert found == [["a"], ["b", "c"], ["d"]]


def test_an_exception_comes_after_the_items_before_it():
    def broken():
        yield from range(5)
        raise OSError("gone")

    found = windows(broken(), size=3)
    assert next(found) == [0, 1, 2]
    assert next(found) == [3, 4]
    with pytest.raises(OSError, match="gone"):
        next(found)


def test_input_is_read_no_further_than_promised():
    size, read = 5, []
    found = windows((read.append(i) or i for i in count()), size=size)
    for number in range(4):
        assert next(found) == list(range(number * size, (number + 1) * size))
        time.sleep(0.05)  # enough for the other thread to read too much
        assert len(read) <= (number + 2) * size + 1
    found.close()


def test_input_is_closed_when_nobody_asks_for_more():
    closed = threading.Event()

    def items():
        try:
            yield from count()
        finally:
            closed.set()

    found = windows(items(), size=3)
    next(found)
    found.close()
    assert closed.wait(5)


@pytest.mark.skipif(sys.platform == "win32", reason="signals as in POSIX")
@pytest.mark.timeout(20)
def test_ctrl_c_is_heard_while_the_input_pauses():
    reading, writing = os.pipe()
    source = os.fdopen(reading, "rb")
    found = windows(source, size=3)
    os.write(writing, b"a\n")
    assert next(found) == [b"a\n"]
    main = threading.get_ident()
    threading.Timer(0.2, signal.pthread_kill, [main, signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        next(found)
    os.close(writing)  # the other thread sees the end
    source.close()
