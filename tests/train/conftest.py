"""The text that small trainings learn."""

import pytest
from small_training import write_corpus


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path)
