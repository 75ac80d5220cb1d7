"""Means and intervals over seeds, and their tables."""

import csv
import io

import numpy as np
import pytest
from scipy.stats import t

from simulator.llmfosa.tables import (
    Result,
    Results,
    as_csv,
    as_latex,
    as_markdown,
    column_order,
    seeds_as_csv,
    write_results,
)
from tests.llmfosa.tables.trained import trained


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_columns_stand_in_one_order_whatever_order_they_come_in():
    names = ["seconds", "eo@10", "novelty", "ndcg@20", "auc_mlp", "hit@10", "dp_floor@10", "recall@10", "dp@10",
             "confusion_error", "ndcg_untruncated@10", "auc_logistic", "eo_floor@10", "attribute_auc", "ndcg@10",
             "ndcg@100", "dp@20"]  # fmt: skip
    expected = ("ndcg@10", "ndcg_untruncated@10", "recall@10", "hit@10", "ndcg@20", "ndcg@100", "dp@10", "dp_floor@10",
                "eo@10", "eo_floor@10", "dp@20", "auc_logistic", "auc_mlp", "attribute_auc", "confusion_error",
                "novelty", "seconds")  # fmt: skip
    assert column_order(names) == expected
    assert column_order(reversed(names)) == expected


def test_the_interval_is_students_over_seeds():
    values = np.array([0.30, 0.31, 0.35])
    found = Results.of(Result("a", seed, {"ndcg@10": value}) for seed, value in enumerate(values))
    half = t.ppf(0.975, 2) * values.std(ddof=1) / np.sqrt(3)
    (row,) = read(as_csv(found))
    assert float(row["ndcg@10"]) == pytest.approx(0.32)
    assert float(row["ndcg@10_high"]) == pytest.approx(0.32 + half)
    assert float(row["ndcg@10_low"]) == pytest.approx(0.32 - half)
    assert f"0.3200 ± {half:.4f}" in as_markdown(found)
    assert f"0.3200 $\\pm$ {half:.4f}" in as_latex(found)


def test_one_seed_has_no_interval():
    found = Results.of([Result("a", 0, {"ndcg@10": 0.3, "seconds": 12.34})])
    assert read(as_csv(found))[0]["ndcg@10_low"] == ""
    assert "| a | 0.3000 | 12.3 |" in as_markdown(found)
    assert "over 1 seed." in as_markdown(found)
    assert "a & 0.3000 & 12.3 \\\\" in as_latex(found)


def test_what_a_method_lacks_is_left_empty():
    rows = read(as_csv(trained()))
    assert rows[-1]["method"] == "BPR_MF & co"
    assert rows[-1]["dp_floor@10"] == rows[-1]["weight"] == ""
    assert rows[0]["seconds"] == ""
    assert as_markdown(trained()).splitlines()[-3].endswith("| -- | 100.0 ± 0.0 |")


def test_a_seed_without_the_figure_does_not_count():
    figures = [{"ndcg@10": 0.2}, {"ndcg@10": 0.4}, {"ndcg@10": np.nan}, {}]
    found = Results.of(Result("a", seed, each) for seed, each in enumerate(figures))
    assert found.summary(("a", None), "ndcg@10").n == 2
    assert found.summary(("a", None), "ndcg@10").mean == pytest.approx(0.3)


def test_every_result_stands_in_the_table_of_seeds_without_loss():
    found = trained()
    rows = read(seeds_as_csv(found))
    assert len(rows) == len(found.rows)
    for row, result in zip(rows, found.rows, strict=True):
        assert (row["method"], int(row["seed"])) == (result.method, result.seed)
        assert all(float(row[name]) == value for name, value in result.figures.items())


def test_foreign_names_break_no_table():
    name = "a|b `x` *y* & 50%_of\n[z]"
    found = Results.of([Result(name, 0, {"ndcg@10": 0.5}), Result('q"u,o\nte', 0, {"ndcg@10": 0.5})])
    assert r"| a\|b \`x\` \*y\* & 50%_of \[z\] | 0.5000 |" in as_markdown(found)
    assert r"a|b `x` {*}y{*} \& 50\%\_of {[}z] & 0.5000" in as_latex(found)
    assert [row["method"] for row in read(as_csv(found))] == [name, 'q"u,o\nte']


def test_two_results_of_one_seed_are_refused():
    with pytest.raises(ValueError, match=r"'a' with weight 0\.5 has two results for seed 3"):
        Results.of([Result("a", 3, {}, 0.5), Result("a", 3, {}, 0.5)])


def test_some_figures_can_be_chosen():
    text = as_markdown(trained(), ["dp@10", "ndcg@10"])
    assert text.splitlines()[0] == "| method | weight | dp@10 | ndcg@10 |"


def test_the_files_hold_the_tables(tmp_path):
    files = write_results(trained(), tmp_path / "new")
    assert [file.name for file in files] == ["results.csv", "results.md", "results.tex", "seeds.csv"]
    assert files[0].read_bytes().decode() == as_csv(trained())


def test_nothing_gives_tables_without_rows():
    empty = Results.of([])
    assert as_csv(empty) == "method,seeds\n"
    assert "over 0 seeds" in as_latex(empty)
