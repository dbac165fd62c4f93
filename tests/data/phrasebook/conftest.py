from itertools import islice

import pytest

from regard.data.phrasebook import examples, held_out


@pytest.fixture(scope="session")
def training():
    return list(islice(examples(seed=1), 15_000))


@pytest.fixture(scope="session")
def held():
    return held_out(seed=1, size=200)
