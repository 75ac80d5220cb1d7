import pytest

from simulator.llmfosa.loaders import lastfm_360k, load
from tests.llmfosa.loaders.made_up_files import FILES, LASTFM, PAIRS, PLAIN, write


def whole(data):
    return (data.train + data.valid + data.test).toarray()


def test_plain_csv_reads_ratings_times_attributes_and_titles(tmp_path):
    data = load("csv", write(tmp_path, PLAIN))
    assert data.users == ("bob", "ann")
    assert whole(data).tolist() == [[2, 0, 1], [5, 3, 4]]
    assert data.times.toarray()[1].tolist() == [30, 20, 10]
    assert data.titles == ("Storm, The (1999)", "Yes (2001)", "Zoo (1987)")
    assert data.genres == (("War", "Drama"), ("Comedy",), ())
    assert data.attributes["gender"].codes.tolist() == [1, 0]
    assert data.attributes["age"].codes.tolist() == [6, 0]
    assert data.attributes["town"].values == ("Oslo",)
    assert data.attributes["town"].codes.tolist() == [0, -1]


def test_plain_csv_without_ratings_counts_every_line_once_and_takes_ids_as_titles(tmp_path):
    data = load("csv", write(tmp_path, {"interactions.csv": "item,user\n10,b\n9,a\n10,a\n"}))
    assert (data.users, data.items, data.titles) == (("a", "b"), ("9", "10"), ("9", "10"))
    assert whole(data).tolist() == [[1, 1], [0, 1]]
    assert data.times is None


def test_recbole_files_of_any_name_are_read(tmp_path):
    data = load("recbole", write(tmp_path, FILES["recbole"]))
    assert data.users == ("1002", "1001")
    assert whole(data).tolist() == [[3, 0], [0, 3]]
    assert data.attributes["occupation"].values == ("cook", "writer")


def test_pairs_keep_their_split_and_take_names_from_maps_and_attributes_from_a_csv(tmp_path):
    maps = {
        "user_map.txt": "org_id remap_id\nzoe 0\nyan 1\nxim 2\n",
        "item_map.txt": "i9 1\ni8 0\ni7 2\n",
        "users.csv": "user,gender\nxim,F\nzoe,M\n",
        "items.csv": "item,title\ni9,Nine\n",
    }
    data = load("pairs", write(tmp_path, {**PAIRS, **maps}))
    assert (data.users, data.items) == (("zoe", "yan", "xim"), ("i8", "i9", "i7"))
    assert data.train.toarray().tolist() == [[1, 1, 0], [0, 1, 1], [1, 0, 0]]
    assert (data.valid + data.test).toarray().tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert data.attributes["gender"].codes.tolist() == [1, -1, 0]
    assert data.titles == ("i8", "Nine", "i7")


def test_pairs_without_a_test_part_are_split_by_seed(tmp_path):
    lines = "\n".join(f"{user} {' '.join(map(str, range(20)))}" for user in range(10))
    data = load("pairs", write(tmp_path, {"train.txt": lines}))
    assert (data.train.nnz, data.valid.nnz + data.test.nnz) == (160, 40)


def test_lastfm_adds_up_lines_that_stand_twice_and_names_artists_without_id(tmp_path):
    data = load("lastfm-360k", write(tmp_path, LASTFM))
    assert data.users == ("aa", "bb", "cc")
    assert data.items == ("m1", "No Id", "m2")
    assert data.titles == ("The Émigrés", "No Id", "Rare")
    assert whole(data).tolist() == [[10, 4, 0], [9, 3, 0], [0, 0, 1]]
    assert data.attributes["gender"].codes.tolist() == [1, 0, -1]
    assert data.attributes["age"].codes.tolist() == [1, -1, -1]
    assert data.attributes["country"].values == ("Germany", "Japan", "Peru")


def test_the_core_leaves_out_who_has_too_little_until_all_have_enough(tmp_path):
    data = load("lastfm-360k", write(tmp_path, LASTFM), core=2)
    assert (data.users, data.items) == (("aa", "bb"), ("m1", "No Id"))
    assert data.attributes["gender"].codes.tolist() == [1, 0]
    assert data.titles == ("The Émigrés", "No Id")


@pytest.mark.parametrize("size", [1, 20, 40])
def test_blocks_of_any_size_read_the_same(tmp_path, monkeypatch, size):
    at_once = load("lastfm-360k", write(tmp_path, LASTFM))
    monkeypatch.setattr(lastfm_360k, "_BLOCK", size)
    in_blocks = load("lastfm-360k", tmp_path)
    assert in_blocks.items == at_once.items
    assert whole(in_blocks).tolist() == whole(at_once).tolist()


def test_a_title_is_one_line_whatever_stands_in_the_file(tmp_path):
    items = 'item,title\nx,"Two\nlines\x1b[2J"\ny,Yes\nz,Zoo\n'
    assert load("csv", write(tmp_path, {**PLAIN, "items.csv": items})).titles[0] == "Two lines [2J"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path):
    files = {
        name: "\ufeff" * (name[-5:] == "inter") + text.replace("\n", "\r\n") for name, text in FILES["recbole"].items()
    }
    data = load("recbole", write(tmp_path, files))
    assert data.items == ("2001", "2002")
    assert data.genres[1] == ("Crime", "Film-Noir")
    assert whole(data).tolist() == [[3, 0], [0, 3]]
