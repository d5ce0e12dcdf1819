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
        "ids.get((caller.player, key))) is not None:",
        "ids.get((caller.player, key))) == 0:",
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
        "check a log only once after a failover",
        LANE,
        "epochs.verified.get(write.key) != write.before",
        "write.key not in epochs.verified",
    ),
    Plant(
        "skip WAIT", LANE, "if self._limits.replicas and written:", "if self._limits.replicas < 0:"
    ),
    Plant(
        "ignore the count of WAIT", LANE, "if count[0] < self._limits.replicas:", "if not count:"
    ),
    Plant(
        "go on with the connection of a failed batch",
        WRITER,
        "if not isinstance(error, TooFewReplicas):",
        "if isinstance(error, TooFewReplicas):",
    ),
    Plant(
        "answer a repeated command as of now",
        MATCHES,
        "lines = (await self._cache.lines(cached))[:version]\n        viewer_then",
        "lines = await self._cache.lines(cached)\n        viewer_then",
    ),
    Plant(
        "catch up from one record too late",
        CACHE,
        "lines = await self._read(name, cached.folded.version)",
        "lines = await self._read(name, cached.folded.version + 1)",
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
        "forget announcements during an outage",
        "service/play/feed.py",
        "                self._missed.update(announcements)\n",
        "",
    ),
    Plant(
        "take wiped rows for complete",
        PROJECTOR,
        "if await self.rows.is_complete(generation):",
        "if generation:",
    ),
    Plant(
        "apply deadlines early",
        "games/match/due.py",
        "return self.at <= max(now, match.at)",
        "return self.at <= max(now + 3_000_000, match.at)",
    ),
    Plant(
        "trust the own clock",
        "service/base/clock.py",
        "return local_micros() + correction.micros",
        "return local_micros()",
    ),
    Plant(
        "apply deadlines by a clock that is far off",
        MATCHES,
        "now = now_micros() if correction.bounded else cached.match.at",
        "now = now_micros() - correction.micros",
    ),
    Plant(
        "wake a clock only once",
        "service/worker/scheduler.py",
        "LATE_S = 5.0",
        "LATE_S = 5_000.0",
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
