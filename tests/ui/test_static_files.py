"""Static files are collected under hashed names, with compressed copies of text files."""

import json
import logging
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import FileSystemStorage
from django.template import Context, Template
from pytest_django import Settings

from arena.platform import bundles
from arena.ui.static_files import BundleManifestStorage, StaticFilesMiddleware


def collect_files(folder: Path, **files: str) -> BundleManifestStorage:
    """Store files as collectstatic does; in a name, ``__`` becomes a slash and ``_`` a dot."""
    here = FileSystemStorage(folder)
    names = {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
    for name, text in names.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    storage = BundleManifestStorage(location=folder, base_url="/static/")
    results = list(storage.post_process({name: (here, name) for name in names}))
    assert [error for _, _, error in results if isinstance(error, Exception)] == []
    return storage


def test_chunks_keep_their_names(tmp_path: Path) -> None:
    page = 'import{a}from"../chunks/chunk.ABCDEFGH.js";a();\n'
    storage = collect_files(tmp_path, js__page_js=page, chunks__chunk_ABCDEFGH_js="export{a};\n")
    assert storage.stored_name("chunks/chunk.ABCDEFGH.js") == "chunks/chunk.ABCDEFGH.js"
    hashed = storage.stored_name("js/page.js")
    assert hashed != "js/page.js"
    assert (tmp_path / hashed).read_text() == page
    assert (tmp_path / "chunks/chunk.ABCDEFGH.js").read_text() == "export{a};\n"


def test_source_maps_have_hashed_names(tmp_path: Path) -> None:
    storage = collect_files(
        tmp_path, page_js="run();\n//# sourceMappingURL=page.js.map\n", page_js_map='{"version": 3}'
    )
    text = (tmp_path / storage.stored_name("page.js")).read_text()
    assert f"sourceMappingURL={storage.stored_name('page.js.map')}" in text


def test_text_files_are_also_stored_compressed(tmp_path: Path) -> None:
    storage = collect_files(tmp_path, page_css="body { margin: 0 }\n" * 200)
    assert (tmp_path / f"{storage.stored_name('page.css')}.gz").exists()


@pytest.fixture
def collected_build(tmp_path: Path, settings: Settings) -> Path:
    """Return the build folder of a site whose collected page loads a script and its chunk."""
    build = tmp_path / "build"
    settings.BUILD_DIR, settings.STATIC_ROOT, settings.DEBUG = build, build / "collected", False
    write_manifest(build / "collected", "chunks/chunk.OLD.js")
    collect_files(build / "collected", js__page_js="run();\n", chunks__chunk_OLD_js="export {};\n")
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "arena.ui.static_files.BundleManifestStorage"},
    }
    assert staticfiles_storage.location == str(build / "collected")
    return build


def write_manifest(folder: Path, chunk: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / bundles.MANIFEST).write_text(json.dumps({"imports": {"js/page.js": [chunk]}, "styles": []}))


def render_template(template: str) -> str:
    return Template("{% load bundles static %}" + template).render(Context())


def test_running_site_keeps_its_bundle_during_a_rebuild(collected_build: Path) -> None:
    page = render_template('{% module "js/page.js" %}')
    assert "/static/chunks/chunk.OLD.js" in page
    write_manifest(collected_build / "static", "chunks/chunk.NEW.js")
    assert render_template('{% module "js/page.js" %}') == page
    write_manifest(collected_build / "collected", "chunks/chunk.NEW.js")
    (collected_build / "collected" / "staticfiles.json").unlink()
    assert render_template('{% module "js/page.js" %}') == page


def test_missing_static_file_is_logged_and_keeps_its_plain_url(
    collected_build: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        assert render_template("{% static 'js/newer.js' %}") == "/static/js/newer.js"
    assert "js/newer.js was not collected: restart the site" in caplog.text


@pytest.mark.usefixtures("collected_build")
def test_names_guessed_by_the_middleware_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A name that the middleware guesses is not logged if there is no such file.

    The middleware strips anything that may be a hash: ``select2.full.js`` becomes ``select2.js``.
    """
    hashed = StaticFilesMiddleware.get_static_url("js/page.js")
    assert hashed is not None
    assert hashed.startswith("/static/js/page.")
    assert StaticFilesMiddleware.get_static_url("js/guessed.js") is None
    assert caplog.text == ""
