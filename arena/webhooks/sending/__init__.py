"""Send signed HTTP requests to untrusted addresses. Pure: no framework, no database."""
