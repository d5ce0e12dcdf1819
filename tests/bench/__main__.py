"""All figures, with the machine's facts: `make bench`. Ratios hold where absolute numbers don't."""

import os
import platform
import subprocess

from service.embedded.servers import find_binary
from tests.bench import (
    bench_abuse,
    bench_append,
    bench_audit,
    bench_checkpoints,
    bench_deadlines,
    bench_hints,
    bench_http,
    bench_peers,
    bench_processes,
    bench_projector,
    bench_pure,
    bench_rebuild,
    bench_shared_analysis,
    bench_start,
    bench_states,
    bench_store,
    bench_travel,
)


def main() -> None:
    """Print everything."""
    version = subprocess.run(
        [find_binary(), "--version"], capture_output=True, text=True, check=True
    ).stdout
    processor = platform.processor() or platform.machine()
    print(f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(version.split(" sha=")[0].strip())
    for name, bench in (
        ("HTTP, appendfsync always", bench_http),
        ("HTTP beside boardgame.io", bench_peers),
        ("two processes behind one port", bench_processes),
        ("grouped appends", bench_append),
        ("the pure core", bench_pure),
        ("states and drafts", bench_states),
        ("audits", bench_audit),
        ("audits of a store", bench_store),
        ("rows built anew", bench_rebuild),
        ("rows during play", bench_projector),
        ("the checkpoint log", bench_checkpoints),
        ("time travel", bench_travel),
        ("deadlines", bench_deadlines),
        ("hints", bench_hints),
        ("analyses by two workers", bench_shared_analysis),
        ("hostile guests", bench_abuse),
        ("starts", bench_start),
    ):
        print(f"\n-- {name}")
        bench.main()


if __name__ == "__main__":
    main()
