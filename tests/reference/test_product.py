"""A row of a product is the same bit for bit, however many rows there are; by either library."""

import pytest
import torch

from regard import product
from regard.product import linear

COUNTS = [*range(1, 40), 63, 64, 65, 130, 257, 600]


@pytest.fixture(params=["MKL", "oneDNN"])
def library(request, monkeypatch):
    if request.param == "oneDNN" and not torch.backends.mkldnn.is_available():
        pytest.skip("this torch has no oneDNN")
    monkeypatch.setattr(product, "WIDE", request.param == "oneDNN")


@torch.inference_mode()
@pytest.mark.parametrize(("d_in", "d_out"), [(40, 120), (128, 128), (64, 1000)])
def test_a_row_does_not_depend_on_how_many_there_are(library, d_in, d_out):
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(max(COUNTS), d_in, generator=generator)
    weight, bias = torch.randn(d_out, d_in, generator=generator), torch.randn(d_out)
    together = linear(x, weight, bias)
    torch.testing.assert_close(together, x @ weight.T + bias, atol=1e-3, rtol=1e-4)
    for count in COUNTS:
        assert torch.equal(linear(x[:count], weight, bias), together[:count])


@torch.inference_mode()
def test_onednn_sees_few_numbers_of_rows(monkeypatch):
    seen = set()
    monkeypatch.setattr(product, "WIDE", True)
    real = product._filled

    def filled(x, step):
        found = real(x, step)
        seen.add(len(found))
        return found

    monkeypatch.setattr(product, "_filled", filled)
    weight = torch.ones(2, 3)
    for rows in range(1, 1025):
        assert linear(torch.ones(rows, 3), weight).shape == (rows, 2)
    assert len(seen) <= 48
    assert max(seen) == 1024
