"""The policy-value network: fully connected layers with a policy head and a value head, as a flat dict of arrays.

Shapes: ``w0`` (inputs, hidden), ``b0``, ``w1`` … for the hidden layers, ``policy_w``, ``policy_b``, ``value_w``,
``value_b``. House bots run the same layers with NumPy (``network.py`` in a game's house package).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final

import jax
import jax.numpy as jnp
from jax import Array

Parameters = dict[str, Array]

_HIDDEN_GAIN: Final = 2**0.5
_POLICY_GAIN: Final = 0.01  # so that a new policy is close to uniform
ILLEGAL: Final = -1e9


def initial_weights(key: Array, inputs: int, hidden: Sequence[int], actions: int) -> Parameters:
    """Return orthogonal initial weights and zero biases."""
    widths = [inputs, *hidden]
    keys = jax.random.split(key, len(hidden) + 2)
    found: Parameters = {}
    for number, (fan_in, fan_out) in enumerate(itertools.pairwise(widths)):
        found[f"w{number}"] = jax.nn.initializers.orthogonal(_HIDDEN_GAIN)(keys[number], (fan_in, fan_out))
        found[f"b{number}"] = jnp.zeros(fan_out)
    for name, width, gain, own in (("policy", actions, _POLICY_GAIN, keys[-2]), ("value", 1, 1.0, keys[-1])):
        found[f"{name}_w"] = jax.nn.initializers.orthogonal(gain)(own, (widths[-1], width))
        found[f"{name}_b"] = jnp.zeros(width)
    return found


def evaluate(parameters: Mapping[str, Array], observed: Array) -> tuple[Array, Array]:
    """Return the logits of all actions and the value, for observations of shape (…, inputs)."""
    layer = observed
    number = 0
    while f"w{number}" in parameters:
        layer = jax.nn.relu(layer @ parameters[f"w{number}"] + parameters[f"b{number}"])
        number += 1
    logits = layer @ parameters["policy_w"] + parameters["policy_b"]
    return logits, (layer @ parameters["value_w"] + parameters["value_b"])[..., 0]


def legal_log_probabilities(logits: Array, mask: Array) -> Array:
    """Return log-probabilities; illegal actions get a probability of practically zero."""
    return jax.nn.log_softmax(jnp.where(mask, logits, ILLEGAL))
