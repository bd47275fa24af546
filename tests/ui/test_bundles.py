"""Each page loads its script's bundle and preloads what the bundle imports."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import Client
from pytest_django import Settings

from arena.platform import bundles


@pytest.fixture
def manifest(tmp_path: Path, settings: Settings) -> Path:
    settings.BUILD_DIR = tmp_path / "build"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    path = tmp_path / "build" / "static" / "bundle.json"
    path.parent.mkdir(parents=True)
    return path


def write_manifest(path: Path, modified: int = 1, **imports: list[str]) -> None:
    path.write_text(json.dumps({"imports": {f"{name}.js": found for name, found in imports.items()}, "styles": []}))
    os.utime(path, (modified, modified))


def render_template(template: str) -> str:
    return Template("{% load bundles %}" + template).render(Context())


def test_imports_of_a_module_are_preloaded(manifest: Path) -> None:
    write_manifest(manifest, page=["chunks/chunk.A.js", "chunks/chunk.B.js"])
    assert render_template('{% module "page.js" %}') == (
        '<link rel="modulepreload" href="/static/chunks/chunk.A.js">'
        '<link rel="modulepreload" href="/static/chunks/chunk.B.js">'
        '<script type="module" src="/static/page.js"></script>'
    )


def test_preloaded_module_includes_its_imports(manifest: Path) -> None:
    write_manifest(manifest, view=["chunks/chunk.A.js"])
    assert render_template('{% module_preload "view.js" %}') == (
        '<link rel="modulepreload" href="/static/view.js"><link rel="modulepreload" href="/static/chunks/chunk.A.js">'
    )


def test_new_bundle_manifest_is_reloaded(manifest: Path) -> None:
    write_manifest(manifest, modified=1, page=["chunks/chunk.A.js"])
    assert bundles.current_bundle().imports["page.js"] == ("chunks/chunk.A.js",)
    write_manifest(manifest, modified=2, page=[])
    assert bundles.current_bundle().imports["page.js"] == ()


def test_pages_load_sources_without_a_bundle(manifest: Path) -> None:
    assert not manifest.exists()
    assert render_template('{% module "page.js" %}') == '<script type="module" src="/static/page.js"></script>'


def test_page_loads_only_the_translations_of_its_modules(manifest: Path, client: Client) -> None:
    texts = {"page.js": ["Black"], "view.js": ["between names\4, "]}
    manifest.write_text(json.dumps({"imports": {}, "texts": texts, "styles": []}))
    address = render_template('{% module_texts "page.js" "view.js" %}').replace("&amp;", "&")
    assert address == "/i18n/catalog.js?module=page.js&module=view.js"

    def catalog(address: str) -> str:
        return client.get(address, headers={"accept-language": "zh-CN"}).content.decode()

    both = catalog(address)
    assert '"Black"' in both
    assert '"between names' in both
    assert '"White"' not in both
    assert '"between names' not in catalog("/i18n/catalog.js?module=page.js")
    for all_texts in ("/i18n/catalog.js", "/i18n/catalog.js?module=page.js&module=not-bundled.js"):
        assert '"White"' in catalog(all_texts)
