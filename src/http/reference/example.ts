import { type Document, type Operation, resolveSchema, type Schema, typesOf } from './document.ts';

/** Example values of each type, for schemas without an example. */
const VALUES: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 453.86,
  boolean: false,
};

/** Returns a value that a schema allows: its first example, or one built from its parts. */
export function exampleOf(document: Document, schema: Schema): unknown {
  const { examples, enum: names, items, properties, ...rest } = resolveSchema(document, schema);
  const given = examples?.[0] ?? rest.default ?? names?.[0];
  if (given !== undefined) return given;
  if (items) return [exampleOf(document, items)];
  if (!properties) return VALUES[typesOf(rest)[0] ?? ''] ?? null;
  const fields = Object.entries(properties).map(([name, field]) => {
    return [name, exampleOf(document, field)] as const;
  });
  return Object.fromEntries(fields);
}

/** Returns a curl command for an operation, with the API key in a shell variable. */
export function curlOf(
  document: Document,
  origin: string,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): string {
  const url = `${origin}${pathOf(document, path, operation)}`;
  const lines = ['curl -H "X-API-Key: $KEY"'];
  const body = operation.requestBody?.content['application/json'];
  if (body) {
    const json = JSON.stringify(exampleOf(document, body.schema)).replaceAll("'", "'\\''");
    lines.push("-H 'Content-Type: application/json'", `-d '${json}'`);
  }
  if (method !== 'get' && method !== 'post') lines.push(`-X ${method.toUpperCase()}`);
  return [...lines, `'${url}'`].join(' \\\n  ');
}

/** Returns the path with an example of each parameter that has an example or is required. */
function pathOf(document: Document, path: string, { parameters = [] }: Operation): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, required, schema, ...parameter } of parameters) {
    const example = String(parameter.example ?? exampleOf(document, schema));
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(example));
    else if (required) query.set(name, example);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}
