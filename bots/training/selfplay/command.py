"""``python -m bots train GAME``: self-play training for a game that provides a ``Learnable``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from bots.cli.errors import CommandError
from bots.training.selfplay.environment import Learnable
from bots.training.selfplay.export import write_bot
from bots.training.selfplay.job import LearnerJob
from bots.training.selfplay.plan import Plan
from bots.training.selfplay.processes import TrainingError, train
from bots.training.selfplay.run import CHECKPOINT, Budget


def build_parser(game: Learnable, plan: Plan) -> argparse.ArgumentParser:
    """Return the parser for the training options."""
    top = argparse.ArgumentParser(
        prog=f"python -m bots train {game.game}",
        description="Train by self-play with PPO. A run saves its progress to a folder and can be resumed from it.",
    )
    length = top.add_mutually_exclusive_group()
    length.add_argument(
        "--minutes",
        type=float,
        default=10.0,
        metavar="M",
        help="total duration in minutes, including resumed runs (default: 10)",
    )
    length.add_argument(
        "--updates", type=int, metavar="N", help="total number of updates, including resumed runs; replaces --minutes"
    )
    top.add_argument("--run", type=Path, metavar="FOLDER", help=f"run folder (default: build/training/{game.game})")
    top.add_argument("--resume", action="store_true", help="continue the run in this folder")
    top.add_argument("--pairs", type=int, default=256, metavar="N", help="mirrored pairs per evaluation (default: 256)")
    _add_processes(top)
    _add_plan(top, plan)
    return top


def _add_processes(top: argparse.ArgumentParser) -> None:
    top.add_argument(
        "--processes",
        type=int,
        default=1,
        metavar="N",
        help="number of learners, which average their gradients (default: 1)",
    )
    top.add_argument(
        "--samplers", type=int, default=0, metavar="N", help="sampler processes (default: 0: the learners sample)"
    )
    top.add_argument(
        "--ray", metavar="ADDRESS", help='run learners and samplers on a Ray cluster: its address, "auto", or "local"'
    )


def _add_plan(top: argparse.ArgumentParser, plan: Plan) -> None:
    top.add_argument(
        "--games", type=int, default=plan.games, metavar="N", help=f"concurrent games (default: {plan.games})"
    )
    top.add_argument(
        "--minibatch", type=int, default=plan.minibatch, metavar="N", help=f"minibatch size (default: {plan.minibatch})"
    )
    top.add_argument(
        "--epochs", type=int, default=plan.epochs, metavar="N", help=f"epochs per update (default: {plan.epochs})"
    )
    top.add_argument("--seed", type=int, default=plan.seed, metavar="S", help=f"random seed (default: {plan.seed})")


def main(game: Learnable, arguments: Sequence[str] | None, plan: Plan | None = None) -> None:
    """Train, and write the newest model as a bot. Raises CommandError for invalid options and if training fails."""
    plan = plan or Plan()
    options = build_parser(game, plan).parse_args(arguments)
    job = _create_job(game, plan, options)
    try:
        if options.ray:
            _train_on_cluster(job, options.ray)
        else:
            train(job)
    except TrainingError as error:
        raise CommandError(str(error), code="training_failed") from None
    bot = write_bot(game.game, job.folder)
    print(f"The run is in {job.folder}." + (f" Its newest model is the bot {bot}, ready to upload." if bot else ""))


def _train_on_cluster(job: LearnerJob, address: str) -> None:
    if find_spec("ray") is None:
        raise CommandError(
            'This command needs Ray. In a checkout of the arena, run: .venv/bin/pip install -e ".[cluster]"',
            code="ray_missing",
        )
    from bots.training.selfplay.cluster import train_on_cluster

    train_on_cluster(job, address)


def _create_job(game: Learnable, plan: Plan, options: argparse.Namespace) -> LearnerJob:
    if options.processes < 1 or options.samplers < 0 or 0 < options.samplers < options.processes:
        raise CommandError(
            "--processes must be at least 1, and --samplers must be 0 or at least --processes.",
            code="invalid_processes",
        )
    if not options.minutes > 0 or (options.updates is not None and options.updates < 1):
        raise CommandError("Set a duration: --minutes above 0, or --updates of at least 1.", code="invalid_duration")
    folder = options.run or Path("build/training") / game.game
    exists = (folder / CHECKPOINT).exists()
    if options.resume and not exists:
        raise CommandError(f"There is no run in {folder} to resume. Remove --resume to start one.", code="no_run")
    if exists and not options.resume:
        raise CommandError(
            f"There is already a run in {folder}. Add --resume, or choose another folder with --run.", code="run_exists"
        )
    try:
        plan = replace(plan, games=options.games, minibatch=options.minibatch, epochs=options.epochs, seed=options.seed)
    except ValueError as error:
        raise CommandError(f"{error}. Change --games or --minibatch.", code="invalid_minibatch") from None
    seconds = None if options.updates else 60 * options.minutes
    budget = Budget(seconds=seconds, updates=options.updates)
    return LearnerJob(
        game, plan, budget, folder, options.processes, options.samplers, resume=options.resume, pairs=options.pairs
    )
