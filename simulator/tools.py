"""Tools that language-model stakeholders may be given, by name, with their parameters. The agents build them."""

TOOLS: dict[str, tuple[str, ...]] = {
    "catalogue": (),  # look one candidate up
    "knowledge": ("file",),  # search a text file of the scenario
}
