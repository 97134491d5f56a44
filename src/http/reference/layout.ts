import { type Html, html } from './html.ts';

/** The path of the style sheet. */
export const STYLE_PATH = '/docs/style.css';

/** The parts in which the pages below `/docs` differ. */
export interface PageParts {
  readonly title: string;
  readonly nav: Html;
  readonly main: Html | readonly Html[];
}

/** Returns a page below `/docs`, which needs no internet and no scripts. */
export function pageOf({ title, nav, main }: PageParts): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="/icon.svg">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a href="/">Back to the pages</a> <a href="/docs/guide">Guide</a> <a href="/docs">Reference</a></header>
${nav}
<main id="content" tabindex="-1">
${main}
</main>
</body>
</html>
`;
  return page.text;
}

/** The style of the pages below `/docs`, in the colors of the dashboard. Every text has a contrast of 4.5. */
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
header a { margin-right: 1rem; font-weight: 600; }
nav ul ul { margin: 0 0 0.5rem 1rem; font-size: 0.9rem; }
nav ul ul a { padding: 0.2rem 0; }
nav [aria-current] { color: var(--text); font-weight: 600; }
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
main > h2 { margin-top: 2.5rem; }
main > ul, main > ol, main > p { max-width: 45rem; }
table { display: block; margin: 1rem 0; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:empty { padding: 0; border: 0; }
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
@media (max-width: 60rem) {
  .guides li { display: inline-block; margin-right: 1rem; }
  .guides ul ul { display: none; }
}
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
