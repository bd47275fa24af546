"""Preparation steps run before a start and are skipped if nothing has changed since the previous start."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.games.bot_packages import house_digest
from arena.platform.supervisor.options import Options, StartupError, from_environment
from arena.platform.supervisor.prepare import Preparation


class Scene:
    def __init__(self, root: Path) -> None:
        self.options: Options = replace(
            from_environment({"ARENA_VAR": str(root / "var"), "ARENA_BUILD": str(root / "build")}), root=root
        )
        self.options.var.mkdir()
        self.commands: list[tuple[str, ...]] = []
        self.code = 0
        self.said: list[str] = []
        self.preparation = Preparation(
            self.options,
            say=self.said.append,
            run=self.run,
            games=[root / "elsewhere" / "game"],
            house=[root / "house"],
        )

    def run(self, *argv: str) -> int:
        self.commands.append(argv[1:])
        if "compile" in argv:
            Path(argv[argv.index("--output-file") + 1]).touch()
        if "seed" in argv and self.code == 0:
            Path(argv[argv.index("--marker") + 1]).write_text(house_digest([self.options.root / "house"]))
        return self.code

    def steps(self) -> list[str]:
        """Return the names of the commands run since the last call."""
        verbs = [command[2] if command[0] == "-m" else command[1] for command in self.commands]
        self.commands.clear()
        return verbs


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    for folder in ("static", "locale/zh_Hans/LC_MESSAGES"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "static" / "page.css").write_text("body {}")
    (tmp_path / "locale/zh_Hans/LC_MESSAGES/django.po").write_text("")
    return Scene(tmp_path)


def test_first_start_runs_every_step(scene: Scene) -> None:
    scene.preparation.prepare_checkout()
    scene.preparation.seed()
    assert scene.steps() == ["migrate", "compile", "collectstatic", "seed"]


def test_second_start_only_migrates(scene: Scene) -> None:
    for _ in range(2):
        scene.steps()
        scene.preparation.prepare_checkout()
        scene.preparation.seed()
    assert scene.steps() == ["migrate"]


def test_new_database_gets_its_own_initial_content(scene: Scene) -> None:
    scene.preparation.seed()
    scene.steps()
    options = replace(scene.options, database_url="postgres://arena@database.example/arena")
    for expected in (["seed"], []):
        house = [scene.options.root / "house"]
        Preparation(options, say=scene.said.append, run=scene.run, house=house).seed()
        assert scene.steps() == expected


def test_changed_static_file_is_collected_again(scene: Scene) -> None:
    scene.preparation.prepare_checkout()
    scene.steps()
    (scene.options.root / "static" / "page.css").write_text("body { color: red }")
    scene.preparation.prepare_checkout()
    assert scene.steps() == ["migrate", "collectstatic"]


def test_game_adds_its_own_static_files_and_translations(scene: Scene) -> None:
    scene.preparation.prepare_checkout()
    scene.steps()
    game = scene.options.root / "elsewhere" / "game"
    catalog = game / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
    for path in (catalog, game / "static" / "game" / "view.js"):
        path.parent.mkdir(parents=True)
        path.write_text("")
    scene.preparation.prepare_checkout()
    assert str(catalog) in scene.commands[1]
    assert scene.steps() == ["migrate", "compile", "collectstatic"]


@pytest.mark.parametrize("code", [0, 1])
def test_machine_that_cannot_run_bots_is_reported_and_serves_the_site(scene: Scene, code: int) -> None:
    scene.code = code
    scene.preparation.check_jail()
    assert scene.steps() == ["status"]
    assert len(scene.said) == code


def test_failed_step_aborts_the_start_and_is_retried_at_the_next(scene: Scene) -> None:
    scene.code = 1
    with pytest.raises(StartupError, match=r"python manage\.py seed"):
        scene.preparation.seed()
    scene.code = 0
    scene.steps()
    scene.preparation.seed()
    assert scene.steps() == ["seed"]


def test_changed_house_bots_are_uploaded_at_the_next_start(scene: Scene) -> None:
    house = scene.options.root / "house"
    (house / "__pycache__").mkdir(parents=True)
    (house / "greedy.py").write_text("x = 1")
    scene.preparation.seed()
    scene.steps()

    def change(path: str, text: str) -> list[str]:
        (house / path).write_text(text)
        scene.preparation.seed()
        return scene.steps()

    assert change("greedy.py", "x = 1") == []  # rewritten with the same content, as a checkout does
    assert change("__pycache__/greedy.pyc", "compiled") == []
    assert change("greedy.py", "x = 2") == ["seed"]
    assert change("patient.py", "x = 2") == ["seed"]
    (house / "patient.py").rename(house / "slow.py")
    scene.preparation.seed()
    assert scene.steps() == ["seed"]


def test_site_seeded_without_digests_gets_the_new_bots(scene: Scene) -> None:
    (scene.options.var / "seeded").touch()
    scene.preparation.seed()
    assert scene.steps() == ["seed"]
    assert ["house bots" in one for one in scene.said] == [True]


def test_site_with_house_bots_starts_even_if_new_ones_cannot_be_stored(scene: Scene) -> None:
    scene.preparation.seed()
    scene.steps()
    (scene.options.root / "house").mkdir()
    (scene.options.root / "house" / "greedy.py").write_text("x = 1")
    scene.code = 1
    scene.preparation.seed()
    assert "the next start" in scene.said[-1]
    scene.code = 0
    scene.steps()
    scene.preparation.seed()
    assert scene.steps() == ["seed"]
