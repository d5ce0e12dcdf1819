"""What every other room of the service needs: settings, secrets, clock, logs, metrics, problems."""
