import { type Document, exampleOf, type Operation, pathOf, resolveSchema } from './document.ts';

/** The same request in common programming languages. */

/** The environment variable from which samples read the API key. */
const VARIABLE = 'PRICES_KEY';

/** A request with an operation's examples. */
interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** Undefined without a body. */
  readonly body: unknown;
}

const SAMPLES = {
  curl: curlOf,
  JavaScript: javaScriptOf,
  Python: pythonOf,
} as const satisfies Record<string, (request: SampleRequest) => string>;

export type Language = keyof typeof SAMPLES;

/** The languages of samples. The first is the default. */
export const LANGUAGES = Object.keys(SAMPLES) as Language[];

/** An operation of a document, with its method and path. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Returns the code of a request for an operation. It reads the API key from the environment. */
export function sampleOf(
  language: Language,
  document: Document,
  origin: string,
  { method, path, operation }: PlacedOperation,
): string {
  return SAMPLES[language]({
    method: method.toUpperCase(),
    url: `${origin}${pathOf(document, path, operation)}`,
    body: bodyOf(document, operation),
  });
}

/**
 * Returns an example of the body of an operation, with the fields that are required or have an
 * example; undefined if it has none.
 */
export function bodyOf(document: Document, { requestBody }: Operation): unknown {
  const content = requestBody?.content['application/json'];
  if (!content) return undefined;
  const { properties = {}, required = [] } = resolveSchema(document, content.schema);
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const isShown = required.includes(name) || field.examples;
    return isShown ? [[name, exampleOf(document, field)] as const] : [];
  });
  return Object.fromEntries(fields);
}

function curlOf({ method, url, body }: SampleRequest): string {
  const lines = [`curl -H "X-API-Key: $${VARIABLE}"`];
  if (body !== undefined) {
    const json = JSON.stringify(body).replaceAll("'", "'\\''");
    lines.push("-H 'Content-Type: application/json'", `-d '${json}'`);
  } else if (method !== 'GET') {
    lines.push(`-X ${method}`);
  }
  return [...lines, `'${url}'`].join(' \\\n  ');
}

function javaScriptOf({ method, url, body }: SampleRequest): string {
  const key = `'X-API-Key': process.env.${VARIABLE}`;
  const lines = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(body === undefined
      ? [`headers: { ${key} },`]
      : [
          `headers: { ${key}, 'Content-Type': 'application/json' },`,
          `body: JSON.stringify(${JSON.stringify(body)}),`,
        ]),
  ];
  return `const response = await fetch('${url}', {
${lines.map((line) => `  ${line}\n`).join('')}});
console.log(response.status, await response.json());`;
}

function pythonOf({ method, url, body }: SampleRequest): string {
  const key = `"X-API-Key": os.environ["${VARIABLE}"]`;
  const lines = [
    `"${url}",`,
    ...(body === undefined
      ? [`headers={${key}},`]
      : [
          `headers={${key}, "Content-Type": "application/json"},`,
          `data=json.dumps(${pythonLiteral(body)}).encode(),`,
        ]),
    ...(method === 'GET' ? [] : [`method="${method}",`]),
  ];
  return `import json, os, urllib.request

request = urllib.request.Request(
${lines.map((line) => `    ${line}\n`).join('')})
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`;
}

/** Python writes `true`, `false` and `null` differently from JSON. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => {
    return `${JSON.stringify(name)}: ${pythonLiteral(member)}`;
  });
  return `{${members.join(', ')}}`;
}
