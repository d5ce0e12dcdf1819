"""Words that mean the same in every type and call."""

from collections import defaultdict

GLOSSARY = defaultdict(str)
