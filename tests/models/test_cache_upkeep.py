"""`fairagents cache`: what is in a file, and that what is deleted is gone."""

import json
import sqlite3
import time

import pytest

from simulator.models.cache import ResponseCache, Stored
from simulator.models.cache_upkeep import prune
from tests.scenario_files import command

DAY = 86_400


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.delenv("FAIRAGENTS_CACHE", raising=False)
    path = tmp_path / "replies.sqlite"
    with ResponseCache(path) as cache:
        for n in range(6):
            cache.put(b"p%d" % n, 1, Stored("m1", f"{n}/1/tourist/propose", f"proposal {n}", 30, 7))
        cache.put(b"p0", 2, Stored("m1", "0/1/tourist/propose", "proposal 0 again", 30, 7))
        cache.put(b"r", 1, Stored("m1", "1/1/tourist/respond", "response", 10, 2))
        cache.put(b"a", 1, Stored("m2(temperature=0)", "llmfosa/gender/annotate", "guess about 4711", 100, 1))
        cache.used(b"a", 1)
        cache.used(b"a", 1)
    return path


def aged(path, days):
    """Let replies have been used last so many days ago, by key."""
    with sqlite3.connect(path) as connection:
        for key, age in days.items():
            used = int(time.time() - age * DAY)
            connection.execute("UPDATE replies SET first_used = ?, last_used = ? WHERE key = ?", (used, used, key))
    connection.close()


def left(path):
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT reply FROM replies ORDER BY reply").fetchall()
    connection.close()
    return [reply for (reply,) in rows]


def test_list_counts_by_model_and_task(path, capsys):
    code, printed, said = command(capsys, "cache", "list", path, "--json")
    assert (code, said) == (0, "")
    found = json.loads(printed)
    assert found["file"] == str(path)
    assert found["bytes"] == path.stat().st_size
    rows = [(row["model"], row["task"], row["replies"], row["hits"], row["tokens_saved"]) for row in found["replies"]]
    assert rows == [
        ("m1", "propose", 7, 0, 0),
        ("m1", "respond", 1, 0, 0),
        ("m2(temperature=0)", "annotate", 1, 2, 202),
    ]
    assert all(abs(row["first_used"] - time.time()) < 60 for row in found["replies"])
    _, printed, _ = command(capsys, "cache", "list", path)
    header, *table, total = printed.splitlines()
    assert header.split("  ")[0] == "model"
    assert [line.split()[:3] for line in table][2] == ["m2(temperature=0)", "annotate", "1"]
    assert total.startswith("9 replies, ")


def test_a_name_in_the_file_moves_no_cursor(path, capsys):
    with ResponseCache(path) as cache:
        cache.put(b"x", 1, Stored("\x1b[2Jm", "a/\x1b]0;x\x07", "said"))
    _, printed, _ = command(capsys, "cache", "list", path)
    assert "\x1b" not in printed
    assert "?[2Jm" in printed


def test_the_file_may_be_named_by_the_environment(path, capsys, monkeypatch):
    assert command(capsys, "cache", "list")[::2] == (2, "cache: name the file of replies, or set FAIRAGENTS_CACHE\n")
    monkeypatch.setenv("FAIRAGENTS_CACHE", str(path))
    assert command(capsys, "cache", "list")[1].splitlines()[-1].startswith("9 replies")


def test_no_command_makes_a_file(tmp_path, capsys):
    for name in ("list", "clear"):
        code, _, said = command(capsys, "cache", name, tmp_path / "none")
        assert (code, said) == (2, f"cache {tmp_path / 'none'}: there is no such file\n")
    assert list(tmp_path.iterdir()) == []


def test_prune_by_age_goes_by_the_last_use_of_a_question(path, capsys):
    aged(path, {b"p0": 40, b"p1": 40, b"r": 10})
    with sqlite3.connect(path) as connection:  # asked twice, and the second reply was used today
        connection.execute("UPDATE replies SET last_used = ? WHERE reply = 'proposal 0 again'", (int(time.time()),))
    connection.close()
    code, printed, _ = command(capsys, "cache", "prune", path, "--older-than", "30d")
    assert (code, printed.split(";")[0]) == (0, "1 reply deleted")
    assert "proposal 1" not in left(path)
    command(capsys, "cache", "prune", path, "--older-than", "9.5d")
    assert left(path) == [
        "guess about 4711",
        "proposal 0",
        "proposal 0 again",
        *(f"proposal {n}" for n in (2, 3, 4, 5)),
    ]


@pytest.mark.parametrize(
    ("options", "gone"),
    [
        (["--model", "m1"], 8),
        (["--model", "m2*"], 1),
        (["--model", "m2(temperature=0)"], 1),
        (["--purpose", "respond"], 1),
        (["--purpose", "0/1/tourist/propose"], 2),
        (["--purpose", "*/tourist/*"], 8),
        (["--purpose", "llmfosa/*"], 1),
        (["--model", "m2*", "--purpose", "propose"], 0),
        (["--older-than", "1h"], 0),
        (["--model", "m1", "--older-than", "0s"], 8),
    ],
)
def test_prune_deletes_what_all_options_name(path, capsys, options, gone):
    code, printed, _ = command(capsys, "cache", "prune", path, *options)
    assert (code, printed.split()[0], len(left(path))) == (0, str(gone), 9 - gone)


def test_prune_to_a_size_takes_the_longest_unused(path, capsys):
    with ResponseCache(path) as cache:
        for n in range(200):
            cache.put(b"big%d" % n, 1, Stored("m", "p", f"{n:03} " + "x" * 2000))
    aged(path, {b"big%d" % n: 1 + n for n in range(200)})
    code, _, _ = command(capsys, "cache", "prune", path, "--max-size", "200kB")
    assert code == 0
    assert 100_000 < path.stat().st_size <= 200_000
    kept = [int(reply[:3]) for reply in left(path) if "xx" in reply]
    assert kept == list(range(len(kept)))
    assert "proposal 1" in left(path)
    command(capsys, "cache", "prune", path, "--max-size", "1")
    assert left(path) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "cache prune: say what is to go by --older-than, --max-size, --model or --purpose; `cache clear` deletes"),
        (["--older-than", "30"], "--older-than 30: write a number and a unit, such as 30d or 12h"),
        (["--older-than", "-1d"], "--older-than -1d: write a number and a unit, such as 30d or 12h"),
        (["--max-size", "big"], "--max-size big: write a number and a unit, such as 100MB or 2GB"),
    ],
)
def test_prune_needs_something_that_it_understands(path, capsys, options, said):
    code, _, told = command(capsys, "cache", "prune", path, *options)
    assert (code, told.startswith(said), len(left(path))) == (2, True, 9)


@pytest.mark.parametrize("options", [["clear"], ["prune", "--purpose", "annotate"]])
def test_what_is_deleted_is_gone_from_the_disk_also_while_others_have_the_file_open(path, capsys, options):
    with ResponseCache(path) as other:
        other.put(b"late", 1, Stored("m2", "llmfosa/gender/annotate", "guess about 4712"))
        assert b"4712" in b"".join(file.read_bytes() for file in path.parent.iterdir())
        name, *rest = options
        assert command(capsys, "cache", name, path, *rest)[0] == 0
        assert b"471" not in b"".join(file.read_bytes() for file in path.parent.iterdir())
        assert other.get(b"late", 1) is None
        other.put(b"new", 1, Stored("m2", "p", "new"))
    assert "new" in left(path)


def test_what_is_deleted_is_overwritten_before_the_file_is_rebuilt(path):
    with ResponseCache(path) as cache, cache.connected() as connection:
        connection.execute("DELETE FROM replies WHERE key = ?", (b"p0",))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        written = path.read_bytes()
    assert b"proposal 1" in written
    assert b"proposal 0" not in written


def test_pruning_in_python_says_how_many(path):
    with ResponseCache(path) as cache:
        assert prune(cache, purpose="llmfosa/*") == 1
        assert prune(cache, purpose="llmfosa/*") == 0
