"""DeepXube: exact costs-to-go for the states of its sliding puzzle, in place of a heuristic function."""

import numpy as np
from deepxube.base.domain import Goal, State
from deepxube.domains.npuzzle import NPGoal, NPState, NPuzzle

import loyd


class ExactCosts:
    """A `HeurFnV` of DeepXube: maps states and goals to costs-to-go."""

    def __init__(self, size: int) -> None:
        self.size, self.solver = size, loyd.Solver()

    def __call__(self, states: list[State], goals: list[Goal]) -> list[float]:
        default = np.roll(np.arange(self.size**2), -1)
        assert all(isinstance(goal, NPGoal) and (goal.tiles == default).all() for goal in goals), "only the default goal is supported"
        tiles = [state.tiles for state in states if isinstance(state, NPState)]
        boards = np.stack(tiles).astype(np.uint8).reshape(-1, self.size, self.size)
        return [float(cost) for cost in self.solver.distance(boards)]


if __name__ == "__main__":
    domain, exact = NPuzzle(3), ExactCosts(3)
    states, goals = domain.sample_goalstate_goal_pairs(200)
    states = domain.random_walk(states, list(range(200)))[0]
    costs = exact(states, goals)
    assert costs[0] == 0 and all(cost <= steps for steps, cost in enumerate(costs))
    # The cost of a state is that of its nearest neighbour plus one.
    for state, goal, cost in zip(states, goals, costs):
        following = domain.expand([state])[0][0]
        assert cost == 0 or cost == 1 + min(exact(following, [goal] * len(following)))
