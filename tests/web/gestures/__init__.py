"""How people move on the boards: a game a module, each with the gestures of its board."""
