"""The progress bars of verbs that go through all matches."""

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TimeRemainingColumn(),
)
