import numpy as np

from simulator.llmfosa.loaders import load
from tests.llmfosa.loaders.made_up_files import ATOMIC, ML_1M, ML_1M_SPLIT, ML_100K, write


def whole(data):
    return (data.train + data.valid + data.test).toarray()


def test_ml_1m_gives_ratings_titles_genres_times_and_attributes(tmp_path):
    data = load("ml-1m", write(tmp_path, ML_1M, "latin-1"))
    assert data.users == ("1", "2", "3")
    assert data.items == ("7", "8")  # nobody has seen 9
    assert data.titles == ("Été à la mer, L' (1995)", "Two: The Return (1990)")
    assert data.genres == (("Drama", "Romance"), ("Action",))
    assert whole(data).tolist() == [[5, 3], [4, 1], [0, 2]]
    assert data.times.toarray()[0].tolist() == [1100000100, 1100000200]
    gender, age, job = (data.attributes[name] for name in ("gender", "age", "occupation"))
    assert [gender.values[code] for code in gender.codes] == ["M", "F", "F"]
    assert [age.values[code] for code in age.codes] == ["56 or older", "under 18", "25-34"]
    assert [job.values[code] for code in job.codes] == ["K-12 student", "scientist", "self-employed"]


def test_ml_1m_takes_the_published_split_and_its_maps_where_they_are(tmp_path):
    data = load("ml-1m", write(tmp_path, {**ML_1M_SPLIT, "ratings.dat": "not read"}, "latin-1"), seed=3)
    assert data.users == ("3", "1", "2")
    assert data.items == ("8", "7", "9")
    assert data.titles[1] == "Été à la mer, L' (1995)"
    assert data.train.toarray().tolist() == [[1, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert (data.valid + data.test).toarray().tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert data.attributes["gender"].codes.tolist() == [0, 1, 0]
    assert data.times is None


def test_ml_100k_reads_the_published_files_and_puts_ages_into_the_bands_of_ml_1m(tmp_path):
    data = load("ml-100k", write(tmp_path, ML_100K, "latin-1"))
    assert data.users == ("1001", "1002")
    assert data.titles == ("Low Tide (1996)", "Café noir (1997)")
    assert data.genres == (("Comedy",), ("Crime", "Film-Noir"))
    assert whole(data).tolist() == [[0, 3], [3, 1]]
    assert data.attributes["gender"].codes.tolist() == [1, 0]
    age = data.attributes["age"]
    assert [age.values[code] for code in age.codes] == ["18-24", "45-49"]
    assert data.attributes["occupation"].values == ("technician", "writer")


def test_ml_100k_reads_recboles_form_of_it_as_well(tmp_path):
    data = load("ml-100k", write(tmp_path, {f"ml-100k.{kind}": text for kind, text in ATOMIC.items()}))
    assert data.titles == ("Low Tide (1996)", "Noir (1997)")
    assert data.genres[1] == ("Crime", "Film-Noir")
    assert whole(data).tolist() == [[3, 0], [0, 3]]
    assert sorted(data.attributes) == ["age", "gender", "occupation"]


def test_matrices_are_disjoint_sorted_and_of_32_bits(tmp_path):
    data = load("ml-1m", write(tmp_path, ML_1M, "latin-1"), seed=1)
    parts = (data.train, data.valid, data.test)
    assert sum((part > 0).toarray().astype(int) for part in parts).max() == 1
    for part in parts:
        assert part.has_sorted_indices
        assert part.dtype == np.float32
        assert part.indices.dtype == part.indptr.dtype == np.int32
