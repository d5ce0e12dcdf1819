"""Tools that nobody here wrote, on the OpenAPI document and on a service that runs."""
