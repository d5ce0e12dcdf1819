"""What is re-run: time travel, timelines, differences, audits, and logs that come and go as files."""
