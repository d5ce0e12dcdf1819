"""What plays, advises and samples without a person."""
