"""Ray: labels for shards of boards, on all machines of a cluster."""

import numpy as np
import ray

import loyd

SIZE, BOARDS = "3x3", 1000
"""Size and number of the boards of a shard. The seed of a shard is its number."""


def draw(shards: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the boards of these shards, one per row."""
    boards = [loyd.scramble(SIZE, BOARDS, seed=int(shard)) for shard in shards["id"]]
    return {"board": np.concatenate(boards)}


class Label:
    """Worker that keeps its solver, with the tables, between shards."""

    def __init__(self) -> None:
        self.solver = loyd.Solver()

    def __call__(self, rows: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        boards = np.ascontiguousarray(rows["board"])
        return {
            "board": boards,
            "distance": self.solver.distance(boards),
            "optimal": self.solver.optimal_actions(boards),
        }


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    shards = ray.data.range(8).map_batches(draw, batch_size=1)
    rows = shards.map_batches(Label, batch_size=None, compute=ray.data.ActorPoolStrategy(size=1)).take_all()
    ray.shutdown()
    boards = np.stack([row["board"] for row in rows])
    assert len(boards) == 8 * BOARDS
    assert [row["distance"] for row in rows] == loyd.distance(boards).tolist()
    assert (np.stack([row["optimal"] for row in rows]) == loyd.optimal_actions(boards)).all()
