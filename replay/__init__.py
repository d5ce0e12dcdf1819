"""Everything that replays a log: time travel, timelines, differences, audits, branches, files."""
