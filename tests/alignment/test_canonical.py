import pytest

from simulator.alignment.canonical import canonical_sentence, neutral_sentence

PHRASES = ["low prices", "clean air", "short walks", "quiet streets", "famous sights", "short trips"]


def test_four_phrases_take_the_form_that_was_measured():
    assert canonical_sentence(PHRASES[:4]) == (
        "What matters most to me is low prices. I also like clean air. Short walks matters a little. "
        "I do not care about quiet streets."
    )


@pytest.mark.parametrize("n", range(1, 7))
def test_every_phrase_is_said_once_and_in_order(n):
    sentence = canonical_sentence(PHRASES[:n])
    places = [sentence.casefold().find(phrase) for phrase in PHRASES[:n]]
    assert places == sorted(places)
    assert min(places) >= 0
    assert len(set(places)) == sentence.count(".") == n
    assert sentence.startswith("What matters most to me is low prices.")


@pytest.mark.parametrize("phrases", [[], [*PHRASES, "one more"]])
def test_no_wording_for_more_degrees(phrases):
    with pytest.raises(ValueError, match="1 to 6"):
        canonical_sentence(phrases)


def test_the_neutral_sentence_says_the_same_of_all():
    assert neutral_sentence(PHRASES[:2]) == "Low prices matters to me. Clean air matters to me."
