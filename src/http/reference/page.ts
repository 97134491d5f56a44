import { API_ERRORS } from '../../domain/errors.ts';
import {
  curlOf,
  type Document,
  exampleOf,
  fieldsOf,
  type Operation,
  type Parameter,
  type Schema,
  typeText,
} from './document.ts';
import { type Html, html, inline, prose } from './html.ts';

/** The path of the style sheet. */
export const STYLE_PATH = '/docs/style.css';

/** An operation of the document, and where it is. */
interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Returns the API reference as a page. Requests in its examples go to `origin`. */
export function referencePage(document: Document, origin: string): string {
  const operations = operationsOf(document);
  const { version, description } = document.info;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cardprice API</title>
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" href="/icon.svg">
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
<header><a href="/">Back to the pages</a> <span>Cardprice API ${version}</span></header>
<nav aria-label="Endpoints"><ul>${operations.map(link)}</ul></nav>
<main id="reference" tabindex="-1">
<h1>Cardprice API</h1>
${prose(description)}
<p>The same for programs: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>
${errorsSection()}
${operations.map((placed) => section(document, origin, placed))}
</main>
</body>
</html>
`;
  return page.text;
}

function operationsOf({ paths }: Document): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function link({ method, path, operation }: Placed): Html {
  return html`<li><a href="#${operation.operationId}"><b>${method.toUpperCase()}</b> ${path}</a></li>`;
}

/** The section about the common form of errors. */
function errorsSection(): Html {
  const { status, example: message } = API_ERRORS.MISSING_API_KEY;
  const error = { error: { code: 'MISSING_API_KEY', message, status } };
  return html`<h2>Errors</h2>
<p>Every error has this form. Decide by <code>code</code>; a 400 adds <code>details</code>, which
name what was wrong.</p>
${code('An error', JSON.stringify(error, null, 2))}`;
}

function section(document: Document, origin: string, placed: Placed): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const answer = responses['200']?.content?.['application/json']?.schema ?? {};
  return html`<section id="${operationId}" aria-labelledby="${operationId}-title">
<h2 id="${operationId}-title">${summary}</h2>
<p class="path"><b>${method.toUpperCase()}</b> <code>${path}</code></p>
${prose(description)}
${code(`Request: ${summary}`, curlOf(document, origin, placed))}
${parameters ? html`<h3>Parameters</h3><dl>${parameters.map(parameterRow)}</dl>` : html``}
${body ? fields(document, 'Body', body) : html``}
${fields(document, 'Answer', answer)}
<details><summary>Example of an answer</summary>
${code(`Answer: ${summary}`, JSON.stringify(exampleOf(document, answer), null, 2))}</details>
<h3>Errors</h3><dl>${errorRows(operation)}</dl>
</section>
`;
}

/** Focusable, so that long lines can be scrolled with the keyboard. */
function code(label: string, text: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

function fields(document: Document, title: string, schema: Schema): Html {
  const rows = fieldsOf(document, schema).map(({ path, type, description }) =>
    row(path, type, description),
  );
  return html`<h3>${title}</h3><dl>${rows}</dl>`;
}

function parameterRow({ name, in: place, required, description = '', schema }: Parameter): Html {
  const need = required ? `required, in the ${place}` : `in the ${place}`;
  return row(name, `${typeText(schema)}; ${need}`, description);
}

function row(name: string, type: string, description: string): Html {
  return html`<dt><code>${name}</code> <span>${type}</span></dt><dd>${inline(description)}</dd>`;
}

function errorRows({ responses }: Operation): Html[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const examples = Object.entries(content?.['application/json']?.examples ?? {});
    return examples.map(([name, { value }]) => row(name, status, value.error.message));
  });
}

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
