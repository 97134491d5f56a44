import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { Compile } from 'typebox/compile';
import { shareService } from '../support/app.ts';
import {
  type Document,
  JSON_TYPE,
  type Operation,
  type Parameter,
  parseDocument,
  resolve,
  type Schema,
} from './document.ts';

/** How many requests each operation gets. */
const RUNS = 25;

/** Texts that mean something in the fixture catalogue, next to any others. */
const KNOWN_TEXTS = [
  'pokemon-bs-charizard-004',
  'pokemon-base-set',
  'charizard',
  'tcgplayer',
  'free',
  '1',
];

/** Publications that the service has or lacks; also allowed as idempotency keys. */
const HEADER_VALUES = fc.constantFrom('0', '0', '0', '9999999999999999');

/** Values that a schema allows. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { oneOf, type = 'object' } = schema;
  const choices = schema.enum as unknown[] | undefined;
  if (choices) return fc.constantFrom(...choices);
  if (oneOf) return fc.oneof(...oneOf.map(valuesOf));
  const types = typeof type === 'string' ? [type] : type;
  return fc.oneof(...types.map((one) => VALUES[one]?.(schema) ?? assert.fail(one)));
}

const VALUES: Readonly<Record<string, (schema: Schema) => fc.Arbitrary<unknown>>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = -9, maximum = 9_999 }) => {
    return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 2 ** 31) });
  },
  number: ({ minimum = 0, maximum = 9_999 }) => {
    return fc.double({ min: Number(minimum), max: Number(maximum), noNaN: true });
  },
  string: ({ pattern, minLength = 0, maxLength = 200, examples }) => {
    if (pattern !== undefined) return fc.stringMatching(new RegExp(String(pattern)));
    const bounds = { minLength: Number(minLength), maxLength: Number(maxLength) };
    const known = [...KNOWN_TEXTS, ...((examples as unknown[] | undefined) ?? [])];
    return fc.oneof(fc.string({ ...bounds, unit: 'binary' }), fc.constantFrom(...known));
  },
  array: ({ items = {}, minItems = 0, maxItems = 20 }) => {
    return fc.array(valuesOf(items), { minLength: Number(minItems), maxLength: Number(maxItems) });
  },
  object: ({ properties = {}, required = [] }) => {
    const fields = Object.entries(properties).map(
      ([name, field]) => [name, valuesOf(field)] as const,
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] });
  },
};

/** A request for an operation: what its schema allows, and nothing else. */
function requestsOf(path: string, { parameters = [], requestBody }: Operation) {
  const drawn = parameters.map(({ name, in: place, required, schema }) => {
    const value = place === 'header' ? HEADER_VALUES : valuesOf(schema);
    return fc.record({
      name: fc.constant(name),
      place: fc.constant(place),
      // Half of them, because a request with all optional parameters is seldom a good one.
      value: required ? value : fc.option(value, { nil: undefined, freq: 2 }),
    });
  });
  const body = requestBody?.content[JSON_TYPE];
  const bodies = body ? valuesOf(body.schema) : fc.constant(undefined);
  return fc.tuple(fc.tuple(...drawn), bodies).map(([all, body]) => {
    const set = all.filter(({ value }) => value !== undefined);
    return { ...requestWith(path, set), body };
  });
}

/** A parameter of a request, where it is. */
interface Sent {
  readonly name: string;
  readonly place: string;
  readonly value: unknown;
}

/** The address and the headers of a request with parameters. */
function requestWith(path: string, sent: readonly Sent[]) {
  const inPath = sent.filter(({ place }) => place === 'path');
  const filled = inPath.reduce((url, { name, value }) => {
    return url.replace(`{${name}}`, encodeURIComponent(String(value)));
  }, path);
  const pairs = (where: string) => {
    const those = sent.filter(({ place }) => place === where);
    return those.map(({ name, value }) => [name, String(value)]);
  };
  const query = new URLSearchParams(pairs('query'));
  const headers: Record<string, string> = Object.fromEntries(pairs('header'));
  return { url: `${filled}?${query}`, headers };
}

/** The schema with all references replaced, so that a value can be drawn from it. */
function inFull(document: Document, operation: Operation): Operation {
  const whole = (schema: Schema) => resolve(document, schema);
  const { parameters, requestBody } = operation;
  const media = requestBody?.content[JSON_TYPE];
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => ({ ...one, schema: whole(one.schema) })),
    }),
    ...(media && {
      requestBody: { content: { [JSON_TYPE]: { ...media, schema: whole(media.schema) } } },
    }),
  };
}

/**
 * Fails unless the document has the status and form of an answer, and its schema allows the body.
 */
function assertDocumented(
  document: Document,
  operation: Operation,
  { statusCode, headers, body }: LightMyRequestResponse,
) {
  const documented = operation.responses[statusCode];
  assert.ok(documented, `${operation.operationId} was answered ${statusCode}: ${body}`);
  if (!documented.content) return;
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const schema = documented.content[type]?.schema;
  assert.ok(schema, `${operation.operationId} was answered in ${type}`);
  if (schema.type === 'string') return;
  const checker = Compile(resolve(document, schema));
  assert.ok(checker.Check(JSON.parse(body)), `${operation.operationId}: ${body}`);
}

function operationsIn(document: Document) {
  return Object.entries(document.paths).flatMap(([path, methods]) => {
    return Object.entries(methods).map(([method, operation]) => ({ path, method, operation }));
  });
}

/** Returns a value that a parameter allows. */
function exampleIn({ example, schema }: Parameter): unknown {
  const [first] = (schema.examples ?? schema.enum ?? ['x']) as unknown[];
  return example ?? first;
}

/** Returns values of a parameter that its schema does not allow. */
function valuesOutside({ minimum, maximum, enum: names, type }: Schema): readonly unknown[] {
  if (names) return ['no such value'];
  const isNumber = type === 'integer' || type === 'number';
  return [
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? [maximum + 1] : []),
    ...(isNumber ? ['many'] : []),
  ];
}

/** Returns requests in which one parameter has a value that is not allowed. */
function requestsOutside(path: string, { parameters = [] }: Operation) {
  return parameters.flatMap((wrong) => {
    const others = parameters.filter((one) => one.required && one !== wrong);
    const rest = others.map((one) => ({ name: one.name, place: one.in, value: exampleIn(one) }));
    return valuesOutside(wrong.schema).map((value) => {
      return requestWith(path, [...rest, { name: wrong.name, place: wrong.in, value }]);
    });
  });
}

for (const file of ['/openapi.json', '/operator/openapi.json']) {
  describe(`Values drawn from the schemas of ${file}`, () => {
    const shared = shareService('SQLite');

    it('get only answers that it documents, most of them good ones', async () => {
      const { service } = shared;
      const document = parseDocument((await service.get(file)).body);
      const successful = new Set<string>();
      const all = operationsIn(document);
      for (const { path, method, operation } of all) {
        const key = await keyFor(operation.operationId);
        const requests = requestsOf(path, inFull(document, operation));
        const property = fc.asyncProperty(requests, async ({ url, headers, body }) => {
          const answer = await service.app.inject({
            method: method === 'get' ? 'GET' : 'POST',
            url,
            headers: { ...headers, 'x-api-key': key },
            ...(body !== undefined && { payload: body as object }),
          });
          assertDocumented(document, operation, answer);
          if (answer.statusCode < 300) successful.add(operation.operationId);
        });
        await fc.assert(property, { numRuns: RUNS, seed: 1 });
      }
      assert.ok(successful.size > all.length / 2, `${[...successful]} of ${all.length}`);
    });

    it('are bounded: values outside get a 400 that it documents', async () => {
      const { service } = shared;
      const document = parseDocument((await service.get(file)).body);
      let refused = 0;
      for (const { path, method, operation } of operationsIn(document)) {
        const key = await keyFor(`${operation.operationId}-bounds`);
        for (const { url, headers } of requestsOutside(path, operation)) {
          const answer = await service.app.inject({
            method: method === 'get' ? 'GET' : 'POST',
            url,
            headers: { ...headers, 'x-api-key': key },
            ...(method !== 'get' && { payload: {} }),
          });
          assert.equal(answer.statusCode, 400, `${method} ${url}: ${answer.body}`);
          assertDocumented(document, operation, answer);
          refused += 1;
        }
      }
      assert.ok(refused > 0);
    });

    /**
     * A key that may call everything in the document. Operations may revoke it, so each has one.
     */
    async function keyFor(operation: string): Promise<string> {
      const { service } = shared;
      if (file === '/openapi.json') return (await service.caller('business')).key;
      const email = `${operation}@shop.example`;
      await service.accounts.create(email, 'free', { isOperator: true });
      const scopes = ['operator:read', 'operator:write'];
      return (await service.keys.create(email, { scopes })).key;
    }
  });
}
