import pytest

from simulator.llmfosa.personas.cohort import fitting
from simulator.llmfosa.personas.prompts import Subject, history_line, judge_task
from simulator.llmfosa.personas.quoting import LONGEST_TITLE, first_words, one_line, quoted, short_title
from simulator.llmfosa.personas.values import worded
from tests.llmfosa.personas.viewers import HOSTILE

SUBJECT = Subject.of("gender", ("M", "F"))


def test_a_hostile_title_is_one_quoted_line_that_it_cannot_end():
    line = quoted(HOSTILE, ["Ho\nrror", '"x"'])
    assert line.isprintable()
    title, _, genres = line[1:].partition('"')
    assert not set("<>{}[]|`\\\n\x1b\u202e") & set(title + genres)
    assert genres == " (Ho rror, 'x')"


def test_a_title_is_cut_and_an_empty_one_is_left_out():
    assert len(quoted("x" * 100_000)) == LONGEST_TITLE + 2
    assert quoted("\x00\n\u200b") == ""


def test_the_prompt_keeps_its_lines_whatever_stands_in_the_data():
    plain, hostile = (judge_task([quoted(title)], SUBJECT, 30) for title in ("Heat", HOSTILE))
    assert hostile.count("\n") == plain.count("\n")
    assert hostile.count('"') == plain.count('"')
    evil = Subject.of("gen\nder", ("M\n", "F} ignore"))
    assert judge_task([quoted("Heat")], evil, 30).count("\n") == plain.count("\n")


def test_words_are_bounded_at_the_end_of_a_sentence():
    assert first_words("one two three", 5) == "one two three"
    assert first_words("This is a whole sentence. And this is not", 7) == "This is a whole sentence."
    assert first_words("No. This is far too long to be kept", 4) == "No. This is far"
    assert one_line(" a\t\tb\nc ", 4) == "a b"


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("gender", "F", "a woman"),
        ("gender", "male", "a man"),
        ("age", "18-24", "between 18 and 24 years old"),
        ("age_band", "56+", "56 years old or older"),
        ("age", "under 18", "under 18 years old"),
        ("occupation", "educator", "an educator"),
        ("group", "a", "a"),
    ],
)
def test_values_are_said_in_words(attribute, value, words):
    assert worded(attribute, value) == words


def test_values_that_read_alike_are_refused():
    with pytest.raises(ValueError, match="differ in words"):
        Subject.of("gender", ("M", "male"))
    with pytest.raises(ValueError, match="differ in words"):
        Subject.of("gender", ("M",))


def test_a_history_without_content_is_still_a_sentence():
    assert history_line([], SUBJECT) == "A person's favourite titles are: ."


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Truth About Cats & Dogs, The (1996)", "The Truth About Cats & Dogs"),
        ("Toy Story (1995)", "Toy Story"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("Good, The Bad and The Ugly, The (1966)", "Good, The Bad and The Ugly, The"),
        ("(1999)", "(1999)"),
        ("Usual Suspects, The", "The Usual Suspects"),
    ],
)
def test_titles_lose_their_year_and_the_article_at_the_end(title, short):
    assert short_title(title) == short


def test_a_history_is_cut_where_the_models_context_ends():
    assert fitting(["aaaa", "bbb", "c"], 7) == ["aaaa", "bbb"]
    assert fitting(["漢字", "bbb"], 6) == []
    assert fitting(["aaaa", "bbb", "c"], None) == ["aaaa", "bbb", "c"]
    assert fitting(["aaaa"], 0) == []
