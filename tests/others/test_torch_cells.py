"""Our recurrent cells and convolutions against torch's, given the same parameters."""

import pytest
import torch
from torch import nn

from regard.layers.convolution import CausalConvolution, Convolution
from regard.layers.recurrent import Cell
from regard.models.recurrent import Encoder

THEIRS = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


def give(theirs, cell, ending, layer=0):
    for name, ours in {
        "weight_ih": cell.into.weight,
        "weight_hh": cell.recur.weight,
        "bias_ih": cell.into.bias,
        "bias_hh": cell.recur.bias,
    }.items():
        getattr(theirs, f"{name}_l{layer}{ending}").data = ours.data


@pytest.mark.parametrize("kind", THEIRS)
def test_states_both_ways_over_padded_sentences(kind):
    torch.manual_seed(1)
    forwards, backwards = (Cell(kind, 5, 7).double() for _ in range(2))
    theirs = THEIRS[kind](5, 7, batch_first=True, bidirectional=True).double()
    give(theirs, forwards, "")
    give(theirs, backwards, "_reverse")
    x = torch.randn(3, 11, 5, dtype=torch.float64)
    lengths = torch.tensor([11, 2, 6])
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    expected, last = theirs(packed)
    expected, _ = nn.utils.rnn.pad_packed_sequence(expected, batch_first=True)
    last = last if kind == "lstm" else (last,)
    real = torch.arange(11) < lengths[:, None]
    states, hidden = forwards.over(x, real)
    others, other = backwards.over(x, real, backwards=True)
    both = torch.cat((states, others), dim=2)
    torch.testing.assert_close(both[real], expected[real], atol=1e-12, rtol=0)
    for part, a, b in zip(last, hidden, other, strict=True):
        torch.testing.assert_close(part, torch.stack((a, b)), atol=1e-12, rtol=0)


@pytest.mark.parametrize("kind", THEIRS)
def test_one_step_after_another(kind):
    torch.manual_seed(2)
    cell = Cell(kind, 5, 7).double()
    x = torch.randn(2, 3, 5, dtype=torch.float64)
    states, last = cell.over(x, torch.ones(2, 3, dtype=torch.bool))
    hidden = cell.start(x)
    for place in range(3):
        hidden = cell(x[:, place], hidden)
        torch.testing.assert_close(hidden[0], states[:, place], atol=1e-12, rtol=0)
    for a, b in zip(hidden, last, strict=True):
        torch.testing.assert_close(a, b, atol=1e-12, rtol=0)


@pytest.mark.parametrize("kind", THEIRS)
def test_an_encoder_of_two_layers_that_reads_both_ways(kind):
    torch.manual_seed(5)
    ways = [[Cell(kind, d_in, 7).double() for d_in in (5, 14)] for _ in range(2)]
    ours = Encoder(*ways, dropout=0.0)
    theirs = THEIRS[kind](5, 7, num_layers=2, batch_first=True, bidirectional=True).double()
    for cells, ending in zip(ways, ("", "_reverse"), strict=True):
        for layer, cell in enumerate(cells):
            give(theirs, cell, ending, layer)
    x = torch.randn(3, 11, 5, dtype=torch.float64)
    lengths = torch.tensor([4, 11, 1])
    real = torch.arange(11) < lengths[:, None]
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    expected, last = theirs(packed)
    expected, _ = nn.utils.rnn.pad_packed_sequence(expected, batch_first=True)
    memory = ours(x, real)
    torch.testing.assert_close(memory.states[real], expected[real], atol=1e-12, rtol=0)
    last = last if kind == "lstm" else (last,)
    for part, of_all in enumerate(last):
        for layer, both in enumerate(of_all.unflatten(0, (2, 2))):
            found = memory.last[layer][part]
            torch.testing.assert_close(found, torch.cat((*both,), dim=1), atol=1e-12, rtol=0)


def weight_for_torch(linear, kernel):
    return linear.weight.unflatten(1, (kernel, -1)).transpose(1, 2)  # out in kernel


@pytest.mark.parametrize("dilation", [1, 3])
def test_a_convolution_sees_both_sides(dilation):
    torch.manual_seed(3)
    ours = Convolution(5, 7, 3, dilation=dilation).double()
    x = torch.randn(2, 11, 5, dtype=torch.float64)
    weight = weight_for_torch(ours.linear, 3)
    expected = nn.functional.conv1d(
        x.mT, weight, ours.linear.bias, padding=dilation, dilation=dilation
    )
    torch.testing.assert_close(ours(x), expected.mT, atol=1e-12, rtol=0)


@pytest.mark.parametrize("dilation", [1, 3])
def test_a_causal_convolution_goes_on_where_it_was(dilation):
    torch.manual_seed(4)
    ours = CausalConvolution(5, 7, 2, dilation=dilation).double()
    x = torch.randn(2, 11, 5, dtype=torch.float64)
    padded = nn.functional.pad(x.mT, (dilation, 0))
    weight = weight_for_torch(ours.linear, 2)
    expected = nn.functional.conv1d(padded, weight, ours.linear.bias, dilation=dilation).mT
    torch.testing.assert_close(ours(x)[0], expected, atol=1e-12, rtol=0)
    first, seen = ours(x[:, :4])
    then, _ = ours(x[:, 4:], seen)
    torch.testing.assert_close(torch.cat((first, then), dim=1), expected, atol=1e-12, rtol=0)


def test_an_even_kernel_has_no_middle():
    with pytest.raises(ValueError, match="kernel 4 must be odd"):
        Convolution(5, 7, 4)
    CausalConvolution(5, 7, 4)


@pytest.mark.parametrize("kind", [Convolution, CausalConvolution])
@pytest.mark.parametrize(("kernel", "dilation"), [(0, 1), (-1, 1), (3, 0), (3, -2)])
def test_a_convolution_sees_something(kind, kernel, dilation):
    expected = f"kernel {kernel} and dilation {dilation} must be at least 1"
    with pytest.raises(ValueError, match=expected):
        kind(5, 7, kernel, dilation=dilation)
