"""A decoder that says anything, the same whenever it is asked; and its state."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Past:
    """A state that is the hypothesis itself, so that a mistake in selecting rows shows."""

    sentence: torch.Tensor  # rows
    pieces: torch.Tensor  # rows length

    def reorder(self, rows):
        assert torch.equal(
            self.sentence[rows],
            self.sentence.repeat_interleave(len(rows) // len(self.sentence))
            if len(rows) != len(self.sentence)
            else self.sentence,
        )
        return Past(self.sentence[rows], self.pieces[rows])

    def only(self, sentences):
        each = self.sentence.unique_consecutive(return_counts=True)[1][0]
        rows = (sentences[:, None] * each + torch.arange(each)).flatten()
        return Past(self.sentence[rows], self.pieces[rows])


class RandomModel:
    """Any distribution after any past, the same whenever it is asked."""

    def __init__(self, seed, vocabulary=5, sharpness=1.5):
        self.seed, self.vocabulary, self.sharpness = seed, vocabulary, sharpness
        self.said = {}

    def start(self, sentences):
        return Past(torch.arange(sentences), torch.empty(sentences, 0, dtype=torch.long))

    def logits(self, sentence, pieces):
        text = f"{self.seed} {sentence} {pieces}"
        if text not in self.said:
            seed = sum(ord(c) * 31**i for i, c in enumerate(text)) % (2**63)
            generator = torch.Generator().manual_seed(seed)
            self.said[text] = self.sharpness * torch.randn(
                self.vocabulary, dtype=torch.float64, generator=generator
            )
        return self.said[text]

    def step(self, pieces, state):
        state = Past(state.sentence, torch.cat((state.pieces, pieces[:, None]), dim=1))
        rows = zip(state.sentence.tolist(), state.pieces.tolist(), strict=True)
        return torch.stack([self.logits(*row) for row in rows]), state

    def log_prob(self, sentence, pieces):
        """Of pieces that follow BOS, by forced scoring."""
        past, total = [2], 0.0
        for piece in pieces:
            total += float(self.logits(sentence, past).log_softmax(0)[piece])
            past.append(piece)
        return total
