"""Static files under names that hold their hash, so that browsers keep them for ever."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    """Also rewrites the imports between JavaScript modules."""

    support_js_module_import_aggregation = True
