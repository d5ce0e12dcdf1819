"""What every other room needs: settings, problems, clock, keys, logs, metrics, traces, rules."""
