/** The path of the style sheet. */
export const STYLE_PATH = '/docs/style.css';

/**
 * The style of the pages below `/docs`, with the colors and controls of the other pages
 * (web/src/ui/style.css). Every text has a contrast of 4.5.
 */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #0e1014);
  --raised: light-dark(#ffffff, #171a21);
  --sunken: light-dark(#eceef2, #20242d);
  --text: light-dark(#14171d, #e9ebf0);
  --quiet: light-dark(#565e6c, #a0a8b6);
  --line: light-dark(#dfe2e8, #2b303b);
  --control: light-dark(#838b99, #6b7484);
  --accent: light-dark(#3b3fd1, #a9b1ff);
  --on-accent: light-dark(#ffffff, #000000);
  --radius: 10px;
  --radius-small: 6px;
  --touch: 2.75rem;
  font: 100% / 1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--ground);
  scroll-padding-top: 5rem;
}
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
[tabindex="-1"]:focus { outline: none; }
dt[tabindex="-1"]:focus { background: var(--sunken); box-shadow: 0 0 0 0.4rem var(--sunken); }
.sr-only, .skip:not(:focus) {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
.skip:focus {
  position: absolute;
  inset: 0.5rem auto auto 0.5rem;
  padding: 0.5rem 1rem;
  background: var(--raised);
  z-index: 3;
}

.bar {
  position: sticky;
  top: 0;
  display: flex;
  align-items: center;
  justify-content: space-between;
  height: 4rem;
  padding: 0 1rem;
  background: var(--raised);
  border-bottom: 1px solid var(--line);
  z-index: 2;
}
.bar a { display: flex; align-items: center; min-height: var(--touch); text-decoration: none; }
.bar nav { display: flex; }
.bar nav a { padding: 0 0.7rem; color: var(--quiet); }
.bar nav a:hover { color: var(--text); background: var(--sunken); border-radius: var(--radius-small); }
.bar nav [aria-current] { color: var(--text); font-weight: 600; box-shadow: inset 0 -2px var(--accent); }
.bar .brand { gap: 0.5rem; color: var(--text); font-weight: 700; font-size: 1.1rem; letter-spacing: -0.01em; }

.side { padding: 0.5rem 1rem; border-bottom: 1px solid var(--line); background: var(--ground); }
.side ul { margin: 0 0 0.5rem; padding: 0; list-style: none; }
.side span { display: block; margin-top: 0.8rem; color: var(--quiet); font-size: 0.85rem; font-weight: 600; }
.side a { display: block; padding: 0.25rem 0 0.25rem 1rem; text-indent: -1rem; text-decoration: none; }
.side b { font-size: 0.75rem; }
.side a[aria-current] { color: var(--text); font-weight: 600; }
.guides ul ul { margin-left: 1rem; font-size: 0.9rem; }
search p { margin: 0.2rem 0 0; color: var(--quiet); font-size: 0.9rem; }
search p:empty { position: absolute; }
main { min-width: 0; max-width: 54rem; padding: 1rem 1rem 4rem; }
h1 { margin: 0.5rem 0 1rem; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 0 0 0.5rem; font-size: 1.3rem; line-height: 1.3; }
h3 { margin: 0; font-size: 1rem; line-height: 1.3; }
h4 { margin: 1.5rem 0 0.5rem; font-size: 1rem; line-height: 1.3; }
main > h2, .subject ~ .subject h2 { margin-top: 2rem; }
main > h3 { margin-top: 1.5rem; }
main > ul, main > ol, main > p, .intro > p { max-width: 45rem; }
table { display: block; margin: 1rem 0; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:empty { padding: 0; border: 0; }
code, pre { font: 0.9rem / 1.5 ui-monospace, monospace; }
pre {
  margin: 0.5rem 0 1rem;
  padding: 0.75rem 1rem;
  overflow: auto;
  max-height: 30rem;
  border: 1px solid var(--line);
  border-radius: var(--radius-small);
  background: var(--ground);
  overflow-wrap: normal;
}
main > pre { background: var(--raised); }
dl { margin: 0; }
dt { padding-top: 0.5rem; border-top: 1px solid var(--line); }
dt code { font-weight: 600; }
dd { margin: 0 0 0.5rem; }
dt span, label span, .hint, .more, .subject > p { color: var(--quiet); }
.subject > p { margin: 0 0 0.5rem; }

button, input, select, textarea {
  font: inherit;
  min-height: var(--touch);
  padding: 0.4rem 0.8rem;
  color: inherit;
  background: var(--raised);
  border: 1px solid var(--control);
  border-radius: var(--radius);
}
input, select, textarea { display: block; width: 100%; margin-top: 0.2rem; }
textarea { font: 0.9rem / 1.5 ui-monospace, monospace; }
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.secret { -webkit-text-security: disc; }

.operation { margin: 0.5rem 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); }
.operation > summary { padding: 0.6rem 1rem; }
.operation > summary:hover { background: var(--sunken); border-radius: var(--radius); }
.operation h3 { font-weight: 400; color: var(--quiet); }
.operation > section { padding: 0 1rem 1rem; border-top: 1px solid var(--line); }
summary { min-height: var(--touch); padding: 0.6rem 0; cursor: pointer; }
.path b { display: inline-block; min-width: 2.6rem; font-size: 0.75rem; color: var(--accent); }
.path code { font-weight: 600; }
.open-all { display: block; margin: 1.5rem 0 -2.75rem auto; }
.operation summary > h3:first-child { display: inline; color: var(--text); }
.subject h2 { line-height: 2.75rem; }
.hits { margin: 0 0 1rem; padding: 0 1rem; list-style: none; }
.hits a { display: inline-block; padding: 0.2rem 0; }
.hits span { color: var(--quiet); font-size: 0.9rem; }

.samples { position: relative; }
.samples [data-language] { display: none; }
.samples:has([value=curl]:checked) [data-language=curl],
.samples:has([value=JavaScript]:checked) [data-language=JavaScript],
.samples:has([value=Python]:checked) [data-language=Python] { display: block; }
.copy { position: absolute; top: 0; right: 0; }
.segmented {
  display: flex;
  gap: 2px;
  width: fit-content;
  margin: 0;
  padding: 3px;
  background: color-mix(in srgb, var(--text) 6%, var(--ground));
  border: 0;
  border-radius: var(--radius);
}
.segmented label {
  position: relative;
  display: grid;
  place-items: center;
  min-height: 2.4rem;
  padding: 0 0.7rem;
  border-radius: 8px;
}
.segmented label:has(:checked) {
  background: light-dark(var(--raised), color-mix(in srgb, var(--text) 18%, var(--ground)));
  box-shadow: 0 0 0 1px var(--line);
}
.segmented label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 1px; }
.segmented input { position: absolute; inset: 0; height: 100%; min-height: 0; margin: 0; opacity: 0; cursor: pointer; }

.trial { border-block: 1px solid var(--line); }
.trial summary { font-weight: 600; color: var(--accent); }
.trial form { display: grid; gap: 0.8rem; padding-bottom: 1rem; justify-items: start; }
.trial form > label { width: 100%; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 0.8rem; width: 100%; align-items: end; }
.trial label span { font-size: 0.9rem; }
.hint { margin: -0.5rem 0 0; font-size: 0.9rem; }
.answer dl { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: 0 1rem; font-size: 0.9rem; }
.answer :is(dt, dd) { margin: 0; padding: 0.2rem 0; border: 0; }

[hidden] { display: none !important; }
.filtered .intro, .subject:not(:has(.operation:not([hidden]))) > :is(h2, p) { display: none; }
.side li:has(> ul):not(:has(a:not([hidden]))) { display: none; }
/* Controls that need the script. */
@media (scripting: none) { .scripted { display: none; } }
@media (forced-colors: active) {
  .segmented label:has(:checked), [aria-current] { outline: 2px solid; text-decoration: underline; }
}
@media (max-width: 60rem) {
  .bar { position: static; }
  .side:has(search) { position: sticky; top: 0; z-index: 1; }
  .side:has(search) nav { display: none; }
  .guides li { display: inline-block; margin-right: 1rem; }
  .guides ul ul { display: none; }
}
@media (max-width: 60rem) and (scripting: none) { .side:has(search) { display: none; } }
@media (min-width: 60rem) {
  body { display: grid; grid-template: auto 1fr / 20rem minmax(0, 1fr); }
  .bar { grid-column: 1 / -1; }
  .side {
    position: sticky;
    top: 4rem;
    align-self: start;
    max-height: calc(100vh - 4rem);
    overflow-y: auto;
    border-bottom: 0;
  }
  main { padding: 1rem 2rem 4rem; }
}
@media print {
  .bar, .side, button, .trial { display: none; }
}
`;
