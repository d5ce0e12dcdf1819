"""What the verbs print of texts that others wrote."""

import io
import sys

import pytest
from rich.table import Table
from rich.text import Text

from service.cli.output import Terminal

HOSTILE = "Ada\x1b]0;owned\x07\x9b2J\r[red]x[/b]:smile:"
HARMLESS = r"Ada\x1b]0;owned\x9b2J[red]x[/b"
"""Rich leaves out the bell and the carriage return, and a table is too narrow for escapes."""


def table(text):
    grid = Table("name")
    grid.add_row(text)
    return grid


@pytest.mark.parametrize("shown", [str, Text, table])
def test_texts_neither_style_nor_control_the_terminal(shown, monkeypatch):
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    Terminal(width=200).print(shown(HOSTILE))
    assert HARMLESS in written.getvalue()
    assert not any(char in written.getvalue() for char in "\x1b\x07\x9b\r")


def test_line_feeds_and_tabs_are_printed(capsys):
    Terminal(width=200).print("one\n\ttwo")
    assert capsys.readouterr().out == "one\n        two\n"
