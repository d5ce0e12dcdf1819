"""Charts: cells in rows and columns with names at the edges, as boards draw their seas."""

from collections.abc import Callable, Iterable, Sequence

from rich.table import Table
from rich.text import Text


def column_name(column: int) -> str:
    """Name a column: A to Z, then AA."""
    return chr(65 + column) if column < 26 else f"A{chr(65 + column - 26)}"


def cell_name(cell: Sequence[int]) -> str:
    """Name a cell whose columns and rows count from 0, such as C2."""
    return f"{column_name(cell[0])}{cell[1] + 1}"


def chart(
    columns: Sequence[int], rows: Iterable[int], cell: Callable[[int, int], str | Text]
) -> Table:
    """Draw cells by column and row, both from 0. Rows are drawn in the given order."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("", justify="right", style="dim")
    for column in columns:
        table.add_column(column_name(column), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(str(row + 1), *(cell(column, row) for column in columns))
    return table


def facts(pairs: Iterable[tuple[str, str | Text]]) -> Table:
    """Draw lines with a label each. Lines without text are left out."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="dim")
    table.add_column()
    for label, text in pairs:
        if text:
            table.add_row(Text(label), text)
    return table
