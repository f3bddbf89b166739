// The panel's only styles: a constructed sheet, which no Content-Security-Policy stops.

export const style = `
:host { all: initial; display: flex; flex-direction: column; height: 100%; min-height: 240px; overflow: hidden;
  color-scheme: light dark; container-type: inline-size;
  --fg: light-dark(#1b2330, #e4e8ee); --bg: light-dark(#fff, #12161c); --dim: light-dark(#5a6472, #97a3b0);
  --line: light-dark(#dfe3e8, #29313b); --soft: light-dark(#f5f7f9, #191f27); --pick: light-dark(#e8f0fb, #1d2b3d);
  --blue: light-dark(#0b5cc0, #74b3ff); --green: light-dark(#157037, #5bd183); --red: light-dark(#b8242b, #ff8585);
  --amber: light-dark(#835400, #efbb56); --mono: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font: 13px/1.45 system-ui, sans-serif; color: var(--fg); background: var(--bg); font-variant-numeric: tabular-nums }
:host([data-theme=light]) { color-scheme: light }
:host([data-theme=dark]) { color-scheme: dark }
* { box-sizing: border-box } [hidden] { display: none !important }
button, input, select { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line);
  border-radius: 6px; padding: 2px 9px; min-height: 26px }
button { cursor: pointer } button:hover { background: var(--soft); border-color: var(--dim) }
.danger { color: var(--red) } .zoom { min-width: 28px; padding: 0 7px }
:focus-visible { outline: 2px solid var(--blue); outline-offset: -2px }
.tabs { display: flex; gap: 2px; padding: 0 8px; background: var(--soft); border-bottom: 1px solid var(--line) }
.tabs button { border: 0; border-radius: 0; background: none; padding: 7px 10px 5px; color: var(--dim);
  border-bottom: 2px solid transparent }
.tabs [aria-selected=true] { color: var(--fg); font-weight: 600; border-bottom-color: var(--blue) }
.body, .tasks, .questions, .worker, .log { flex: 1; min-height: 0; display: flex; flex-direction: column }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 6px 10px }
.push { margin-left: auto }
input:not([type=checkbox]) { flex: 1; min-width: 110px } label { display: flex; align-items: center; gap: 5px }
input[type=checkbox] { min-height: 0; margin: 0 } select { max-width: 45% }
.count, small, .id, .tick, dt { color: var(--dim) } small { font-size: 12px }
.trouble { margin: 0; padding: 6px 10px; color: var(--red); background: var(--soft) }
.split { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(230px, 3fr) 7fr;
  border-top: 1px solid var(--line) }
.list, .detail { overflow: auto; min-height: 0 }
.detail { border-left: 1px solid var(--line); min-width: 0 }
.empty { margin: 0; padding: 24px; color: var(--dim); text-align: center }
.space { position: relative }
[role=option] { position: absolute; inset: 0 0 auto; height: 46px; padding: 4px 10px 4px 28px; cursor: pointer;
  display: grid; grid-template-columns: 1fr auto; gap: 0 10px; border-bottom: 1px solid var(--line); overflow: hidden;
  white-space: nowrap }
[role=option]:hover { background: var(--soft) }
[role=option][aria-selected=true] { background: var(--pick); box-shadow: inset 3px 0 var(--blue) }
[role=option] b, .message { overflow: hidden; text-overflow: ellipsis; min-width: 0 }
.dot { position: absolute; left: 11px; top: 10px; width: 9px; height: 9px; border-radius: 50%; background: var(--blue) }
.working { color: var(--blue) } .input_required { color: var(--amber) } .completed { color: var(--green) }
.failed { color: var(--red) } .cancelled { color: var(--dim) } .dot { background: currentColor }
.dot.working { animation: beat 1.6s ease-in-out infinite } @keyframes beat { 50% { opacity: .35 } }
@media (prefers-reduced-motion) { .dot.working { animation: none } }
.pill { padding: 1px 9px; border-radius: 99px; border: 1px solid; font-size: 12px; font-weight: 600 }
.back { display: none }
h2, h3 { margin: 0; font-size: 15px } h3 { font-size: 13px }
article > .bar { padding-block: 10px 4px }
.id, pre, code { font: var(--mono) } .id { margin: 0; padding: 0 10px; overflow-wrap: anywhere }
dl { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 0; padding: 8px 10px } dl div { display: flex; gap: 6px }
dd { margin: 0 }
.message-line { margin: 0; padding: 0 10px 8px } progress { width: 100%; height: 6px; display: block }
pre { margin: 0 10px 10px; padding: 8px 10px; overflow: auto; max-height: 260px; background: var(--soft);
  border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere }
pre .key { color: var(--blue) } pre .text { color: var(--green) } pre .other { color: var(--amber) }
.time-line { position: relative; border-top: 1px solid var(--line) }
.tip { padding: 5px 10px; min-height: 30px; background: var(--soft); border-block: 1px solid var(--line);
  overflow-wrap: anywhere } .tip.hint { color: var(--dim) }
.picture { display: block; width: 100% } .picture text { font: 12px system-ui, sans-serif; fill: var(--fg) }
.picture .tick { fill: var(--dim); font-size: 11px } .grid { stroke: var(--line) } .stripe { fill: var(--soft) }
.picture .lane { fill: var(--dim) }
.mark { outline: none; color: var(--blue) } .mark.out { display: none }
.mark rect, .mark circle { fill: currentColor; fill-opacity: .22; stroke: currentColor; stroke-width: 1.5 }
.mark circle { fill-opacity: .9; stroke: var(--bg) }
.mark path { stroke: currentColor; stroke-width: 3; fill: none; stroke-linecap: round }
.mark .fall { stroke-width: 1.5; stroke-dasharray: 3 4 }
.mark:hover rect { fill-opacity: .4 } .mark:focus-visible > :first-child { stroke-width: 3; stroke: var(--fg) }
.asked, .shown, .status { color: var(--amber) } .note, .left, .sleep, .mark.cancelled { color: var(--dim) }
.mark.completed, .answered, .step { color: var(--green) } .death, .mark.failed { color: var(--red) }
.scroll { overflow: auto; max-height: 320px; margin-bottom: 10px }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; padding: 10px 10px 4px; font-weight: 600 }
th, td { text-align: left; vertical-align: top; padding: 3px 10px; border-bottom: 1px solid var(--line) }
th { font-weight: 500; color: var(--dim); font-size: 12px }
td:nth-child(1), td:nth-child(2), td:nth-child(6) { white-space: nowrap; color: var(--dim) }
td:nth-child(5) { overflow-wrap: anywhere }
summary { cursor: pointer; padding: 6px 10px; color: var(--dim) }
.cards { overflow: auto; padding: 4px 10px 10px; display: grid; gap: 10px; align-content: start }
.card { border: 1px solid var(--line); border-radius: 8px; min-width: 0 } .card .place { color: var(--dim) }
.worker { overflow: auto } dd { overflow-wrap: anywhere } dd, dl div { min-width: 0 }
.log { flex: 1; min-height: 0; display: flex; flex-direction: column }
.worker { overflow: auto } .about { flex: none } .about dl { padding-bottom: 4px }
.about dd { overflow-wrap: anywhere; min-width: 0 } .about dl div { min-width: 0 }
.log { flex: 1 0 300px; border-top: 1px solid var(--line) } .log .list { flex: 1; border-top: 1px solid var(--line) }
.log [role=option] { height: 24px; padding: 2px 10px; gap: 0 8px; grid-template-columns: auto auto 1fr;
  font: var(--mono); line-height: 19px }
.log b { font-weight: 600 } .looked-into { flex: none; max-height: 45%; overflow: auto; border-top: 1px solid var(--line);
  padding-top: 10px }
.acts p { margin: 0; color: var(--dim) } .acts .card { padding: 10px; display: grid; gap: 8px; justify-items: start }
ul { margin: 0; padding-left: 18px } [aria-disabled=true] { opacity: .6 }
.warn { color: var(--amber) } .error { color: var(--red) } .received { color: var(--green) } .sent { color: var(--blue) }
@container (max-width: 640px) {
  .split { grid-template-columns: 1fr } .detail { display: none; border-left: 0 } .back { display: block }
  [data-open] .list { display: none } [data-open] .detail { display: block }
  [data-open] > .bar { display: none } [data-open] .split { border-top: 0 }
  table :is(th, td):is(:nth-child(2), :nth-child(3)) { display: none } th, td { padding-inline: 6px }
}
`
