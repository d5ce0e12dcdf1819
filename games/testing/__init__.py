"""What a game's tests are written with: `Given`, and the laws that every game obeys.

A test module of a game runs the laws so, beside fixtures `game` and `laws`:
`from games.testing.suite import *`. See docs/tutorial-game.md.
"""
