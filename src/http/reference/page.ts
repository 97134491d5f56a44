import { API_ERRORS } from '../../domain/errors.ts';
import type { Audience } from '../openapi-documents.ts';
import { commonOf, type DocumentedError, type Listed, ownOf } from './common.ts';
import {
  type Document,
  exampleOf,
  fieldsOf,
  type Operation,
  type Parameter,
  type Place,
  type Places,
  placesIn,
  type Schema,
  typeText,
} from './document.ts';
import { type Html, html, inline, prose } from './html.ts';
import { type Presentation, pageOf } from './layout.ts';
import { LANGUAGES, type PlacedOperation, sampleOf } from './samples.ts';
import { trialOf } from './trial.ts';

/** A reference: the address in its examples, its audience, and the common parts of all calls. */
interface Reference {
  readonly document: Document;
  readonly origin: string;
  readonly audience: Audience;
  readonly presentation: Presentation;
  readonly common: Listed;
  /** The places where the largest objects are listed. */
  readonly places: Places;
}

/** The operations of a subject. */
interface Subject {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** Returns the API reference of an audience as a page. */
export function referencePage(
  document: Document,
  shown: Pick<Reference, 'origin' | 'audience' | 'presentation'>,
): string {
  const operations = operationsOf(document);
  const common = commonOf(operations.map(({ operation }) => operation));
  const places = placesIn(document, operations.flatMap(bodiesOf));
  const reference = { ...shown, document, common, places };
  const subjects = subjectsOf(document, operations);
  const { title, version, description } = document.info;
  return pageOf(shown.presentation, {
    title,
    current: 'reference',
    hasScript: true,
    side: html`${FILTER}
<nav aria-label="Calls"><ul><li><a href="#all-calls">All calls</a></li>${subjects.map(links)}</ul></nav>`,
    main: html`<h1>${title} ${version}</h1>
<div class="intro">
${prose(description)}
${elsewhere(shown.audience)}</div>
<button type="button" class="open-all scripted">Open all</button>
${commonPart(common)}
${subjects.map((subject) => subjectPart(reference, subject))}`,
  });
}

function operationsOf({ paths }: Document): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function subjectsOf({ tags }: Document, operations: readonly PlacedOperation[]): Subject[] {
  return tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

/** The search. The script of the reference filters by it (web/src/reference/filter.ts). */
const FILTER = html`<search class="scripted"><label class="sr-only" for="filter">Search calls, fields and errors</label>
<input id="filter" type="search" placeholder="Search calls, fields and errors" autocomplete="off" spellcheck="false">
<p id="filter-outcome" role="status"></p></search>`;

function links({ name, operations }: Subject): Html {
  return html`<li><span>${name}</span><ul>${operations.map(link)}</ul></li>`;
}

function link({ method, path, operation }: PlacedOperation): Html {
  return html`<li><a href="#${operation.operationId}"><b>${method.toUpperCase()}</b> ${path}</a></li>`;
}

/** A link to the pages for other readers. */
function elsewhere(audience: Audience): Html {
  if (audience === 'callers') {
    return html`<p>The <a href="/docs/guide">guide</a> begins with your first call. Operators have
<a href="/docs/operator">their own calls</a>. For programs: <a href="/openapi.json">/openapi.json</a>, OpenAPI 3.1.</p>`;
  }
  return html`<p>Callers have <a href="/docs">their own reference</a>. For programs:
<a href="/operator/openapi.json">/operator/openapi.json</a>, OpenAPI 3.1.</p>`;
}

/** The parameters and errors of all calls, and the common form of errors. */
function commonPart({ parameters, errors }: Listed): Html {
  const { status, example: message } = API_ERRORS.MISSING_API_KEY;
  const error = { error: { code: 'MISSING_API_KEY', message, status } };
  return html`<div class="subject"><h2>All calls</h2>
<details class="operation"><summary><h3 id="all-calls-title">Parameters and errors of all calls</h3></summary>
<section id="all-calls" aria-labelledby="all-calls-title">
${parameterList(parameters)}
<p>Every error has this form. Decide by <code>code</code>; a 400 adds <code>details</code>, which
name what was wrong.</p>
${code('An error', JSON.stringify(error, null, 2))}
${errorList(errors)}
</section></details></div>
`;
}

function subjectPart(reference: Reference, subject: Subject): Html {
  const { name, description, operations } = subject;
  return html`<div class="subject"><h2>${name}</h2>
<p>${description}</p>
${operations.map((placed) => operationPart(reference, placed))}</div>
`;
}

function operationPart(reference: Reference, placed: PlacedOperation): Html {
  const { document, origin, audience, common } = reference;
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  const { parameters, errors } = ownOf(operation, common);
  const { body, answer, example = exampleOf(document, answer) } = contentsOf(operation);
  return html`<details class="operation"><summary>
<span class="path"><b>${method.toUpperCase()}</b> <code>${path}</code></span>
<h3 id="${operationId}-title">${summary}</h3></summary>
<section id="${operationId}" aria-labelledby="${operationId}-title">
${prose(description)}
${samples(document, origin, placed)}
${audience === 'callers' ? trialOf(document, placed, parameters) : html``}
${parameterList(parameters)}
${body ? fields(reference, placed, ['Body', body]) : html``}
${fields(reference, placed, ['Answer', answer])}
<details><summary>Example of an answer, with one item of each list</summary>
${code(`Answer: ${summary}`, JSON.stringify(example, null, 2))}</details>
${errorList(errors)}
<p class="more">See also the <a href="#all-calls">parameters and errors of all calls</a>.</p>
</section></details>
`;
}

/** The schemas of an operation's request and answer, with an example of the answer. */
function contentsOf({ requestBody, responses }: Operation) {
  const { schema = {}, example } = responses['200']?.content?.['application/json'] ?? {};
  return { body: requestBody?.content['application/json']?.schema, answer: schema, example };
}

function bodiesOf({ operation }: PlacedOperation): (readonly [string, Schema])[] {
  const { body = {}, answer } = contentsOf(operation);
  return [body, answer].map((schema) => [operation.operationId, schema] as const);
}

/** The request of an operation in each language. The reader chooses one. */
function samples(document: Document, origin: string, placed: PlacedOperation): Html {
  const { operationId, summary } = placed.operation;
  const choices = LANGUAGES.map((language, index) => {
    const checked = index === 0 ? html` checked` : html``;
    return html`<label><input type="radio" name="${operationId}-language" value="${language}"${checked}>${language}</label>`;
  });
  const texts = LANGUAGES.map((language) => {
    return html`<div data-language="${language}">${code(
      `${language}: ${summary}`,
      sampleOf(language, document, origin, placed),
    )}</div>`;
  });
  return html`<div class="samples"><fieldset class="segmented"><legend class="sr-only">Language</legend>${choices}</fieldset>
<button type="button" class="copy scripted">Copy</button>
${texts}</div>`;
}

/** Focusable, so the keyboard can scroll long lines. */
function code(label: string, text: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

function fields(
  { document, places }: Reference,
  { operation: { operationId } }: PlacedOperation,
  [title, schema]: readonly [title: string, schema: Schema],
): Html {
  const rows = fieldsOf(document, schema, places, { operationId, path: '' }).map((field) => {
    const { path, type, isOptional, like, description } = field;
    const likeness = like ? html`, like ${placeOf(like, document, operationId)}` : html``;
    return row(path, html`${type}${likeness}${isOptional ? '; optional' : ''}`, description);
  });
  return html`<h4>${title}</h4><dl>${rows}</dl>`;
}

/** The name of a place, as a link target for other operations. */
function placeOf({ operationId, path }: Place, document: Document, from: string): Html {
  const placed = operationsOf(document).find(
    ({ operation }) => operation.operationId === operationId,
  );
  if (!placed || operationId === from) return html`${path}`;
  const { method, path: address } = placed;
  return html`<a href="#${operationId}">${path} of ${method.toUpperCase()} ${address}</a>`;
}

function parameterList(parameters: readonly Parameter[]): Html {
  if (parameters.length === 0) return html``;
  return html`<h4>Parameters</h4><dl>${parameters.map(parameterRow)}</dl>`;
}

function parameterRow({ name, in: place, required, description = '', schema }: Parameter): Html {
  const need = required ? `required, in the ${place}` : `in the ${place}`;
  return row(name, `${typeText(schema)}; ${need}`, description);
}

function row(name: string, type: string | Html, description: string): Html {
  return html`<dt><code>${name}</code> <span>${type}</span></dt><dd>${inline(description)}</dd>`;
}

function errorList(errors: readonly DocumentedError[]): Html {
  if (errors.length === 0) return html``;
  const rows = errors.map(({ code, status, message }) => row(code, status, message));
  return html`<h4>Errors</h4><dl>${rows}</dl>`;
}
