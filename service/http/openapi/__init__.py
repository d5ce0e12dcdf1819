"""The OpenAPI document: Litestar's paths, completed by the types of the games and the refusals."""
