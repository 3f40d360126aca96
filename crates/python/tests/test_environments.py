"""Environments: gymnasium's own checks, and comparisons with an independent environment in NumPy."""

import copy
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import loyd
from loyd.environments import SlidingEnv, SlidingVectorEnv

GOAL = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 0]], dtype=np.uint8)


class Plain:
    """Sliding tiles in NumPy, many boards at once, written independently of the package."""

    STEPS = np.array([[-1, 0], [0, -1], [0, 1], [1, 0]])

    def __init__(self, boards):
        self.boards = boards.copy()
        count, self.height, self.width = boards.shape
        self.rows = np.arange(count)
        self.goal = np.roll(np.arange(self.height * self.width), -1).reshape(boards.shape[1:])

    def step(self, actions):
        row, column = np.divmod(self.boards.reshape(len(self.rows), -1).argmin(axis=1), self.width)
        to_row, to_column = (np.stack([row, column], 1) + self.STEPS[actions]).T
        legal = (0 <= to_row) & (to_row < self.height) & (0 <= to_column) & (to_column < self.width)
        which = self.rows[legal]
        tiles = self.boards[which, to_row[legal], to_column[legal]]
        self.boards[which, row[legal], column[legal]] = tiles
        self.boards[which, to_row[legal], to_column[legal]] = 0
        return (self.boards == self.goal).all(axis=(1, 2))

    def mask(self):
        row, column = np.divmod(self.boards.reshape(len(self.rows), -1).argmin(axis=1), self.width)
        edges = [row > 0, column > 0, column < self.width - 1, row < self.height - 1]
        return np.stack(edges, 1).astype(np.int8)

    def distance(self):
        where = self.boards.reshape(len(self.rows), -1).argsort(axis=1)[:, 1:]
        home = np.arange(where.shape[1])
        away = abs(where // self.width - home // self.width) + abs(where % self.width - home % self.width)
        return away.sum(axis=1), (away > 0).sum(axis=1)


@pytest.mark.parametrize("size, count", [("3x3", 500), ("4x4", 1000), ("5x3", 500)])
@pytest.mark.parametrize("reward", ["step", "goal", "misplaced", "manhattan"])
def test_a_million_steps_equal_those_of_a_plain_environment(size, count, reward):
    """A million steps for each size, a quarter with each reward."""
    many = SlidingVectorEnv(count, size, reward=reward, walk=5, autoreset_mode="Disabled")
    boards, info = many.reset(seed=3)
    plain = Plain(boards)
    generator = np.random.default_rng(5)
    solved = 0
    for _ in range(250_000 // count):
        sum_before, _ = plain.distance()
        actions = generator.integers(0, 4, count)
        expected = plain.step(actions)
        boards, rewards, terminated, truncated, info = many.step(actions)
        assert (boards == plain.boards).all()
        assert (terminated == expected).all() and not truncated.any()
        assert (info["action_mask"] == plain.mask()).all()
        sum_now, misplaced = plain.distance()
        worth = {
            "step": np.full(count, -1),
            "goal": expected,
            "misplaced": -misplaced,
            "manhattan": sum_before - sum_now,
        }
        assert (rewards == worth[reward]).all()
        if expected.any():
            solved += expected.sum()
            boards, info = many.reset(options={"reset_mask": expected})
            plain.boards = boards.copy()
    assert solved > 0


def test_types_and_shapes():
    many = gymnasium.make_vec("Loyd/Sliding-4x4-v0", num_envs=5)
    assert isinstance(many.unwrapped, SlidingVectorEnv)
    boards, info = many.reset(seed=1)
    assert boards in many.observation_space
    assert (boards.dtype, boards.shape) == (np.uint8, (5, 4, 4))
    kept = boards.copy()
    found = many.step(many.action_space.sample())
    assert (boards == kept).all()
    assert [array.dtype for array in found[:4]] == [np.uint8, np.float32, np.bool_, np.bool_]
    assert info["action_mask"].dtype == np.int8 and info["action_mask"].shape == (5, 4)
    for kind in (np.uint8, np.int32, np.int64, np.int16, list):
        many.step(np.zeros(5, kind) if kind is not list else [0, 1, 2, 3, 0])
    many.step(np.zeros(10, np.int64)[::2])


@pytest.mark.parametrize("name", ["Sliding-3x3", "Sliding-4x4", "Sliding-5x5", "Sliding"])
def test_gymnasium_checks_pass(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"Loyd/{name}-v0", render_mode="ansi").unwrapped)


def test_a_single_environment():
    one = gymnasium.make("Loyd/Sliding-v0", size=(3, 2), distance=True, render_mode="ansi")
    board, info = one.reset(seed=1, options={"board": [[1, 2, 3], [0, 4, 5]]})
    assert one.render() == "1 2 3\n. 4 5"
    assert info["distance"] == 2 and (info["action_mask"] == [1, 0, 1, 0]).all()
    assert one.action_space.sample(info["action_mask"]) in (0, 2)
    one.step(2)
    board, reward, terminated, truncated, info = one.step(2)
    assert (reward, terminated, truncated, info["distance"]) == (-1.0, True, False, 0)
    assert (board == [[1, 2, 3], [4, 5, 0]]).all()
    picture = gymnasium.make("Loyd/Sliding-3x3-v0", render_mode="rgb_array")
    picture.reset(seed=1)
    assert picture.render().shape == (72, 72, 3)


@pytest.mark.parametrize("options", [{}, {"length": (2, 6), "reward": "goal"}, {"walk": 5}])
def test_many_equal_as_many_single_ones(options):
    """Compares with gymnasium's loop over single environments, with autoreset in the next step."""
    arguments = {"num_envs": 7, "max_episode_steps": 9, "distance": True, **options}
    many = gymnasium.make_vec("Loyd/Sliding-3x3-v0", **arguments)
    plain = gymnasium.make_vec("Loyd/Sliding-3x3-v0", vectorization_mode="sync", **arguments)
    generator = np.random.default_rng(1)
    found, expected = many.reset(seed=11), plain.reset(seed=11)
    assert (found[0] == expected[0]).all()
    for _ in range(200):
        actions = generator.integers(0, 4, 7)
        found, expected = many.step(actions), plain.step(actions)
        for one, other in zip(found[:4], expected[:4], strict=True):
            assert (one == other).all()
        for key in ("action_mask", "_action_mask", "distance", "_distance"):
            assert (found[4][key] == expected[4][key]).all()


def test_autoreset_in_the_same_step_equals_that_of_gymnasium():
    arguments = {"num_envs": 6, "max_episode_steps": 7, "length": (1, 4), "distance": True}
    many = SlidingVectorEnv(size=3, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
    plain = gymnasium.make_vec(
        "Loyd/Sliding-3x3-v0",
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
        **arguments,
    )
    generator = np.random.default_rng(1)
    many.reset(seed=2), plain.reset(seed=2)
    ended = 0
    for _ in range(200):
        actions = generator.integers(0, 4, 6)
        found, expected = many.step(actions), plain.step(actions)
        for one, other in zip(found[:4], expected[:4], strict=True):
            assert (one == other).all()
        assert ("final_obs" in found[4]) == ("final_obs" in expected[4])
        if "final_obs" in expected[4]:
            assert (found[4]["_final_obs"] == expected[4]["_final_obs"]).all()
            for number in np.flatnonzero(expected[4]["_final_obs"]):
                ended += 1
                assert (found[4]["final_obs"][number] == expected[4]["final_obs"][number]).all()
                for key in ("action_mask", "distance"):
                    one, other = (info["final_info"][key][number] for info in (found[4], expected[4]))
                    assert np.all(one == other)
    assert ended > 20


def test_without_autoreset_ended_episodes_cannot_be_stepped():
    many = SlidingVectorEnv(3, 3, max_episode_steps=2, autoreset_mode="Disabled")
    many.reset(seed=1)
    many.step([0, 0, 0])
    assert many.step([0, 0, 0])[3].all()
    with pytest.raises(ValueError, match="environment 0: the episode has ended"):
        many.step([0, 0, 0])
    many.reset(options={"reset_mask": np.array([True, False, True])})
    with pytest.raises(ValueError, match="environment 1: the episode has ended"):
        many.step([0, 0, 0])


def test_seeds_determine_all_episodes():
    def episodes(seed, **options):
        many = SlidingVectorEnv(4, 4, **options)
        return [many.reset(seed=seed)[0], *(many.reset()[0] for _ in range(5))]

    assert np.array_equal(episodes(3), episodes(3))
    assert not np.array_equal(episodes(3), episodes(9))
    assert np.array_equal(episodes([5, 6, 7, 8]), episodes(5))
    assert len({board.tobytes() for boards in episodes(3) for board in boards}) == 24
    assert not np.array_equal(episodes(None), episodes(None))


@pytest.mark.parametrize("size, length", [(3, (30, 31)), ("4x2", 7), (4, (3, 4)), (5, 4)])
def test_starts_have_the_requested_length(size, length):
    many = SlidingVectorEnv(20, size, length=length, pool=20, distance=True)
    lengths = {int(one) for one in many.reset(seed=1)[1]["distance"]}
    first, last = (length, length) if isinstance(length, int) else length
    assert lengths == set(range(first, last + 1))
    _, info = many.reset(options={"length": 2})
    assert (info["distance"] == 2).all()
    _, info = many.reset(options={"walk": 0})
    assert (info["distance"] == 0).all()


@pytest.mark.parametrize("length", [[3, 4], (1, 2, 3), [3]])
def test_lists_of_lengths_are_rejected(length):
    with pytest.raises(TypeError, match=r"a range as a tuple, such as \(3, 10\)"):
        SlidingEnv(3, length=length)


def test_starts_may_be_text():
    texts = ["1 2 3/4 0 5/7 8 6", "123450786"]
    arrays = [loyd.Board(text).array for text in texts]
    board, _ = SlidingEnv(3).reset(options={"board": texts[0]})
    assert np.array_equal(board, arrays[0])
    boards, _ = SlidingVectorEnv(2, 3).reset(options={"boards": texts})
    assert np.array_equal(boards, arrays)
    with pytest.raises(ValueError, match="not of 3x3 boards"):
        SlidingEnv(3).reset(options={"board": "1 2/3 4"})


def test_distances_equal_those_of_the_solver():
    many = SlidingVectorEnv(6, 3, goal="spiral", distance=True)
    solver = loyd.Solver(goal="spiral")
    boards, info = many.reset(seed=8)
    for _ in range(5):
        lengths = [solver.solve(board).length for board in boards]
        assert info["distance"].tolist() == lengths
        boards, _, _, _, info = many.step(many.action_space.sample())


@pytest.mark.parametrize(
    "options, message",
    [
        ({"size": "3y3"}, "3y3"),
        ({"reward": "gold"}, "no reward gold"),
        ({"illegal": "die"}, "stay.*raise"),
        ({"length": 32, "size": 3}, "no 3x3 board is 32 moves"),
        ({"length": (3, 2)}, "the range of lengths from 3 to 2 is empty"),
        ({"length": -1}, "length=-1 is out of range"),
        ({"length": 3, "walk": 3}, "not both"),
        ({"walk": -1}, "walk=-1 is out of range"),
        ({"pool": 0}, "pool"),
        ({"max_episode_steps": 0}, "max_episode_steps"),
        ({"goal": "1 2 3/* * */* * *", "size": 3}, "goal"),
        ({"num_envs": 0}, "num_envs"),
        ({"autoreset_mode": "never"}, "never"),
        ({"render_mode": "ansi"}, "render_mode"),
    ],
)
def test_invalid_options_are_rejected(options, message):
    with pytest.raises(ValueError, match=message):
        SlidingVectorEnv(**{"num_envs": 2, **options})


def test_invalid_actions_and_resets_are_rejected():
    many = SlidingVectorEnv(2, 3, illegal="raise")
    with pytest.raises(ValueError, match="reset has to be called"):
        many.step([0, 0])
    boards = np.stack([GOAL, GOAL])
    many.reset(seed=1, options={"boards": boards})
    refused = {
        (0,): "1 actions for 2 environments",
        (0, 4): "environment 1: invalid action 4",
        (-1, 0): "environment 0: invalid action -1",
        (0, 3): "environment 1: the blank on cell 8 cannot go Down",
    }
    for actions, message in refused.items():
        with pytest.raises(ValueError, match=message):
            many.step(np.array(actions))
    assert (many.step([0, 1])[0] != boards).any()
    boards[1, 0] = [2, 1, 3]
    for options in ({"boards": boards}, {"boards": GOAL}, {"board": GOAL, "size": 1}):
        with pytest.raises(ValueError):
            many.reset(options=options)
    for seed in (-1, [1], [1, -2]):
        with pytest.raises(ValueError):
            many.reset(seed=seed)
    with pytest.raises(ValueError):
        many.reset(options={"reset_mask": [True]})
    with pytest.raises(ValueError, match="invalid action 4"):
        one = SlidingEnv(3)
        one.reset(seed=1)
        one.step(4)


def test_a_failed_reset_changes_nothing():
    many = SlidingVectorEnv(3, 3, length=4, distance=True)
    before, _ = many.reset(seed=1)
    one = SlidingEnv(3, length=4, distance=True)
    single, _ = one.reset(seed=1)
    unsolvable = np.array([[2, 1, 3], [4, 5, 6], [7, 8, 0]], np.uint8)
    refused = [
        ({"boards": np.stack([GOAL, unsolvable, GOAL])}, "board 1: .* cannot reach the goal"),
        ({"boards": np.stack([GOAL, GOAL, np.zeros_like(GOAL)]), "length": 2}, "board 2: "),
        ({"boards": np.stack([GOAL, GOAL, GOAL]), "length": 99}, "99"),
        ({"reset_mask": [True], "length": 2}, "reset_mask must be"),
    ]
    for options, message in refused:
        with pytest.raises(ValueError, match=message):
            many.reset(options=options)
        assert (many._environments.state()[0] == before).all()
    with pytest.raises(ValueError, match="cannot reach the goal"):
        one.reset(options={"board": unsolvable, "length": 2})
    assert (one._environments.state()[0][0] == single).all()
    # Further episodes have the same starts as before.
    assert many.reset()[1]["distance"].tolist() == [4, 4, 4]
    assert one.reset()[1]["distance"] == 4
    mask = np.array([True, False, True])
    many.reset(options={"boards": np.stack([GOAL, unsolvable, GOAL]), "reset_mask": mask})


def test_a_copy_is_independent():
    one = SlidingEnv(4)
    one.reset(seed=1)
    other = copy.deepcopy(one)
    actions = [0, 1, 3, 2, 0]
    here = [one.step(action)[0] for action in actions]
    assert np.array_equal(here, [other.step(action)[0] for action in actions])


@pytest.mark.parametrize(
    "imports", ["import loyd, gymnasium", "import gymnasium, loyd", "import gymnasium; import loyd.environments"]
)
def test_importing_registers_in_any_order(imports):
    program = f"{imports}; gymnasium.make_vec('Loyd/Sliding-4x4-v0', num_envs=3).reset()"
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_gymnasium_finds_the_package_which_does_not_need_it():
    program = "import gymnasium; gymnasium.make('loyd:Loyd/Sliding-3x3-v0').reset()"
    subprocess.run([sys.executable, "-c", program], check=True)
    program = "import sys; sys.modules['gymnasium'] = None; import loyd; loyd.solve('12345678x')"
    subprocess.run([sys.executable, "-c", program], check=True)
    program = "import sys, loyd; assert 'gymnasium' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
