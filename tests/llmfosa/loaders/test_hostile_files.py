import pytest

from simulator.inputs.yamlfile import InputError
from simulator.llmfosa.loaders import PRESETS, lastfm_360k, load
from tests.llmfosa.loaders.made_up_files import FILES, LATIN, ML_1M_SPLIT, write

PLAYS, PROFILE = FILES["lastfm-360k"]
WRONG = [
    # preset, file, its content, the place, part of the message
    ("ml-1m", "users.dat", "1::F::18::4\n", "users.dat:1", "has 4 fields; a line holds 5"),
    ("ml-1m", "users.dat", "1::F::18::4::2\n1::M::18::4::2\n", "users.dat:2", "user '1' stands twice"),
    ("ml-1m", "users.dat", "1::X::18::4::2\n", "users.dat:1", "must be F, M or empty (found 'X')"),
    ("ml-1m", "users.dat", "1::F::old::10::2\n", "users.dat:1", "age must be a number (found 'old')"),
    ("ml-1m", "users.dat", "1::F::1::21::2\n", "users.dat:1", "whole number of 0 to 20"),
    ("ml-1m", "movies.dat", "", "movies.dat", "is empty"),
    ("ml-1m", "movies.dat", "7::A\tB::Drama\n", "movies.dat:1", "holds a tab"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n4::7::5::1\n", "ratings.dat:2", "user '4' is not in users.dat"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n1::70::5::1\n", "ratings.dat:2", "item '70' is not in movies.dat"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n1::8::good::1\n", "ratings.dat:2", "must be a number (found 'good')"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n1::8::inf::1\n", "ratings.dat:2", "must be a number"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n1::8::::1\n", "ratings.dat:2", "must be a number (found '')"),
    ("ml-1m", "ratings.dat", "1::7::0::1\n", "ratings.dat:1", "greater than 0"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n2::7::5::1\n1::7::4::2\n", "ratings.dat:3", "stands twice"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n\n1::8::4::2\n", "ratings.dat:2", "has 1 field"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n1::8\0::4::2\n", "ratings.dat:2", "NUL"),
    ("ml-1m", "ratings.dat", "1::7::5::1\n1::8::5::1\n", "ml-1m", "1 user and 2 items"),
    ("ml-100k", "u.data", "1002\t2001\t3\n", "u.data:1", "has 3 fields; a line holds 4"),
    ("ml-100k", "u.item", "2001|A|d||u|" + "|".join(["2"] * 19) + "\n", "u.item:1", "0 or 1"),
    ("recbole", "made-up.inter", "user_id:token\trating:float\n1\t2\n", "made-up.inter:1", "no column 'item_id'"),
    ("recbole", "made-up.inter", "user_id\titem_id\n1\t2\n", "made-up.inter:1", "is not name:type"),
    ("recbole", "made-up.inter", "user_id:token\titem_id:token\n", "made-up.inter:1", "has no rows"),
    (
        "recbole",
        "made-up.inter",
        "user_id:token\titem_id:token\n1002\t2001\n\t2002\n",
        "made-up.inter:3",
        "user_id is empty",
    ),
    ("recbole", "made-up.user", b"user_id:token\n1002\n18\xff\n", "made-up.user:3", "not UTF-8 text (byte 0xff)"),
    ("pairs", "train.txt", "0 0 1\n1 1 2\n0 0\n2 1\n", "train.txt:3", "item '0' stands twice"),
    ("pairs", "test.txt", "0 2\n1 1\n", "test.txt:2", "item '1' stands twice"),
    ("pairs", "test.txt", "0 2\n7 1\n", "pairs", "user '7' is in the test part but has no training"),
    ("pairs", "test.txt", " \n", "test.txt:1", "no interactions"),
    ("pairs", "user_map.txt", "a 0\nb 1\n", "train.txt:3", "user '2' is not in user_map.txt"),
    ("pairs", "user_map.txt", "a 0\nb\n", "user_map.txt:2", "has 1 word; a line is: original index"),
    ("pairs", "user_map.txt", "a 0\nb 0\n", "user_map.txt:2", "index '0' stands twice"),
    ("csv", "interactions.csv", "person,item\na,x\n", "interactions.csv:1", "has no column 'user'"),
    ("csv", "interactions.csv", "user,item\na,x\na\n", "interactions.csv:3", "has 1 field, the header has 2"),
    (
        "csv",
        "interactions.csv",
        "user,item,rating\nann,x,1\nann,y,lots\n",
        "interactions.csv:3",
        "rating must be a number",
    ),
    ("csv", "users.csv", "user,age\nann,young\nbob,3\n", "users.csv:2", "age must be a number (found 'young')"),
    ("csv", "users.csv", "user,age\nann,4\n", "interactions.csv:5", "user 'bob' is not in users.csv (and 1 more line)"),
    ("lastfm-360k", PLAYS, "aa\tm\tn\t1\nzz\tm\tn\t1\n", f"{PLAYS}:2", f"user 'zz' is not in {PROFILE}"),
    ("lastfm-360k", PLAYS, "aa\tm\tn\t1\naa\t\t\t1\n", f"{PLAYS}:2", "neither an artist's id nor a name"),
    ("lastfm-360k", PLAYS, "aa\tm\tn\t-1\n", f"{PLAYS}:1", "plays must be within 0"),
    ("csv", "interactions.csv", "user,item,rating\nann,x,1e300\n", "interactions.csv:2", "at most 1e+30"),
    ("csv", "interactions.csv", "user,item,rating\nann,x,1e-300\n", "interactions.csv:2", "greater than 0"),
    ("csv", "users.csv", 'user,town\nann,"a\nb"\nbob,c\n', "csv", "a value of 'town' holds a control"),
]


def refused(preset, folder):
    with pytest.raises(InputError) as error:
        load(preset, folder)
    (problem,) = error.value.problems
    return problem


def read_or_refused(preset, folder):
    try:
        return load(preset, folder)
    except InputError as error:
        return error


@pytest.mark.parametrize(("preset", "file", "content", "place", "message"), WRONG)
def test_a_wrong_file_gets_one_message_with_its_place(tmp_path, preset, file, content, place, message):
    folder = tmp_path / preset
    folder.mkdir()
    write(folder, {**FILES[preset], file: content}, "latin-1" if preset in LATIN else "utf-8")
    problem = refused(preset, folder)
    assert problem.place.endswith(f"{preset}/{place}" if place != preset else preset)
    assert message in problem.message


@pytest.mark.parametrize("preset", sorted(FILES))
def test_the_files_are_right_before_they_are_made_wrong(tmp_path, preset):
    data = load(preset, write(tmp_path, FILES[preset], "latin-1" if preset in LATIN else "utf-8"))
    assert data.name == preset


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - {"synthetic"}))
def test_an_empty_folder_is_told_which_file_is_missing(tmp_path, preset):
    problem = refused(preset, tmp_path)
    assert str(tmp_path) in problem.place
    assert any(word in f"{problem}" for word in ("cannot be read", "is missing", "0 files *.inter"))


def test_half_of_the_published_split_is_refused(tmp_path):
    files = {name: text for name, text in ML_1M_SPLIT.items() if name != "colakg_item_map.txt"}
    assert refused("ml-1m", write(tmp_path, files, "latin-1")).place.endswith("colakg_item_map.txt")


def test_an_unknown_preset_suggests_the_nearest(tmp_path):
    assert "did you mean 'ml-1m'?" in refused("ml1m", tmp_path).message


def test_a_folder_that_is_none_says_which_files_are_expected(tmp_path):
    assert "expects u.data, u.user and u.item" in refused("ml-100k", tmp_path / "nowhere").message
    assert "expects train.txt" in refused("pairs", None).message


def test_a_line_keeps_its_number_in_later_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(lastfm_360k, "_BLOCK", 15)
    lines = "aa\tm1\tn\t1\n" * 5 + "aa\tm1\tn\tmany\n"
    problem = refused("lastfm-360k", write(tmp_path, {**FILES["lastfm-360k"], PLAYS: lines}))
    assert problem.place.endswith(f"{PLAYS}:6")


@pytest.mark.parametrize("cut", [1, 7, 30, 60, -3])
@pytest.mark.parametrize("preset", sorted(FILES))
def test_files_cut_off_anywhere_are_read_or_refused(tmp_path, preset, cut):
    encoding = "latin-1" if preset in LATIN else "utf-8"
    for name, text in FILES[preset].items():
        write(tmp_path, {**FILES[preset], name: text.encode(encoding)[:cut]}, encoding)
        outcome = read_or_refused(preset, tmp_path)
        assert len(outcome.problems) == 1 if isinstance(outcome, InputError) else min(outcome.shape) >= 2
