"""Proximal policy optimization by self-play in a single file, in the style of CleanRL: meant to be modified.

    python -m pip install jax optax
    python -m bots.env.ppo GAME --minutes 5

One network plays all seats of many matches at once and learns from every seat. In a quarter of the matches, it plays
only one seat and the others play at random, so that it also learns to exploit mistakes that it would not make itself.
The results are the weights, GAME.npz, and a bot that can be uploaded, GAME.zip.
"""

import argparse
import random
import time
from collections import deque

import jax
import jax.numpy as jnp
import numpy as np
import optax

from bots import env
from bots.env.packing import pack_bot

MATCHES = 32  # matches played at once
ROLLOUT = 4096  # decisions between two updates
MINIBATCH = 512
EPOCHS = 4
HIDDEN = 128
LEARNING_RATE = 1e-3
DISCOUNT, LAMBDA = 0.99, 0.95
CLIP, VALUE_WEIGHT, ENTROPY_WEIGHT = 0.2, 0.5, 0.01
AT_RANDOM = 0.25  # share of the matches in which all seats except one play at random


# --- the network -------------------------------------------------------------------------------


def new_weights(rng, inputs, outputs):
    """Return initial weights for two hidden layers (1 and 2), the policy head (3) and the value head (v).

    ``inputs`` and ``outputs``: how many numbers the network receives and returns. The weight ``spread`` is the
    logarithm of the standard deviation of continuous actions.
    """

    def layer(rows, columns, scale):
        return (rng.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32)

    return {
        "w1": layer(inputs, HIDDEN, 1.4),
        "b1": np.zeros(HIDDEN, np.float32),
        "w2": layer(HIDDEN, HIDDEN, 1.4),
        "b2": np.zeros(HIDDEN, np.float32),
        "w3": layer(HIDDEN, outputs, 0.01),
        "b3": np.zeros(outputs, np.float32),
        "wv": layer(HIDDEN, 1, 1.0),
        "bv": np.zeros(1, np.float32),
        "spread": np.zeros(outputs, np.float32),
    }


def network(weights, seen):
    hidden = jnp.tanh(seen @ weights["w1"] + weights["b1"])
    hidden = jnp.tanh(hidden @ weights["w2"] + weights["b2"])
    return hidden @ weights["w3"] + weights["b3"], (hidden @ weights["wv"] + weights["bv"])[:, 0]


def log_probabilities(outputs, masks):
    """Return the log-probabilities of all actions; illegal ones have a probability of practically zero."""
    return jax.nn.log_softmax(jnp.where(masks, outputs, -1e9))


def evaluate_actions(weights, outputs, masks, actions):
    """Return the log-probabilities of actions that were taken, and the entropy of the policy."""
    if masks.shape[1]:
        logs = log_probabilities(outputs, masks)
        return jnp.take_along_axis(logs, actions.astype(int), 1)[:, 0], -(jnp.exp(logs) * logs).sum(1)
    spread = weights["spread"]  # logarithm of the standard deviation
    logs = -0.5 * ((actions - outputs) / jnp.exp(spread)) ** 2 - spread - 0.919
    return logs.sum(1), jnp.full(len(actions), (spread + 1.419).sum())


@jax.jit
def sample_actions(weights, seen, masks, key):
    """Return sampled actions, their log-probabilities, and the values of the states."""
    outputs, values = network(weights, seen)
    if masks.shape[1]:
        actions = jax.random.categorical(key, log_probabilities(outputs, masks))[:, None].astype(jnp.float32)
    else:
        actions = outputs + jnp.exp(weights["spread"]) * jax.random.normal(key, outputs.shape)
    return actions, evaluate_actions(weights, outputs, masks, actions)[0], values


# --- learning ----------------------------------------------------------------------------------

optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(LEARNING_RATE, eps=1e-5))


def ppo_loss(weights, batch):
    outputs, values = network(weights, batch["seen"])
    logs, entropy = evaluate_actions(weights, outputs, batch["masks"], batch["actions"])
    ratio = jnp.exp(logs - batch["logs"])
    gains = (batch["gains"] - batch["gains"].mean()) / (batch["gains"].std() + 1e-8)
    clipped = jnp.clip(ratio, 1 - CLIP, 1 + CLIP)
    policy = -jnp.minimum(ratio * gains, clipped * gains).mean()
    value = ((values - batch["returns"]) ** 2).mean()
    return policy + VALUE_WEIGHT * value - ENTROPY_WEIGHT * entropy.mean()


@jax.jit
def update_weights(weights, memory, batch, rate):
    updates, memory = optimizer.update(jax.grad(ppo_loss)(weights, batch), memory)
    return optax.apply_updates(weights, jax.tree.map(lambda update: update * rate, updates)), memory


# --- matches -----------------------------------------------------------------------------------


class MatchSequence:
    """A sequence of matches whose decisions become rows of training data.

    ``open``: maps each learning agent to the index of its newest row, whose reward is still pending. ``results``: the
    network's total rewards in matches in which all others played at random.
    """

    def __init__(self, game, seed, results):
        self.env = env.make(game, seed=seed, **env.short_settings(game))
        for number, agent in enumerate(self.env.possible_agents):
            self.env.action_space(agent).seed(100 * seed + number)
        self.rng = random.Random(seed)
        self.results = results
        self.begin_match()

    def begin_match(self):
        self.env.reset()
        agents = self.env.possible_agents
        alone = self.rng.random() < AT_RANDOM
        self.learning = {self.rng.choice(agents)} if alone else set(agents)
        self.open, self.total = {}, 0.0

    def end_match(self):
        if len(self.learning) == 1:
            self.results.append(self.total)
        self.begin_match()

    def split_observation(self, seen):
        """Split an observation into the numbers and the mask, which is empty for continuous actions."""
        return (seen["observation"], seen["action_mask"]) if isinstance(seen, dict) else (seen, np.empty(0))

    def next_decision(self, rows):
        """Continue to the network's next decision and return it; add rewards to the rows of earlier decisions."""
        while True:
            agent = self.env.agent_selection
            seen, reward, ended, _, _ = self.env.last()
            row = self.open.pop(agent, None)
            if row is not None:
                rows[row].update(reward=reward, ended=ended)
                self.total += reward
            if ended:
                self.env.step(None)
                if not self.env.agents:
                    self.end_match()
            elif agent in self.learning:
                return agent, row, *self.split_observation(seen)
            else:
                mask = seen["action_mask"] if isinstance(seen, dict) else None
                self.env.step(self.env.action_space(agent).sample(mask))

    def play_action(self, action):
        """Play the network's action, given as its number or as real numbers, which are squashed into the bounds."""
        space = self.env.action_space(self.env.agent_selection)
        if hasattr(space, "n"):
            self.env.step(int(action[0]))
        else:
            self.env.step(space.low + (space.high - space.low) / (1 + np.exp(-action.astype(float))))


class RewardScale:
    """The running standard deviation of the discounted returns, by which rewards are divided.

    Without it, games with large rewards would need different hyperparameters from games with small ones.
    """

    def __init__(self):
        self.count, self.mean, self.squares = 1e-4, 0.0, 0.0

    def add(self, values):
        for value in values:
            self.count += 1
            step = value - self.mean
            self.mean += step / self.count
            self.squares += step * (value - self.mean)

    @property
    def value(self):
        return max(1e-3, np.sqrt(self.squares / self.count))


def collect_rows(matches, weights, key, rows):
    """Play until ``rows`` contains ``ROLLOUT`` rows, including those kept from the previous rollout.

    Returns the next random key.
    """
    while len(rows) < ROLLOUT:
        decisions = [match.next_decision(rows) for match in matches]
        seen, masks = np.stack([one[2] for one in decisions]), np.stack([one[3] for one in decisions])
        key, use = jax.random.split(key)
        actions, logs, values = map(np.asarray, sample_actions(weights, seen, masks, use))
        for number, (match, (agent, before, _, _)) in enumerate(zip(matches, decisions, strict=True)):
            if before is not None:
                rows[before]["next"] = len(rows)
            match.open[agent] = len(rows)
            row = {"seen": seen[number], "masks": masks[number], "actions": actions[number]}
            rows.append({**row, "logs": logs[number], "value": values[number], "reward": None, "ended": False})
            match.play_action(actions[number])
    return key


def compute_advantages(rows, scale):
    """Compute generalized advantage estimates (GAE), and return the rows with known rewards as arrays.

    ``next`` in a row is the index of the same agent's next row. ``scale`` (a ``RewardScale``) is updated.
    """
    for row in reversed(rows):
        if row["reward"] is None:
            row["gains"] = row["total"] = 0.0
            continue
        after = None if row["ended"] else rows[row["next"]]
        row["total"] = row["reward"] + (DISCOUNT * after["total"] if after else 0.0)
        step = row["reward"] / scale.value + (DISCOUNT * after["value"] if after else 0.0) - row["value"]
        row["gains"] = step + (DISCOUNT * LAMBDA * after["gains"] if after else 0.0)
        row["returns"] = row["gains"] + row["value"]
    done = [row for row in rows if row["reward"] is not None]
    scale.add([row["total"] for row in done])
    names = ("seen", "masks", "actions", "logs", "gains", "returns")
    return {name: np.array([row[name] for row in done], np.float32) for name in names}


def pending_rows(matches, rows):
    """Return the rows whose reward is still pending, and update their indices in ``matches``."""
    kept = []
    for match in matches:
        for agent, row in match.open.items():
            match.open[agent] = len(kept)
            kept.append(rows[row])
    return kept


# --- the run -----------------------------------------------------------------------------------


def train(game, minutes, seed, updates=None):
    """Train for this many minutes, or for this many updates, and return the weights.

    With ``updates``, the weights depend only on the seed.
    """
    rng, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
    results = deque(maxlen=200)
    matches = [MatchSequence(game, seed * MATCHES + number, results) for number in range(MATCHES)]
    space = matches[0].env.action_space("player_0")
    seen, mask = matches[0].split_observation(matches[0].env.observe("player_0"))
    weights = new_weights(rng, len(seen), space.n if hasattr(space, "n") else space.shape[0])
    memory, scale, rows, decisions = optimizer.init(weights), RewardScale(), [], 0
    began, done, passed = time.monotonic(), 0, 0.0
    while passed < 1:  # share of the training completed
        key = collect_rows(matches, weights, key, rows)
        data = compute_advantages(rows, scale)
        for _ in range(EPOCHS):
            order = rng.permutation(len(data["gains"]))
            for start in range(0, len(order) - MINIBATCH + 1, MINIBATCH):
                batch = {name: values[order[start : start + MINIBATCH]] for name, values in data.items()}
                weights, memory = update_weights(weights, memory, batch, max(0.05, 1 - passed))
        decisions += len(data["gains"])
        explained = 1 - np.var(data["gains"]) / (np.var(data["returns"]) + 1e-8)
        result = f"{np.mean(results):8.2f}" if results else "       -"
        print(
            f"{time.monotonic() - began:5.0f} s  {decisions:9,} decisions  reward against random players {result}  "
            f"explained variance {explained:5.2f}",
            flush=True,
        )
        rows, done = pending_rows(matches, rows), done + 1
        passed = done / updates if updates else (time.monotonic() - began) / 60 / minutes
    bounds = {} if len(mask) else {"low": space.low.astype(float), "high": space.high.astype(float)}
    return {**{name: np.asarray(values) for name, values in weights.items()}, **bounds}


def main():
    parser = argparse.ArgumentParser(prog="python -m bots.env.ppo", description="Train a bot by self-play.")
    parser.add_argument("game", choices=env.names())
    parser.add_argument("--minutes", type=float, default=5, help="training time in minutes (default: 5)")
    parser.add_argument(
        "--updates",
        type=int,
        help="number of updates to run, instead of a time limit; with the same seed, the run is reproducible",
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed for matches and weights (default: 1)")
    options = parser.parse_args()
    weights = train(options.game, options.minutes, options.seed, options.updates)
    np.savez_compressed(f"{options.game}.npz", **weights)
    pack_bot(options.game, f"{options.game}.npz", f"{options.game}.zip")
    print(f"Wrote {options.game}.npz and the bot {options.game}.zip.")


if __name__ == "__main__":
    main()
