"""What is needed next is made meanwhile."""

import threading
from itertools import count

import pytest

from regard.train.ahead import ahead


def test_the_next_is_made_while_one_is_used():
    made = []
    second = threading.Event()

    def items():
        for number in count():
            made.append((number, threading.current_thread()))
            if number == 1:
                second.set()
            yield number

    found = ahead(items())
    assert next(found) == 0
    assert second.wait(10)  # though nobody has asked for it
    assert [next(found), next(found)] == [1, 2]
    found.close()
    assert len(made) <= 4
    assert all(thread is not threading.current_thread() for _, thread in made)
    assert not any(thread.is_alive() for _, thread in made)


def test_what_fails_there_fails_here():
    def items():
        yield 1
        raise MemoryError("no more")

    found = ahead(items())
    assert next(found) == 1
    with pytest.raises(MemoryError, match="no more"):
        next(found)
