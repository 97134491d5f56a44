import { API_ERRORS } from '../../domain/errors.ts';
import type { Audience } from '../openapi-documents.ts';
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
import { pageOf } from './layout.ts';

/** An operation of the document, and where it is. */
interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Whose reference a page is, and where the requests in its examples go. */
interface Shown {
  readonly origin: string;
  readonly audience: Audience;
}

/** Returns the API reference of an audience as a page. */
export function referencePage(document: Document, { origin, audience }: Shown): string {
  const operations = operationsOf(document);
  const { title, version, description } = document.info;
  const isForCallers = audience === 'callers';
  const other = isForCallers
    ? html`The <a href="/docs/guide">guide</a> begins with your first call. Operators have
<a href="/docs/operator">their own calls</a>.`
    : html`Callers have <a href="/docs">their own reference</a>.`;
  const file = isForCallers ? '/openapi.json' : '/operator/openapi.json';
  return pageOf({
    title: `${title} API`,
    nav: html`<nav aria-label="Endpoints"><ul>${operations.map(link)}</ul></nav>`,
    main: html`<h1>${title} API ${version}</h1>
${prose(description)}
<p>${other} For programs: <a href="${file}">${file}</a>, OpenAPI 3.1.</p>
${errorsSection()}
${operations.map((placed) => section(document, origin, placed))}`,
  });
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
