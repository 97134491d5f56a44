import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { findFile, readChunks, readWholeFile } from '../../../src/sources/io/files.ts';
import { describeSourceFile } from '../../../src/sources/kit/source-file.ts';
import { FeedFolder } from '../../support/feeds.ts';

const TEXT = Buffer.from('Æther “Vial”\n'.repeat(100_000));

/** Writes a file and reads it; returns the file and its unpacked bytes. */
async function read(name: string, content: Uint8Array) {
  const file = await findFile(new FeedFolder().write(name, content));
  const chunks = readChunks(file);
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(Buffer.from(chunk));
  return { file, bytes: Buffer.concat(read), bytesRead: chunks.bytesRead };
}

test('a file that is read as a whole is refused when it unpacks to too much', async () => {
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
  assert.ok(bomb.length < 100_000);
  const file = await findFile(new FeedFolder().write('cards.json', bomb));
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(readWholeFile(file, 1_000_000), {
    name: 'OperatorError',
    message: /cards\.json has more than 1000000 bytes, unpacked\.$/,
  });
  assert.ok(process.memoryUsage().arrayBuffers - before < 20 * 1024 * 1024);
  await assert.rejects(readWholeFile(file), /has more than 67108864 bytes, unpacked\.$/);
});

describe('a file of any size', () => {
  test('is read in chunks and unpacked, under any name', async () => {
    for (const [name, content] of [
      ['plain.json', TEXT],
      ['packed.json.gz', gzipSync(TEXT)],
      ['plain.json.gz', TEXT],
      ['packed.json', gzipSync(TEXT)],
      ['twice.gz', Buffer.concat([gzipSync(TEXT.subarray(0, 5)), gzipSync(TEXT.subarray(5))])],
    ] as const) {
      const { bytes, bytesRead, file } = await read(name, content);
      assert.ok(bytes.equals(TEXT), name);
      assert.equal(bytesRead, file.size);
    }
  });

  test('may be empty', async () => {
    assert.equal((await read('empty', Buffer.alloc(0))).bytes.length, 0);
  });

  test('may be closed before its end', async () => {
    for (const content of [TEXT, gzipSync(TEXT)]) {
      const file = await findFile(new FeedFolder().write('file', content));
      for await (const chunk of readChunks(file)) {
        assert.ok(chunk.length > 0);
        break;
      }
    }
  });

  test('is refused when it breaks off', async () => {
    const packed = gzipSync(TEXT);
    for (const length of [5, 20, packed.length / 2, packed.length - 1]) {
      await assert.rejects(read('half.json.gz', packed.subarray(0, length)), {
        name: 'OperatorError',
        message: /half\.json\.gz cannot be read: it breaks off in the middle; get it again\.$/,
      });
    }
  });

  test('is refused when it is damaged', async () => {
    const packed = gzipSync(TEXT);
    packed.writeUInt32LE(1, packed.length - 8);
    await assert.rejects(read('damaged.gz', packed), {
      name: 'OperatorError',
      message: /damaged\.gz cannot be read: it is damaged; get it again\.$/,
    });
  });

  const otherwise: readonly (readonly [string, readonly number[]])[] = [
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
    ['zip', [0x50, 0x4b, 0x03, 0x04]],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39]],
    ['Zstandard', [0x28, 0xb5, 0x2f, 0xfd]],
    ['7z', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ];
  for (const [packing, bytes] of otherwise) {
    test(`is refused when it is packed by ${packing}, with advice`, async () => {
      await assert.rejects(read('file', Buffer.from(bytes)), {
        name: 'OperatorError',
        message: new RegExp(`is packed by ${packing}: unpack it first`),
      });
    });
  }

  test('is refused when it is missing or a folder', async () => {
    await assert.rejects(findFile('/no/such/file'), { name: 'OperatorError' });
    await assert.rejects(findFile('test'), {
      name: 'OperatorError',
      message: 'test is a folder; a file is expected.',
    });
    const file = { name: 'gone', path: '/no/such/file', size: 1, modifiedAt: 0 };
    await assert.rejects(Array.fromAsync(readChunks(file)), {
      name: 'OperatorError',
      message: /^\/no\/such\/file cannot be read: ENOENT/,
    });
  });

  test('is recognised by its bytes, the bytes of further files and the adapter version', async () => {
    const folder = new FeedFolder();
    const one = await findFile(folder.write('one', TEXT));
    const other = await findFile(folder.write('other', 'text'));
    const same = await findFile(new FeedFolder().write('one', readFileSync(one.path)));
    const known = await describeSourceFile(1, one);
    assert.deepEqual(await describeSourceFile(1, same), known);
    assert.equal(known.path, 'one');
    const others = [
      describeSourceFile(2, one),
      describeSourceFile(1, other),
      describeSourceFile(1, one, other),
    ];
    const digests = (await Promise.all(others)).map(({ digest }) => digest);
    assert.equal(new Set([known.digest, ...digests]).size, 4);
  });
});
