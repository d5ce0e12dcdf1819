"""Bugs to plant: each replaces one line of the code while it is imported."""

import importlib.abc
import importlib.machinery
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent


class Plant(NamedTuple):
    """A bug: what it is, where, and the text that it replaces, which occurs once."""

    name: str
    path: str
    old: str
    new: str


LANE = "events/append_lane.py"
WRITER = "events/append_writer.py"
STORE = "events/redis_store.py"
MATCHES = "service/play/matches.py"
CACHE = "service/play/match_cache.py"
FOLDED = "projections/folded.py"
PROJECTOR = "service/play/projector.py"

PLANTS = (
    Plant(
        "acknowledge before the write",
        WRITER,
        "        self._waiting.append(write)\n",
        "        self._waiting.append(write)\n        write.done.set_result(None)\n",
    ),
    Plant(
        "skip the dedup",
        MATCHES,
        "if (version := trail.version_of(caller.player, key)) is not None:",
        "if (version := trail.version_of(caller.player, key)) == 0:",
    ),
    Plant(
        "drop the salt",
        FOLDED,
        "proof = digest(match, service_seed, self.head)",
        'proof = digest(match, b"", self.head)',
    ),
    Plant(
        "take a refusal for success",
        LANE,
        "elif found and _record(found) == write.data:",
        "elif found:",
    ),
    Plant(
        "forget a sync",
        "tests/simulation/world.py",
        "RedisModel(self.network, chance, durable=True)",
        "RedisModel(self.network, chance, durable=False)",
    ),
    Plant(
        "let the server choose the id",
        STORE,
        'entry = (b"0-%d" % version,',
        'entry = (b"*",',
    ),
    Plant(
        "append without its predecessor after a failover",
        LANE,
        "        if self._epochs.changes:\n",
        "        if self._epochs.changes < 0:\n",
    ),
    Plant(
        "skip WAIT", LANE, "if self._limits.replicas and written:", "if self._limits.replicas < 0:"
    ),
    Plant(
        "catch up from one record too late",
        CACHE,
        "for data in lines:",
        "for data in lines[1:]:",
    ),
    Plant(
        "number the records of a viewer from zero",
        FOLDED,
        "return ToldRecord(len(shown),",
        "return ToldRecord(len(shown) - 1,",
    ),
    Plant(
        "show everybody the commands of all",
        FOLDED,
        "own = viewer is not None and record.by.seat == viewer",
        "own = viewer is not None",
    ),
    Plant(
        "acknowledge what got no answer",
        WRITER,
        "        if self._reroute is not None and left:\n",
        "        for write in left:\n"
        "            write.settle(None)\n"
        "        if self._reroute is not None and left:\n",
    ),
    Plant(
        "accept too few replicas",
        LANE,
        "if count[0] < self._limits.replicas:",
        "if count[0] < 0:",
    ),
    Plant(
        "answer a repeated command from the present",
        MATCHES,
        "return _answer(then, viewer_then, then.latest[viewer_then])",
        "return _answer(cached.folded, viewer_then, then.latest[viewer_then])",
    ),
    Plant(
        "hand out the receipt of the record before",
        FOLDED,
        "return self.trail.head_at(shown[place - 1] if place else 0)",
        "return self.trail.head_at(shown[place - 1] - 1 if place else 0)",
    ),
    Plant(
        "decide two commands at once",
        MATCHES,
        "            async with cached.lock:\n                before",
        "            async with asyncio.Lock():\n                before",
    ),
    Plant(
        "strike deadlines early",
        "games/match/model.py",
        "return self.since + self.allowed",
        "return self.since + self.allowed // 2",
    ),
    Plant(
        "go by the own clock",
        "service/base/clock.py",
        "return local_micros() + correction.micros",
        "return local_micros()",
    ),
    Plant(
        "let time go back",
        MATCHES,
        "at = max(now_micros(), match.at)",
        "at = now_micros() - (match.version % 2) * 1_000_000",
    ),
    Plant(
        "move a bot twice",
        MATCHES,
        "if not is_current(cached.match, sent.actor.seat, version):",
        "if cached.match.version < version:",
    ),
    Plant(
        "announce nothing",
        MATCHES,
        "        await self._feed.announce(name, version)\n",
        "        await asyncio.sleep(0)\n",
    ),
    Plant(
        "look for an announced record once",
        PROJECTOR,
        "LOOK_AGAIN_S = 10.0\n",
        "LOOK_AGAIN_S = 0.0\n",
    ),
    Plant(
        "seek the earliest announced version",
        PROJECTOR,
        "self._sought[match] = (max(version, sought), until)",
        "self._sought[match] = (min(version, sought), until)",
    ),
)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with a bug in it."""

    def __init__(self, fullname: str, path: str, plant: Plant) -> None:
        super().__init__(fullname, path)
        self._plant = plant

    def get_code(self, fullname: str) -> Any:
        text = Path(self.path).read_text()
        assert text.count(self._plant.old) == 1, f"{self._plant.name}: not one such line"
        return compile(text.replace(self._plant.old, self._plant.new), self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the module that gets the bug."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant
        self._name = plant.path.removesuffix(".py").replace("/", ".")

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != self._name:
            return None
        loader = _Loader(fullname, str(ROOT / self._plant.path), self._plant)
        return importlib.machinery.ModuleSpec(fullname, loader, origin=loader.path)


def plant(name: str) -> None:
    """Plant a bug in modules that are imported from now on."""
    (chosen,) = (one for one in PLANTS if one.name == name)
    sys.meta_path.insert(0, _Finder(chosen))
