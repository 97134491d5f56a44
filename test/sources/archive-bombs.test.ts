import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MalformedFile } from '../../src/sources/tcgcsv/adapt.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import { ArchiveFolder, PACKED } from '../support/archive.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { MAIN } from '../support/main-module.ts';
import { editHeader, packBy7z } from '../support/seven-zip.ts';

const MEGABYTE = 1024 * 1024;
const PRICES = '2026-01-27/71/1/prices';

const unpacker = new Unpacker();
after(() => unpacker.close());

/** Why an archive is not unpacked. */
async function reasonFor(archive: Buffer): Promise<string> {
  const unpacked = unpacker.unpack(new Uint8Array(archive), ['2026-01-27/*']);
  const reason = await unpacked.catch((error: unknown) => error);
  assert.ok(reason instanceof MalformedFile, JSON.stringify(reason));
  return reason.message;
}

/** The most memory that this process took so far beyond what it had, in megabytes. */
function growth(): () => number {
  const before = process.resourceUsage().maxRSS;
  return () => (process.resourceUsage().maxRSS - before) / 1024;
}

describe('an archive is not unpacked', () => {
  it('that is small and promises much', async () => {
    const bomb = await packBy7z({ [PRICES]: new Uint8Array(30 * MEGABYTE) }, '-mx=1');
    assert.ok(bomb.length < 10_000);
    assert.match(
      await reasonFor(bomb),
      /^claims to hold 31457280 bytes in \d{4}, which no day of prices does$/,
    );
  });

  it('that has a file larger than prices are', async () => {
    const bomb = await packBy7z({ [PRICES]: new Uint8Array(33 * MEGABYTE) }, '-mx=1');
    assert.match(await reasonFor(bomb), /^claims to hold a file of 34603008 bytes, which no day/);
  });

  it('that wants gigabytes of memory for its packing', async () => {
    const packed = await packBy7z({ [PRICES]: 'prices' }, '-m0=PPMd:o=6:mem=16m', '-mhc=off');
    // The order and the memory of PPMd; 1.5 GB instead of what it took.
    const order = packed.indexOf(Buffer.from([0x03, 0x04, 0x01, 0x05]), 32) + 4;
    const told = packed.subarray(order - 4, order + 5);
    const wanted = Buffer.from(told);
    wanted.writeUInt32LE(1536 * MEGABYTE, 5);
    const grown = growth();
    const reason = await reasonFor(editHeader(packed, told, wanted));
    assert.equal(reason, 'takes more than 320 MB of memory to unpack');
    assert.ok(grown() < 400, `${grown()} MB`);
  });

  it('that is of another format which 7z knows', async () => {
    const tar = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);
    assert.equal(await reasonFor(tar), 'not a whole 7z archive');
  });

  it('that has a password, which nobody is asked for', async () => {
    const locked = await packBy7z({ [PRICES]: 'prices' }, '-psecret');
    assert.match(await reasonFor(locked), /Wrong password|not a whole 7z archive/);
    const hidden = await packBy7z({ [PRICES]: 'prices' }, '-psecret', '-mhe=on');
    assert.equal(await reasonFor(hidden), 'not a whole 7z archive');
  });
});

it('the archives after one that was refused are unpacked', async () => {
  const bomb = await packBy7z({ [PRICES]: new Uint8Array(30 * MEGABYTE) }, '-mx=1');
  assert.match(await reasonFor(bomb), /claims to hold/);
  const [entry] = await unpacker.unpack(new Uint8Array(await packBy7z({ [PRICES]: 'prices' })), [
    '2026-01-27/*',
  ]);
  assert.equal(entry?.path, PRICES);
  assert.equal(Buffer.from(entry.bytes).toString(), 'prices');
});

describe('without the package 7z-wasm', () => {
  const database = join(temporaryFolder(), 'cards.db');
  const without = ['--import', './test/support/without-seven-zip.ts', MAIN];
  const cardprice = (...args: string[]) => {
    const command = [process.execPath, ...without];
    return run(['import', 'tcgcsv-archive', ...args, '--database', database], { command });
  };

  it('packed days are refused in one line that says what to install', async () => {
    for (const place of [[PACKED], ['https://cards.example', '--from', '2026-01-27']]) {
      const { code, out, err } = await cardprice(...place);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /^cardprice: Days packed by 7z need the package 7z-wasm, .+\n$/);
      assert.match(err, /npm install 7z-wasm@/);
    }
  });

  it('unpacked days are imported', async () => {
    const archive = new ArchiveFolder().day('2026-01-27', '3/604', [
      { productId: 1, subTypeName: 'Normal', market: 1 },
    ]);
    const { code, out, err } = await cardprice(archive.folder);
    assert.equal(code, 0, err);
    assert.match(out, /^Read {6}1 days/m);
  });
});
