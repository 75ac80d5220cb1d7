import pickle

from simulator.inputs.yamlfile import InputError, Problem


def test_an_error_comes_back_whole_from_another_process():
    error = InputError([Problem("--data x", "is no folder"), Problem("file.csv:3", "is no number")])
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.problems == error.problems
