"""The style sheet of the live page; classes of a conversation are those of the report."""

SHEET = """
.v-application.theme--light { --paper: #ffffff; --ground: #f4f6f8; --ink: #1d1f21; --soft: #5f666d; --line: #d9dde1;
  --fill: #f4f6f8; --bar: #0072b2; --yes: #00714f; --no: #a84300; --ask: #fff6e0; }
.v-application.theme--dark { --paper: #1b1f23; --ground: #121518; --ink: #e6e8ea; --soft: #9aa3ab; --line: #363c42;
  --fill: #23292e; --bar: #56b4e9; --yes: #4cc79c; --no: #f0995a; --ask: #3a3320; }
html { overflow: hidden !important; }
.fa { display: grid; grid-template: auto 1fr / 15.5rem minmax(0, 1.35fr) minmax(0, 1fr); height: 100vh;
  color: var(--ink); background: var(--ground);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.fa p { margin: .3rem 0; }
.fa strong { font-weight: 600; }
.fa h1, .fa h2 { font-weight: 600; line-height: 1.25; letter-spacing: 0; }
.fa-head { grid-column: 1 / -1; display: flex; align-items: center; gap: .6rem; padding: .5rem 1rem;
  background: var(--paper); border-bottom: 1px solid var(--line); }
.fa-name-of-run { flex: 1 1 auto; min-width: 0; }
.fa-name-of-run h1 { margin: 0; font-size: 1.15rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.fa-name-of-run p { margin: 0; font-size: .82rem; color: var(--soft); overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
.fa-round { flex: none; min-width: 9.5rem; text-align: end; font-variant-numeric: tabular-nums; font-size: .95rem; }
.fa-round strong { font-size: 1.2rem; }
.fa-speed { flex: none; width: 10.5rem; }
.fa-speed .v-input { font-size: .88rem; }
.fa-side, .fa-main, .fa-talk { min-height: 0; overflow: hidden auto; padding: .9rem 1rem 1.5rem; }
.fa-side { background: var(--paper); border-right: 1px solid var(--line); display: flex; flex-direction: column;
  gap: .7rem; }
.fa-side h2, .fa-talk > div > h2 { margin: .2rem 0 0; font-size: .74rem; letter-spacing: .06em;
  text-transform: uppercase; color: var(--soft); }
.fa-side .v-input { font-size: .88rem; flex: none; }
.fa-side .v-text-field__details { display: none; }
.fa-pair { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
.fa-weights { display: grid; grid-template-columns: 1fr 5.2rem; gap: .35rem .5rem; align-items: center;
  font-size: .86rem; }
.fa-weights > .fa-party { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.fa-talk { background: var(--paper); border-left: 1px solid var(--line); }
.fa-error { flex: none; margin: 0 0 .6rem; padding: .45rem .8rem; border-left: 4px solid var(--no);
  background: var(--fill); color: var(--no); font-size: .9rem; overflow-wrap: anywhere; }
.fa-warning { margin: 0 0 .5rem; color: var(--soft); font-size: .82rem; }
.fa-facts { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; margin-bottom: .6rem; }
.fa-facts > div { display: flex; flex-direction: column; }
.fa-facts .fa-wide { flex: 1 1 100%; }
.fa-title { font-size: .74rem; color: var(--soft); }
.fa-value { font-size: 1.02rem; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.fa-served { display: grid; grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr)); gap: .2rem 1.2rem;
  margin-bottom: .4rem; font-size: .84rem; }
.fa-served > div { display: flex; align-items: center; gap: .4rem; font-variant-numeric: tabular-nums; }
.fa-name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar { display: inline-block; width: 3.4rem; height: .6rem; margin-inline-end: .1rem; border-radius: 2px;
  background: linear-gradient(var(--bar), var(--bar)) 0 0 / calc(100% * var(--share)) 100% no-repeat var(--line); }
.fa-tabs { display: flex; flex-wrap: wrap; gap: .05rem; margin: .5rem 0; border-bottom: 1px solid var(--line); }
.fa .fa-tab.v-btn { height: 2rem !important; min-width: 0 !important; padding: 0 .4rem !important; border-radius: 0;
  letter-spacing: 0; text-transform: none; font-size: .82rem; color: var(--soft);
  border-bottom: 2px solid transparent; }
.fa .fa-tab.fa-open { color: var(--ink); border-bottom-color: var(--bar); font-weight: 600; }
.fa-arrays { display: flex; flex-wrap: wrap; gap: .3rem; margin-bottom: .4rem; }
.fa-figure figure { margin: 0; padding: .7rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; }
.fa-figure svg { display: block; width: 100%; height: auto; max-height: calc(100vh - 17rem); color: var(--ink); }
.fa-empty { padding: 4rem 1rem; text-align: center; color: var(--soft); font-size: 1rem; }
.fa-said { overflow-wrap: anywhere; }
.fa-said h4 { margin: .9rem 0 .35rem; font-size: .95rem; }
.fa-said h5 { margin: 0 0 .25rem; font-size: .9rem; }
.fa-said small, .fa-said .facts { color: var(--soft); font-size: .82rem; }
.fa-said blockquote { margin: .35rem 0; padding: .05rem .7rem; border-inline-start: 3px solid var(--line);
  white-space: pre-wrap; max-height: 11rem; overflow: auto; }
.fa-said .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .6rem; }
.fa-said .card { padding: .55rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--fill);
  font-size: .88rem; min-width: 0; }
.fa-said .card ol { margin: .25rem 0; padding-inline-start: 1.3rem; }
.fa-said .outcome { margin-top: .7rem; padding: .4rem .8rem; border-inline-start: 4px solid var(--bar);
  font-size: .9rem; }
.fa-said .wide { overflow-x: auto; margin: .5rem 0; }
.fa-said table { border-collapse: collapse; font-size: .83rem; overflow-wrap: normal; }
.fa-said th, .fa-said td { padding: .2rem .5rem; text-align: start; border-bottom: 1px solid var(--line); }
.fa-said .n { text-align: end; font-variant-numeric: tabular-nums; }
.fa-said .steps { margin: .3rem 0; padding-inline-start: 1.3rem; }
.fa-said code { background: none; color: inherit; font-size: .95em; padding: 0; }
.fa .yes { color: var(--yes); font-weight: 600; }
.fa .no { color: var(--no); font-weight: 600; }
.fa .v-btn { letter-spacing: .01em; text-transform: none; }
@media (max-width: 1000px) {
  html { overflow: auto !important; }
  .fa { display: block; height: auto; }
  .fa-head { flex-wrap: wrap; }
}
"""
