"""Log lines: what each holds, and when it is written."""

import asyncio
import json
import logging

import structlog

from service.base import logs


def test_a_line_says_what_happened_when_and_for_which_request(written):
    request = logs.begin_request()
    structlog.get_logger("shiplog").info("command", match="m_1", v=3, code=None)
    (line,) = written()
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "command", "match": "m_1", "v": 3, "code": None, "request": request,
        "level": "info",
    }  # fmt: skip


def test_the_lines_of_a_job_have_its_fields(written):
    with logs.joined(job="job_1", request="abc"):
        structlog.get_logger("shiplog").info("hint")
        assert logs.request_id() == "abc"
    structlog.get_logger("shiplog").info("idle")
    first, second = written()
    assert (first["job"], first["request"]) == ("job_1", "abc")
    assert "job" not in second


def test_a_bug_is_logged_with_its_traceback(written):
    structlog.get_logger("shiplog").error("bug", exc_info=KeyError("lost"))
    (line,) = written()
    assert "KeyError: 'lost'" in line["exception"]
    try:
        json.loads("{")
    except ValueError:
        structlog.get_logger("shiplog").exception("again")
    (line,) = written()
    assert (line["event"], line["level"]) == ("again", "error")
    assert "JSONDecodeError" in line["exception"]


def test_what_a_library_logs_is_a_line_of_the_same_form(written):
    logs.configure("info")
    logging.getLogger("rq.worker").warning("Worker %s: Redis connection timeout", "bots-1")
    try:
        json.loads("{")
    except ValueError:
        logging.getLogger("rq.worker").exception("quitting")
    first, second = written()
    assert (first["event"], first["logger"], first["level"]) == ("library", "rq.worker", "warning")
    assert first["message"] == "Worker bots-1: Redis connection timeout"
    assert (second["level"], second["message"]) == ("error", "quitting")
    assert "JSONDecodeError" in second["exception"]


def test_lines_below_the_level_are_left_out(written):
    logs.configure("warning")
    structlog.get_logger("shiplog").info("command")
    structlog.get_logger("shiplog").warning("feed")
    assert [line["event"] for line in written()] == ["feed"]


async def test_lines_of_the_event_loop_wait_for_others_but_warnings_do_not(written):
    log = structlog.get_logger("shiplog")
    with logs.LINES.batched():
        log.info("one")
        log.info("two")
        assert written() == []
        log.warning("three")
        assert [line["event"] for line in written()] == ["one", "two", "three"]
        log.info("four")
        await asyncio.sleep(2 * logs.FLUSH_S)
        assert [line["event"] for line in written()] == ["four"]


async def test_lines_of_a_thread_do_not_wait(written):
    with logs.LINES.batched():
        await asyncio.to_thread(structlog.get_logger("shiplog").info, "one")
        assert [line["event"] for line in written()] == ["one"]


async def test_nothing_is_lost_at_the_end(written):
    with logs.LINES.batched():
        structlog.get_logger("shiplog").info("stopped")
    assert [line["event"] for line in written()] == ["stopped"]
