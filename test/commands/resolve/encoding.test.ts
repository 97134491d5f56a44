import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { OperatorError } from '../../../src/domain/errors.ts';
import { readList } from '../../support/lists.ts';

const TEXT = '4 Pokémon Ranger\n\n1 リザードン\n';
const LINES = ['4 Pokémon Ranger', '', '1 リザードン'];

async function linesOf(content: string | Buffer): Promise<string[]> {
  const { rows } = await readList(content, { format: 'lines' });
  return rows.map(({ cells: [text = ''] }) => text);
}

function utf16(text: string): { readonly le: Buffer; readonly be: Buffer } {
  return { le: Buffer.from(text, 'utf16le'), be: Buffer.from(text, 'utf16le').swap16() };
}

describe('a file is read in its encoding', () => {
  const marked = `\ufeff${TEXT}`;
  const encoded: readonly (readonly [string, Buffer])[] = [
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(marked)],
    ['UTF-16 LE with a byte order mark', utf16(marked).le],
    ['UTF-16 BE with a byte order mark', utf16(marked).be],
    ['UTF-16 LE without a byte order mark', utf16(TEXT).le],
    ['UTF-16 BE without a byte order mark', utf16(TEXT).be],
  ];
  for (const [encoding, bytes] of encoded) {
    test(`${encoding}, without a warning`, async () => {
      assert.deepEqual(await linesOf(bytes), LINES);
      const { notes } = await readList(bytes, { format: 'lines' });
      assert.deepEqual(notes, ['cards is read as lines of text.']);
    });
  }

  test('Windows-1252 in some lines and UTF-8 in others, with a warning', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Pokémon\r\n'),
      Buffer.from('Pok\xe9mon\x85', 'latin1'),
    ]);
    assert.deepEqual(await linesOf(bytes), ['Pokémon', 'Pokémon…']);
    const { notes } = await readList(bytes);
    assert.match(
      notes[1] ?? '',
      /^Warning: cards is not all UTF-8: line 2 is read as Windows-1252\./,
    );
  });

  test('a stray zero byte does not make it UTF-16', async () => {
    const text = `${'4 Lightning Bolt\n'.repeat(20)}Sol\0 Ring`;
    assert.equal((await linesOf(text)).at(-1), 'Sol\0 Ring');
  });

  test('with any line ends', async () => {
    assert.deepEqual(await linesOf('a\r\nb\rc\nd'), ['a', 'b', 'c', 'd']);
  });
});

describe('a file that is not text is refused with what it is:', () => {
  const files: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['a zip archive', Buffer.from('PK\x03\x04\x14\x00'), /is a zip archive or an Excel workbook/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save the sheet as CSV\.$/],
    ['gzip', Buffer.from('1f8b08', 'hex'), /compressed with gzip: unpack it first\.$/],
    ['a PDF', '%PDF-1.7\n', /is a PDF/],
    ['a picture', Buffer.from('\x89PNG\r\n', 'latin1'), /is a picture \(PNG\)/],
    ['a database', 'SQLite format 3\0', /is a SQLite database/],
    [
      'other bytes',
      Buffer.from([1, 2, 3, 0, 5, 6, 0, 0]),
      /is not text: it contains control characters/,
    ],
    [
      'half of UTF-16',
      Buffer.from('fffe00d84100', 'hex'),
      /begins like UTF-16 but is not valid UTF-16\.$/,
    ],
  ];
  for (const [kind, bytes, message] of files) {
    test(kind, async () => {
      await assert.rejects(readList(bytes, { name: 'cards.csv' }), (error) => {
        return error instanceof OperatorError && message.test(error.message);
      });
    });
  }
});

const BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(text)),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => Buffer.from(text, 'utf16le')),
);

test('any bytes give a row for each line, or a refusal', async () => {
  await fc.assert(
    fc.asyncProperty(BYTES, async (content) => {
      const list = await readList(content, { format: 'lines' }).catch(refused);
      list?.rows.forEach(({ line }, index) => {
        assert.equal(line, index + 1);
      });
    }),
  );
});

test('any bytes behind any header give rows in their order, or a refusal', async () => {
  const header = fc.constantFrom(
    'name,set\n',
    'name;number\n',
    '{"name":"Mew"}\n',
    '"sep=,"\n',
    '',
  );
  const format = fc.constantFrom('csv', 'tsv', 'ndjson', undefined);
  await fc.assert(
    fc.asyncProperty(header, BYTES, format, async (head, content, chosen) => {
      const bytes = Buffer.concat([Buffer.from(head), content]);
      const list = await readList(bytes, chosen ? { format: chosen } : {}).catch(refused);
      const lines = list?.rows.map(({ line }) => line) ?? [];
      assert.deepEqual(
        lines,
        lines.toSorted((a, b) => a - b),
      );
    }),
  );
});

/** A refusal is an error for operators; anything else is a fault. */
function refused(error: unknown): undefined {
  assert.ok(error instanceof OperatorError, String(error));
}
