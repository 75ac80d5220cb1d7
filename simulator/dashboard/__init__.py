"""The live page in a browser (extra `dashboard`): one world a browser session, on this machine, without a network.

`choices`, `drive` and `session` know neither Solara nor a browser; `page` is what Solara shows; `serve` is the server.
"""
