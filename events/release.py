"""The release that runs, as the log names it."""

from importlib.metadata import version

RELEASE = version("shiplog")
