"""Static files under names that hold their hash."""

from pathlib import Path

from django.core.files.storage import FileSystemStorage

from arena.pages.storage import ModuleManifestStorage

DEPTH = 12


def test_a_long_chain_of_imports_is_rewritten_to_its_end(tmp_path: Path) -> None:
    """Deeper files come first: here each before the one that it imports, the worst of all orders."""
    names = ["/".join(["deeper"] * depth + ["module.js"]) for depth in range(DEPTH)]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('import "../module.js";\n' if "/" in name else "export {};\n")
    here = FileSystemStorage(tmp_path)
    storage = ModuleManifestStorage(location=tmp_path, base_url="/static/")

    results = list(storage.post_process({name: (here, name) for name in names}))

    assert [error for _, _, error in results if isinstance(error, Exception)] == []
    for importer, imported in zip(names[1:], names, strict=False):
        hashed = Path(storage.stored_name(imported)).name
        assert f'"../{hashed}"' in (tmp_path / storage.stored_name(importer)).read_text()
