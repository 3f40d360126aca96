"""JAX: exact distances inside a compiled function, by `pure_callback`."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import loyd


def label(boards: jax.Array) -> NDArray[np.unsignedinteger[Any]]:
    """Return the distances of uint8 boards (..., H, W), as uint8 (...)."""
    array = np.asarray(boards)
    return loyd.distance(array.reshape(-1, *array.shape[-2:])).reshape(array.shape[:-2])


def distance(boards: jax.Array) -> jax.Array:
    """Return the same inside traced code: under `jit`, `vmap` and `scan`."""
    result = jax.ShapeDtypeStruct(boards.shape[:-2], jnp.uint8)
    return jax.pure_callback(label, result, boards, vmap_method="expand_dims")


@jax.jit
def mean_squared_error(values: jax.Array, boards: jax.Array) -> jax.Array:
    """Return the error of the values of a model, (B,)."""
    return jnp.mean((values - distance(boards)) ** 2)


if __name__ == "__main__":
    boards = loyd.scramble("3x3", 64, seed=1)
    exact = loyd.distance(boards)
    assert (np.asarray(jax.jit(distance)(boards)) == exact).all()
    assert (np.asarray(jax.vmap(distance)(jnp.asarray(boards))) == exact).all()
    assert mean_squared_error(exact + 2.0, boards) == 4.0
    # JAX arrays on the CPU can also be passed directly: their memory is read through DLPack.
    assert (loyd.distance(jnp.asarray(boards)) == exact).all()
