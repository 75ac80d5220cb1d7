"""The style sheet of the report."""

SHEET = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1d1f21; --soft: #5f666d; --line: #d9dde1; --fill: #f4f6f8;
  --bar: #0072b2; --tint: #cfe4f2; --yes: #00714f; --no: #a84300; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16191c; --ink: #e6e8ea; --soft: #9aa3ab; --line: #363c42; --fill: #1f2428; --bar: #56b4e9;
    --tint: #1d4563; --yes: #4cc79c; --no: #f0995a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.6rem 0 .8rem; font-size: 1.3rem; }
h4 { margin: 1.2rem 0 .4rem; font-size: 1rem; }
h5 { margin: 0 0 .3rem; font-size: .95rem; }
p { margin: .35rem 0; }
code { font-size: .92em; }
small, .facts { color: var(--soft); font-size: .87rem; }
.plain { padding-left: 1.1rem; font-size: 1.05rem; }
.plain li { margin: .3rem 0; }
.banner { margin: 1rem 0; padding: .6rem 1rem; border-left: 4px solid var(--no); background: var(--fill); }
.wide { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
th, td { padding: .3rem .55rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 600; }
td, tbody th { max-width: 26rem; overflow-wrap: anywhere; }
.n { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead .n { white-space: normal; max-width: 8rem; overflow-wrap: break-word; }
.tall bdi { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; text-align: start; }
th[title] { text-decoration: underline dotted; text-underline-offset: 3px; cursor: help; }
.bar { display: inline-block; width: 2.6rem; height: .6rem; margin-inline-end: .45rem; border-radius: 2px;
  background: linear-gradient(var(--bar), var(--bar)) 0 0 / calc(100% * var(--share)) 100% no-repeat var(--line); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 32rem), 1fr)); gap: 1.5rem; }
figure { margin: 0; padding: .8rem; border: 1px solid var(--line); border-radius: 6px; }
figcaption { margin-bottom: .4rem; color: var(--soft); font-size: .9rem; }
figure svg { display: block; width: 100%; height: auto; }
figure svg * { stroke-linejoin: round; stroke-linecap: butt; }
.rounds > tbody > tr:has(+ .told) > * { border-bottom: 0; padding-bottom: 0; }
.part { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
.told > td { max-width: none; padding-top: 0; }
summary { cursor: pointer; color: var(--soft); font-size: .87rem; }
details[open] > summary { margin-bottom: .6rem; }
details { max-width: 70rem; }
blockquote { margin: .4rem 0; padding: .1rem .8rem; border-inline-start: 3px solid var(--line); white-space: pre-wrap;
  max-height: 18rem; overflow-y: auto; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .8rem; }
.card { padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--fill);
  font-size: .93rem; }
.card ol { margin: .3rem 0; padding-inline-start: 1.4rem; }
.outcome { margin-top: .8rem; padding: .5rem .9rem; border-inline-start: 4px solid var(--bar); font-size: .93rem; }
.ended { white-space: nowrap; }
.slate { min-width: 11rem; overflow-wrap: break-word; }
.share { background: linear-gradient(var(--tint), var(--tint)) 0 .25rem / calc(100% * var(--share)) 1.45rem no-repeat; }
.yes { color: var(--yes); font-weight: 600; }
.no { color: var(--no); font-weight: 600; }
.tight { margin: 0; padding-left: 1rem; }
.tight li small { white-space: nowrap; }
.parties td { font-size: .93em; }
.parties th .facts { font-weight: 400; }
.terms { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; margin: .8rem 0; }
.terms dt { color: var(--soft); }
.terms dd { margin: 0; }
@page { size: A4; margin: 14mm 12mm; }
@media print {
  :root { color-scheme: light; --paper: #ffffff; --ink: #1d1f21; --soft: #4d545a; --line: #c9ced3; --fill: #f4f6f8;
    --bar: #0072b2; --tint: #cfe4f2; --yes: #00714f; --no: #a84300; }
  html { font-size: 10.5px; }
  body { padding: 0; max-width: none; font-size: 1rem; print-color-adjust: exact; }
  h1, h2, h3, h4, h5 { break-after: avoid; }
  .wide { overflow: visible; } .part { content-visibility: visible; }
  blockquote { max-height: none; overflow: visible; }
  table { width: 100%; font-size: .88rem; } th, td { padding: .2rem .35rem; }
  thead { display: table-header-group; } tr, figure, .card, .banner { break-inside: avoid; }
  .told > td, .told { break-inside: auto; }
  .told:not(:has(> td > details[open])) { display: none; }
  .rounds > tbody > tr:not(:has(+ .told > td > details[open])) > * { border-bottom: 1px solid var(--line); }
  .ended { white-space: normal; overflow-wrap: normal; } .bar { width: 1.6rem; } .slate { min-width: 7rem; }
  .figures { display: block; } figure { width: 145mm; margin: 0 auto 4mm; padding: .4rem .6rem; }
}
"""
