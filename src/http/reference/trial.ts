import {
  type Document,
  exampleOfParameter,
  type Parameter,
  resolveSchema,
  typeText,
} from './document.ts';
import { type Html, html } from './html.ts';
import { bodyOf, type PlacedOperation } from './samples.ts';

/**
 * Returns a form that sends a request of an operation with the reader's API key and some
 * parameters, filled in with examples. The script of the reference sends it
 * (web/src/reference/trials.ts).
 */
export function trialOf(
  document: Document,
  { method, path, operation }: PlacedOperation,
  parameters: readonly Parameter[],
): Html {
  const body = bodyOf(document, operation);
  const fields = parameters.map((parameter) => parameterField(document, parameter));
  return html`<details class="trial scripted"><summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}">
<label>API key <input class="secret" data-key required autocomplete="off" spellcheck="false"></label>
<p class="hint">Sent only to this service, in the header <code>X-API-Key</code>, and forgotten when you leave
this page. <span data-key-help>Create one on the page <a href="/keys">Keys</a>.</span></p>
${body === undefined ? html`` : bodyField(body)}
<div class="fields">${fields}</div>
<button class="primary">Send</button>
</form>
<p role="status"></p><div class="answer"></div></details>`;
}

function parameterField(document: Document, parameter: Parameter): Html {
  const { name, in: place, required } = parameter;
  const schema = resolveSchema(document, parameter.schema);
  const needed = required ? html` required` : html``;
  const value = required ? exampleOfParameter(document, parameter) : '';
  if (schema.enum) {
    return html`<label><code>${name}</code>
<select data-in="${place}" name="${name}"${needed}>${optionsOf(schema.enum, value)}</select></label>`;
  }
  return html`<label><code>${name}</code> <span>${typeText(schema)}</span>
<input data-in="${place}" name="${name}" value="${value}"${needed} autocomplete="off" spellcheck="false"></label>`;
}

/** The values of a list. The first sends nothing, unless a choice is required. */
function optionsOf(names: readonly (string | null)[], chosen: string): readonly Html[] {
  const unset = chosen === '' ? [html`<option value="">not sent</option>`] : [];
  const named = names.map((name) => {
    return html`<option${name === chosen ? html` selected` : html``}>${name ?? 'null'}</option>`;
  });
  return [...unset, ...named];
}

function bodyField(body: unknown): Html {
  const text = JSON.stringify(body, null, 2);
  return html`<label>Body <span>JSON</span> <textarea data-in="body" rows="10" spellcheck="false">${text}</textarea></label>`;
}
