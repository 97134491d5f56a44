/** The style of the reference, in the colors of the dashboard. Every text has a contrast of 4.5. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfbfa, #16181b);
  --raised: light-dark(#ffffff, #1f2226);
  --text: light-dark(#1d2126, #e6e8ea);
  --quiet: light-dark(#59616b, #a3abb5);
  --line: light-dark(#d9dde2, #363b42);
  --accent: light-dark(#1558b0, #8ab8f5);
  font: 100% / 1.5 system-ui, sans-serif;
  color: var(--text);
  background: var(--ground);
  scroll-padding-top: 1rem;
}
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
header { padding: 0.75rem 1rem; border-bottom: 1px solid var(--line); background: var(--raised); }
header a { font-weight: 600; }
header span, dt span { color: var(--quiet); }
.skip:not(:focus) {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
}
main { max-width: 50rem; padding: 1rem; }
nav { padding: 0 1rem; border-bottom: 1px solid var(--line); }
nav ul { margin: 0.5rem 0; padding: 0; list-style: none; }
nav a { display: block; padding: 0.4rem 0; text-decoration: none; }
nav b, .path b { font-size: 0.8rem; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 0 0 0.5rem; font-size: 1.3rem; line-height: 1.3; }
h3 { margin: 1.5rem 0 0.5rem; font-size: 1rem; }
section { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
code, pre { font: 0.9rem / 1.5 ui-monospace, monospace; }
pre {
  margin: 1rem 0;
  padding: 0.75rem 1rem;
  overflow: auto;
  max-height: 30rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--raised);
  overflow-wrap: normal;
}
dl { margin: 0; }
dt { padding-top: 0.5rem; border-top: 1px solid var(--line); }
dt code { font-weight: 600; }
dd { margin: 0 0 0.5rem; }
summary { padding: 0.75rem 0; cursor: pointer; }
@media (min-width: 60rem) {
  body { display: grid; grid-template: auto 1fr / 20rem minmax(0, 1fr); }
  header { grid-column: 1 / -1; }
  nav {
    position: sticky;
    top: 0;
    align-self: start;
    max-height: 100vh;
    overflow-y: auto;
    border-bottom: 0;
  }
  main { padding: 1rem 2rem 4rem; }
}
`;
