"""PyTorch: random boards with exact distances, drawn anew by the workers of a `DataLoader`."""

from collections.abc import Iterator

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

import loyd


class LabelledBoards(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """`count` batches: boards, uint8 (batch, H, W), and distances, uint8 (batch,). Each has its own seed."""

    def __init__(self, size: str, batch: int, count: int) -> None:
        self.size, self.batch, self.count = size, batch, count

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for seed in range(first, self.count, step):
            boards = loyd.scramble(self.size, self.batch, seed=seed)
            yield torch.from_numpy(boards), torch.from_numpy(loyd.distance(boards))


if __name__ == "__main__":
    dataset = LabelledBoards("3x3", batch=1000, count=20)
    alone = list(DataLoader(dataset, batch_size=None))
    loader = DataLoader(dataset, batch_size=None, num_workers=2, multiprocessing_context="fork")
    forked = {tuple(boards[0].flatten().tolist()): distances for boards, distances in loader}
    assert len(alone) == len(forked) == 20, "each batch is drawn once"
    for boards, distances in alone:
        assert boards.shape == (1000, 3, 3) and distances.dtype == torch.uint8
        assert torch.equal(forked[tuple(boards[0].flatten().tolist())], distances), "a batch depends on its seed alone"
        # A tensor goes in as it is, too: its memory is read through DLPack.
        assert (loyd.distance(boards) == distances.numpy()).all()
