"""Several processes that learn as one: each takes its share of an update's batches.

`torchrun --nproc-per-node N -m regard train RECIPE` starts them. What is learnt follows from the
recipe, not from N: an update is made of `training.accumulate` batches, however many processes share
them, and its gradient is their sum (torch's DistributedDataParallel adds them up while the last
batch's gradients are being made). Process 0 alone validates and writes.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import Any, TypeVar

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from regard.data.batch import Batch
from regard.errors import RecipeError, RegardError
from regard.models.encoder_decoder import EncoderDecoder
from regard.train.loss import Loss
from regard.train.step import Learner

Some = TypeVar("Some")

PATIENCE = timedelta(days=1)
"""How long a process waits for others, one of which may be validating; if it is gone, no longer."""


class Group:
    """The processes that learn together; one alone unless `several` says otherwise.

    Attributes:
        rank: Which of them this is, from 0.
        size: How many there are.
    """

    rank = 0
    size = 1

    def share(self, batches: Sequence[Some]) -> Sequence[Some]:
        """This process's part of an update's batches."""
        return batches

    def learner(self, model: EncoderDecoder, **options: Any) -> Learner:
        """The model as an update sees it."""
        return Learner(model, **options)

    def most(self, number: int) -> int:
        """The largest number that one of them gives."""
        return number

    def first(self, value: Any) -> Any:
        """What process 0 gives, as JSON gives it back."""
        return value

    def each(self, numbers: Tensor) -> list[Tensor]:
        """What every process gives, by rank."""
        return [numbers]


class _Processes(Group):
    def __init__(self, device: torch.device):
        self.device = device
        self.rank = distributed.get_rank()
        self.size = distributed.get_world_size()

    def share(self, batches: Sequence[Some]) -> Sequence[Some]:
        return batches[self.rank :: self.size]

    def learner(self, model: EncoderDecoder, **options: Any) -> Learner:
        return _Shared(self, model, **options)

    def most(self, number: int) -> int:
        found = torch.tensor([number], device=self.device)
        distributed.all_reduce(found, distributed.ReduceOp.MAX)
        return int(found)

    def first(self, value: Any) -> Any:
        content = json.dumps(value).encode() if self.rank == 0 else b""
        length = torch.tensor([len(content)], device=self.device)
        distributed.broadcast(length, 0)
        told = torch.zeros(int(length), dtype=torch.uint8, device=self.device)
        if self.rank == 0:
            told.copy_(torch.frombuffer(bytearray(content), dtype=torch.uint8))
        distributed.broadcast(told, 0)
        return json.loads(bytes(told.cpu().tolist()))

    def each(self, numbers: Tensor) -> list[Tensor]:
        given = numbers.to(self.device)
        found = [torch.empty_like(given) for _ in range(self.size)]
        distributed.all_gather(found, given)
        return [part.cpu() for part in found]

    def sum(self, numbers: Sequence[float]) -> list[float]:
        total = torch.tensor(list(numbers), dtype=torch.float64, device=self.device)
        distributed.all_reduce(total)
        return total.tolist()


class _Shared(Learner):
    """A model of which every process has a copy; they stay alike."""

    def __init__(self, group: _Processes, model: EncoderDecoder, **options: Any):
        super().__init__(model, **options)
        self._group = group
        self._together = DistributedDataParallel(_LossModule(Learner(model, **options)))
        self._together.register_comm_hook(None, _add_up)

    def loss(self, batch: Batch, *, last: bool) -> Loss:
        with nullcontext() if last else self._together.no_sync():
            return Loss(*self._together(batch))

    def total(self, numbers: Sequence[float]) -> list[float]:
        return self._group.sum(numbers)


class _LossModule(nn.Module):
    """What DistributedDataParallel wants: a module whose forward makes the loss."""

    def __init__(self, learner: Learner):
        super().__init__()
        self.model = learner.model
        self._learner = learner

    def forward(self, batch: Batch) -> Loss:
        return self._learner.loss(batch, last=True)


def _add_up(
    _state: None,
    bucket: distributed.GradBucket,  # pyright: ignore[reportPrivateImportUsage]
) -> torch.futures.Future[Tensor]:
    """The sum of all gradients where DistributedDataParallel would take their mean."""
    work = distributed.all_reduce(bucket.buffer(), async_op=True)
    assert work  # there is none only for a process outside the group
    return work.get_future().then(lambda done: done.value()[0])


@contextmanager
def several(device: torch.device) -> Iterator[Group]:
    """The processes that torchrun started, or this one alone.

    Raises:
        RegardError: another process has failed.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield Group()
        return
    try:
        distributed.init_process_group(
            "nccl" if device.type == "cuda" else "gloo", timeout=PATIENCE
        )
    except ValueError as error:
        raise RecipeError(
            f"WORLD_SIZE is set, but processes are not told of each other ({error}); start them"
            " with torchrun, or unset it"
        ) from None
    try:
        yield _Processes(device)
    except RuntimeError as error:
        if isinstance(error, distributed.DistError) or "gloo" in str(error):
            raise RegardError("another process has ended; its own message says why") from None
        raise
    finally:
        distributed.destroy_process_group()


def check_share(accumulate: int, group: Group) -> None:
    """Refuse a number of batches that the processes cannot share evenly.

    Raises:
        RecipeError: the number.
    """
    if accumulate % group.size:
        raise RecipeError(
            f"training.accumulate {accumulate} cannot be shared evenly by {group.size} processes;"
            f" set it to a multiple of {group.size} (an update is made of so many batches, however"
            " many processes there are)"
        )
