"""rows of ids -> tensors."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from regard.data.batch import Batch, Sentences
from regard.data.examples import Examples, Ragged
from regard.text.pieces import BOS, EOS, PAD

ROWS = st.lists(st.lists(st.integers(1, 40), min_size=1, max_size=11), min_size=1, max_size=7)


def padded(rows: list[list[int]]) -> tuple[list[list[int]], list[list[bool]]]:
    """Padding, written by hand."""
    ids, real = [], []
    for row in rows:
        ids.append([]), real.append([])
        for place in range(max(map(len, rows))):
            ids[-1].append(row[place] if place < len(row) else PAD)
            real[-1].append(place < len(row))
    return ids, real


@given(ROWS)
def test_sentences_are_padded_at_the_end(rows):
    sentences = Sentences.of(rows)
    assert (sentences.ids.tolist(), sentences.real.tolist()) == padded(rows)
    assert (sentences.ids.dtype, sentences.real.dtype) == (torch.int64, torch.bool)


def test_the_decoder_reads_the_target_shifted_right_behind_bos():
    random = np.random.default_rng(1)
    lengths = {"source": [2, 3, 5, 7, 11], "target": [13, 3, 2, 5, 7]}
    sides = {
        side: [[*random.integers(4, 99, size - 1).tolist(), EOS] for size in sizes]
        for side, sizes in lengths.items()
    }
    examples = Examples(Ragged.of(sides["source"]), Ragged.of(sides["target"]))
    rows = [4, 1, 3]
    batch = Batch.of(examples, np.array(rows))
    targets = [sides["target"][row] for row in rows]
    expected = {
        "source": [sides["source"][row] for row in rows],
        "target_in": [[BOS, *ids[:-1]] for ids in targets],
        "target_out": targets,
    }
    for part, wanted in expected.items():
        found = getattr(batch, part)
        assert (found.ids.tolist(), found.real.tolist()) == padded(wanted), part
    assert batch.source.ids.shape == (3, 11)
    assert batch.target_in.ids.shape == batch.target_out.ids.shape == (3, 7)
    assert len(batch) == 3


def test_a_batch_moves_as_one():
    examples = Examples(Ragged.of([[5, EOS]]), Ragged.of([[6, EOS]]))
    moved = Batch.of(examples, np.array([0])).to(torch.device("meta"))
    for part in (moved.source, moved.target_in, moved.target_out):
        assert part.ids.device.type == part.real.device.type == "meta"
