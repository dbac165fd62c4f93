"""A row of a product is the same bit for bit, however many rows there are; by either library."""

import subprocess
import sys
from pathlib import Path

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


MEMORY = """
import re, sys
from pathlib import Path
import torch
torch.backends.cpu.get_cpu_capability = lambda: sys.argv[1]
from regard.product import linear

def megabytes():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

weights = [torch.randn(width, 64) for width in (64, 128, 192, 256)]
x = torch.randn(2048, 64)
with torch.inference_mode():
    for rows in range(4, 1200, 4):
        if rows == 400:
            before = megabytes()
        for weight in weights:
            linear(x[:rows], weight)
print(megabytes() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux says what it holds")
@pytest.mark.parametrize("capability", ["AVX2", "AVX512"])
def test_memory_does_not_grow_with_the_number_of_shapes(capability):
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, capability], check=True, capture_output=True, text=True
    )
    assert float(done.stdout) < 50
