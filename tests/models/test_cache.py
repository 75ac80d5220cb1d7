"""The file of the response cache: who may read it, who shares it, what survives, what is refused."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time

import pytest

from simulator.inputs.failures import wrong_input
from simulator.inputs.yamlfile import InputError
from simulator.models.cache import ResponseCache, Stored
from simulator.models.cache_file import VERSION


@pytest.fixture
def path(tmp_path):
    return tmp_path / "replies.sqlite"


def stored(text="said"):
    return Stored("m", "1/1/tourist/propose", text, 3, 4)


def refused(path, **options):
    with pytest.raises(InputError) as caught:
        ResponseCache(path, **options)
    (line,) = wrong_input(caught.value)
    assert line.startswith(f"cache {path}: ")
    return line.removeprefix(f"cache {path}: ")


def test_only_its_owner_may_read_it_and_the_files_beside_it(path):
    before = os.umask(0)
    try:
        with ResponseCache(path) as cache:
            cache.put(b"k", 1, stored())
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}
    assert path.name in modes


def test_a_link_to_a_file_that_is_not_there_yet_makes_it_private_too(tmp_path, path):
    path.symlink_to(tmp_path / "target")
    ResponseCache(path).close()
    assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == 0o600


def test_it_is_made_and_opened_again(path):
    with ResponseCache(path) as cache:
        assert cache.get(b"k", 1) is None
        assert cache.put(b"k", 1, stored()) == stored()
    with ResponseCache(path) as cache:
        assert cache.get(b"k", 1) == stored()
        assert cache.get(b"k", 2) is None
    assert [file.name for file in path.parent.iterdir()] == [path.name]  # no log is left behind


def test_the_reply_that_was_first_is_the_one_that_counts(path):
    with ResponseCache(path) as one, ResponseCache(path) as other:
        assert one.put(b"k", 1, stored("first")) == stored("first")
        assert other.put(b"k", 1, stored("second")) == stored("first")
        assert other.put(b"k", 1, stored("third"), instead=True) == stored("third")
        assert one.get(b"k", 1) == stored("third")


def test_a_row_that_nobody_here_wrote_is_no_reply(path):
    with ResponseCache(path) as cache:
        cache.put(b"k", 1, stored())
        with cache.connected() as connection:
            connection.execute("UPDATE replies SET prompt_tokens = 'many'")
        assert cache.get(b"k", 1) is None
        assert cache.put(b"k", 1, stored("anew")) == stored("anew")


def test_an_empty_file_becomes_a_cache(path):
    path.touch()
    with ResponseCache(path) as cache:
        assert cache.put(b"k", 1, stored()) == stored()


@pytest.mark.parametrize("content", [b"rounds,slate\n" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_cache_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    assert refused(path) == "is no response cache, or a damaged one; name another file, or delete it"
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_alone(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE replies (key)")
    connection.close()
    before = path.read_bytes()
    assert refused(path) == "is another program's SQLite file and no response cache; name another file"
    assert path.read_bytes() == before


def test_a_cache_of_a_newer_program_is_refused(path):
    ResponseCache(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    said = f"is of version {VERSION + 1}, newer than this program's {VERSION}; update it or name another"
    assert refused(path) == said


def test_a_cache_without_its_table_is_refused(path):
    ResponseCache(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE replies")
    connection.close()
    assert refused(path) == "cannot be used (no such table: replies); name another file"


def test_places_without_a_cache_are_refused(tmp_path, path):
    assert refused(tmp_path) == f"is a folder; name a file, such as {tmp_path / 'replies.sqlite'}"
    assert refused(tmp_path / "x" / "y") == f"there is no folder '{tmp_path / 'x'}'; make it first"
    assert refused(path, create=False) == "there is no such file"
    assert not path.exists()
    assert refused(tmp_path / ("x" * 300)) == "cannot be used (File name too long); name another"
    with pytest.raises(InputError, match="cannot be used"):
        ResponseCache(tmp_path / "x\0")
    os.mkfifo(path)
    assert refused(path) == "is no ordinary file; name another"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no place that nobody can write to")
def test_a_place_that_cannot_be_written_to_is_refused():
    from pathlib import Path

    assert refused(Path("/proc/replies.sqlite")) == "cannot be used (No such file or directory); name another"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_file_that_cannot_be_written_to_is_refused(path):
    ResponseCache(path).close()
    path.chmod(0o400)
    assert refused(path) == "cannot be written to; name another place"


def test_a_file_that_fails_later_costs_no_reply_and_is_said_once(path, caplog):
    with ResponseCache(path) as cache:
        cache.put(b"k", 1, stored())
        with cache.connected() as connection:
            connection.execute("DROP TABLE replies")
        for number in (1, 2, 3):
            assert cache.get(b"k", number) is None
            assert cache.put(b"k", number, stored()) == stored()
    assert [record.getMessage() for record in caplog.records] == [
        f"the response cache {path} fails (no such table: replies); models are asked without it from now on"
    ]


def test_damage_in_the_middle_of_the_file_is_no_reply(path, caplog):
    with ResponseCache(path) as cache:
        for number in range(200):
            cache.put(b"k", number, stored("x" * 1000))
    damaged = path.read_bytes()
    half = len(damaged) // 2
    path.write_bytes(damaged[:half] + b"\xff" * half)
    with ResponseCache(path) as cache:
        assert all(cache.get(b"k", number) in (None, stored("x" * 1000)) for number in range(200))
    assert len(caplog.records) == 1
    path.write_bytes(damaged[:4096] + b"\xff" * (len(damaged) - 4096))
    assert refused(path) == "is no response cache, or a damaged one; name another file, or delete it"


PUT = """
import sys
from simulator.models.cache import ResponseCache, Stored
name, count = sys.argv[2], int(sys.argv[3])
with ResponseCache(sys.argv[1]) as cache:
    for n in range(count):
        key = n.to_bytes(4, "big")
        kept = cache.put(key, 1, Stored(name, "p", f"{name} {n}"))
        assert cache.get(key, 1) == kept
        print(kept.reply, flush=True)
"""


def start(path, name, count):
    return subprocess.Popen(
        [sys.executable, "-c", PUT, str(path), name, str(count)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_processes_share_a_file_from_its_first_moment(path):
    started = [start(path, name, 150) for name in ("a", "b")]
    ended = [process.communicate(timeout=60) for process in started]
    assert [said for _, said in ended] == [b""] * 2
    assert len({out for out, _ in ended}) == 1  # each got the reply that was first, whoever asked
    with ResponseCache(path) as cache, cache.connected() as connection:
        assert connection.execute("SELECT count(*) FROM replies").fetchone() == (150,)


def test_a_kill_leaves_every_reply_that_had_arrived(path):
    process = start(path, "a", 10**6)
    assert process.stdout is not None
    heard = [process.stdout.readline().decode().strip() for _ in range(50)]
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    with ResponseCache(path) as cache:
        kept = [cache.get(n.to_bytes(4, "big"), 1) for n in range(50)]
        assert [reply.reply for reply in kept] == heard
        with cache.connected() as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_threads_share_one_cache(path):
    with ResponseCache(path) as cache:

        def work(name):
            for n in range(100):
                key = n.to_bytes(4, "big")
                cache.put(key, 1, stored(name))
                cache.used(key, 1)
                assert cache.get(key, 1) is not None

        threads = [threading.Thread(target=work, args=(str(i),)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with cache.connected() as connection:
            assert connection.execute("SELECT count(*), sum(hits) FROM replies").fetchone() == (100, 400)


def test_a_fork_uses_a_connection_of_its_own(path):
    script = """
import os, sys
from simulator.models.cache import ResponseCache, Stored
cache = ResponseCache(sys.argv[1])
cache.put(b"k", 1, Stored("m", "p", "parent"))
parents = cache._connection
child = os.fork()
if child == 0:
    seen = cache.get(b"k", 1).reply
    cache.put(b"c", 1, Stored("m", "p", "child"))
    os._exit(0 if seen == "parent" and cache._connection is not parents else 1)
code = os.waitpid(child, 0)[1]
assert code == 0, code
assert cache.get(b"c", 1).reply == "child"
cache.close()
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_cache_that_is_busy_is_waited_for(path):
    with ResponseCache(path) as cache:
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.3, lambda: other.execute("COMMIT")).start()
        began = time.monotonic()
        assert cache.put(b"k", 1, stored()) == stored()
        assert time.monotonic() - began > 0.2
        assert cache.get(b"k", 1) == stored()
        other.close()


def test_opening_and_listing_need_no_autogen(path):
    code = (
        "import sys\nfrom simulator.models.cache import ResponseCache, cached\n"
        "from simulator.models.budget import Budget, budgeted\n"
        "from simulator.models.relays import Relays\nfrom simulator.models.cache_upkeep import holdings\n"
        "with ResponseCache(sys.argv[1]) as cache: holdings(cache)\n"
        "print([name for name in ('autogen_core', 'numpy', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
