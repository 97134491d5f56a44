import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BadRecord } from '../../../src/sources/io/json.ts';
import {
  type ChooseAction,
  type JsonMember,
  MalformedJson,
  type MemberAction,
  readJsonMembers,
} from '../../../src/sources/io/json-stream.ts';

async function read(chunks: Iterable<Uint8Array>, choose: ChooseAction): Promise<JsonMember[]> {
  return (await Array.fromAsync(readJsonMembers(chunks, choose))).flat();
}

const bytesOf = (text: string) => Buffer.from(text);

/** Returns the expected members, by recursion over a parsed value. */
function expected(value: object, choose: ChooseAction, path: readonly string[] = []): JsonMember[] {
  return Object.entries(value).flatMap(([name, member]): JsonMember[] => {
    const way = [...path, name];
    const choice = choose(way);
    if (choice === 'skip') return [];
    const isContainer = typeof member === 'object' && member !== null;
    if (choice === 'enter' && isContainer) return expected(member, choose, way);
    return [{ path: way, value: member }];
  });
}

/** Choices that look arbitrary and are the same for the same path. */
function choices(seed: number): ChooseAction {
  const options: readonly MemberAction[] = ['enter', 'take', 'skip', 'enter'];
  return (path) => {
    const hash = path.join('/').length * 7 + path.length * 3 + seed;
    return options[hash % options.length] ?? 'take';
  };
}

const aContainer = fc
  .jsonValue({ maxDepth: 6, stringUnit: 'binary' })
  .filter((value) => typeof value === 'object' && value !== null)
  .map((value) => value as object);

/** The ends of the chunks of a text. */
const borders = fc.array(fc.nat(), { maxLength: 12 });

/** Yields chunks as a file does: one after the other in the same memory. */
function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): Generator<Uint8Array> {
  const shared = Buffer.alloc(bytes.length);
  const ends = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    shared.fill(0x58).set(bytes.subarray(start, end));
    yield shared.subarray(0, end - start);
    start = end;
  }
}

describe('JSON that is read in chunks', () => {
  test('has the members that JSON.parse finds, wherever the chunks end', async () => {
    const indents = fc.constantFrom(undefined, 1, '\t', '\r\n');
    await fc.assert(
      fc.asyncProperty(
        aContainer,
        indents,
        borders,
        fc.nat(9),
        async (value, indent, cuts, seed) => {
          const text = JSON.stringify(value, null, indent === '\r\n' ? 1 : indent);
          const bytes = bytesOf(indent === '\r\n' ? text.replaceAll('\n', '\r\n') : text);
          const choose = choices(seed);
          const found = await read(chunksOf(bytes, cuts), choose);
          assert.deepEqual(found, expected(JSON.parse(text) as object, choose));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('has them when every byte is a chunk', async () => {
    const value = {
      'a "b" \\': ['{', '}]', '\\"', '\\\\', { '[': -1.5e-7 }, true, null, ''],
      'é “ü” \u{1f600}': { '': {}, x: [] },
    };
    const text = JSON.stringify(value);
    const bytes = [...bytesOf(text)].map((byte) => Uint8Array.of(byte));
    for (const choose of [() => 'take', () => 'enter', choices(1), choices(2)] as ChooseAction[]) {
      assert.deepEqual(await read(bytes, choose), expected(value, choose));
    }
  });

  test('is refused when it breaks off anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(aContainer, fc.nat(), fc.nat(9), async (value, cut, seed) => {
        const bytes = bytesOf(JSON.stringify(value));
        const part = bytes.subarray(0, cut % bytes.length);
        await assert.rejects(read([part], choices(seed)), MalformedJson);
      }),
    );
  });

  test('is refused or read, with any content', async () => {
    const signs = fc.constantFrom(...'{}[]:,"\\ ax1-\n\ufeff');
    await fc.assert(
      fc.asyncProperty(fc.array(signs), borders, async (text, cuts) => {
        const chunks = chunksOf(bytesOf(text.join('')), cuts);
        await read(chunks, choices(1)).catch((error) => {
          assert.ok(error instanceof MalformedJson, String(error));
        });
      }),
      { numRuns: 500 },
    );
  });

  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /breaks off/],
    ['[1, 2', /breaks off/],
    ['{"a": 1} {}', /continues after its end/],
    ['17', /neither an object nor an array/],
    ['"text"', /neither an object nor an array/],
    ['<html>', /neither an object nor an array/],
    ['{a: 1}', /"a" where none can be/],
    ['{"a" 1}', /"1" where none can be/],
    ['{"a": 1 "b": 2}', /""" where none can be/],
    ['{"a": }', /"}" where none can be/],
    ['[1, ]', /"]" where none can be/],
    ['[1}', /"}" where none can be/],
    ['{"\\x": 1}', /the name of a member is broken/],
  ];
  for (const [text, message] of bad) {
    test(`such as ${text || 'nothing'} is refused`, async () => {
      await assert.rejects(
        read([bytesOf(text)], () => 'take'),
        (error) => error instanceof MalformedJson && message.test(error.message),
      );
    });
  }

  test('continues after a broken member', async () => {
    const text = bytesOf('{"a": {"x": tru}, "b": nul, "c": [1}, "d": "\t", "e": 5}');
    const found = await read([text], () => 'take');
    assert.deepEqual(
      found.map(({ path, value }) => [path[0], value instanceof BadRecord ? value.message : value]),
      [
        ['a', 'not valid JSON'],
        ['b', 'not valid JSON'],
        ['c', 'not valid JSON'],
        ['d', 'not valid JSON'],
        ['e', 5],
      ],
    );
  });

  test('recognises bytes that are not UTF-8, and accepts a literal U+FFFD', async () => {
    const text = Buffer.concat([bytesOf('["\ufffd", "'), Buffer.of(0xff), bytesOf('"]')]);
    const [first, second] = await read([text], () => 'take');
    assert.equal(first?.value, '\ufffd');
    assert.ok(second?.value instanceof BadRecord);
    assert.equal(second.value.message, 'not UTF-8 text');
  });

  test('may begin with a byte order mark', async () => {
    const found = await read([bytesOf('\ufeff{"a":1}')], () => 'take');
    assert.deepEqual(found, [{ path: ['a'], value: 1 }]);
  });

  test('does not keep skipped members, and refuses taken ones that are too long', async () => {
    function* chunks() {
      yield bytesOf('{"long": "');
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      for (let count = 0; count < 70; count += 1) yield chunk;
      yield bytesOf('", "short": 1}');
    }
    const found = await read(chunks(), ([name]) => (name === 'long' ? 'skip' : 'take'));
    assert.deepEqual(found, [{ path: ['short'], value: 1 }]);
    await assert.rejects(
      read(chunks(), () => 'take'),
      /\/long is longer than a member can be/,
    );
  });
});
