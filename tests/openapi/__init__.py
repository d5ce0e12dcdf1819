"""The OpenAPI document compared with the last released one (docs/stability.md)."""
