import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Day, parseDay } from '../../src/domain/day.ts';
import type { BackfillChunk, BackfillOutcome } from '../../src/sources/contract/backfill.ts';
import type { KnownFiles } from '../../src/sources/contract/files.ts';
import { openWeb } from '../../src/sources/io/tree.ts';
import { findDays, openArchive, webDays } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import { ArchiveFolder, PACKED } from '../support/archive.ts';
import { NOW } from '../support/tcgcsv.ts';

const FILE = join(PACKED, 'prices-2026-01-27.ppmd.7z');

function dayOf(date: string): Day {
  const day = parseDay(date);
  assert.ok(day !== undefined);
  return day;
}

function unpackerOfTest(): Unpacker {
  const unpacker = new Unpacker();
  after(() => unpacker.close());
  return unpacker;
}

async function readAll(
  days: Parameters<typeof openArchive>[0]['days'],
  known: KnownFiles = () => undefined,
  again = false,
): Promise<{ outcome: BackfillOutcome; chunks: BackfillChunk[] }[]> {
  const read = [];
  for await (const { outcome } of openArchive({ days, now: NOW, again }).parts(known)) {
    read.push({ outcome, chunks: outcome.kind === 'read' ? [...outcome.part.chunks] : [] });
  }
  return read;
}

async function readFolder(location: string) {
  return readAll(await findDays(location, unpackerOfTest()));
}

describe('an archive', () => {
  test('yields its days, oldest first, with the prices of our games', async () => {
    const read = await readFolder(PACKED);
    assert.deepEqual(
      read.map(({ outcome }) => [outcome.kind, outcome.name]),
      [
        ['read', 'prices-2025-09-19.ppmd.7z'],
        ['read', 'prices-2026-01-27.ppmd.7z'],
      ],
    );
    const [listing, ...others] = read[1]?.chunks.flatMap(({ listings }) => listings) ?? [];
    assert.equal(others.length, 2);
    assert.deepEqual(listing, {
      externalId: '510148',
      printing: 'Cold Foil',
      day: dayOf('2026-01-27'),
      prices: { market: 6709, low: null, mid: null, high: null },
    });
  });

  test('gives the same prices packed and unpacked', async () => {
    const unpacked = new ArchiveFolder().day('2026-01-27', '71/71900001', [
      { productId: 510148, subTypeName: 'Cold Foil', market: 67.09 },
      { productId: 510153, subTypeName: 'Cold Foil', market: 740.04 },
      { productId: 510152, subTypeName: 'Cold Foil', market: 153.06 },
    ]);
    const [packed] = await readFolder(FILE);
    const [whole] = await readFolder(unpacked.folder);
    const [day] = await readFolder(join(unpacked.folder, '2026-01-27'));
    assert.deepEqual(whole?.chunks, packed?.chunks);
    assert.deepEqual(day, whole);
  });

  test('does not read unchanged days again, except on request', async () => {
    const days = await findDays(FILE, unpackerOfTest());
    const [{ outcome } = assert.fail()] = await readAll(days);
    assert.ok(outcome.kind === 'read' && outcome.part.file);
    const { file } = outcome.part;
    const known: KnownFiles = (path) => (path === basename(FILE) ? file : undefined);
    const kinds = async (before: KnownFiles, again = false) => {
      return (await readAll(days, before, again)).map((read) => read.outcome.kind);
    };
    assert.deepEqual(await kinds(known), ['unchanged']);
    assert.deepEqual(await kinds(known, true), ['read']);
    assert.deepEqual(await kinds(() => ({ ...file, digest: 'other' })), ['read']);
  });

  test('names a broken file and a bad row in it and reads the others', async () => {
    const archive = new ArchiveFolder()
      .day('2026-01-27', '3/604', [{ productId: 1, subTypeName: 'Normal', market: 1 }])
      .write('2026-01-27/3/605/prices', '{"results":[')
      .day('2026-01-27', '3/606', [{ productId: 2, subTypeName: 'Normal', low: -1 }])
      .day('2026-01-27', '3/607', [{ productId: 3, subTypeName: 'Normal', market: 3 }]);
    const [{ chunks } = assert.fail()] = await readFolder(archive.folder);
    assert.deepEqual(
      chunks.flatMap(({ listings }) => listings.map(({ externalId }) => externalId)),
      ['1', '3'],
    );
    const broken = chunks.flatMap((chunk) => chunk.broken);
    assert.equal(broken[0]?.name, '2026-01-27/3/605/prices');
    assert.match(broken[0].reason, /not valid JSON/);
    assert.match(broken[1]?.reason ?? '', /^lowPrice must be >= 0, but is -1$/);
  });

  test('counts a printing that is listed twice with different prices', async () => {
    const twice = { productId: 1, subTypeName: 'Normal' };
    const archive = new ArchiveFolder().day('2026-01-27', '3/604', [
      { ...twice, market: 1 },
      { ...twice, market: 2 },
    ]);
    const [
      {
        chunks: [chunk],
      } = assert.fail(),
    ] = await readFolder(archive.folder);
    assert.deepEqual(chunk?.skipped, { 'contradictory price': 1 });
  });
});

describe('a broken archive', () => {
  const faults: readonly (readonly [string, (bytes: Buffer) => Buffer, RegExp])[] = [
    ['cut off', (bytes) => bytes.subarray(0, 200), /not a whole 7z archive/],
    ['empty', () => Buffer.alloc(0), /not a whole 7z archive/],
    ['something else', () => Buffer.from('<html>'), /not a whole 7z archive/],
    ['flipped', (bytes) => flip(bytes, 60), /^(CRC Failed|Data Error) : 2026-01-27\//],
    ['of another day', (bytes) => bytes, /holds no prices of that day and our games/],
  ];
  for (const [fault, damage, reason] of faults) {
    test(`(${fault}) is named, and the days around it are read`, async () => {
      const { exitCode } = process;
      const good = await readFile(FILE);
      const name = fault === 'of another day' ? '2026-01-26' : '2026-01-27';
      const archive = new ArchiveFolder()
        .write(
          'prices-2025-09-19.ppmd.7z',
          await readFile(join(PACKED, 'prices-2025-09-19.ppmd.7z')),
        )
        .write(`prices-${name}.ppmd.7z`, damage(good))
        .day('2026-01-28', '3/604', [{ productId: 1, subTypeName: 'Normal', market: 1 }]);
      const [before, broken, behind] = await readFolder(archive.folder);
      assert.deepEqual([before?.outcome.kind, behind?.outcome.kind], ['read', 'read']);
      assert.ok(broken?.outcome.kind === 'broken');
      assert.equal(broken.outcome.name, `prices-${name}.ppmd.7z`);
      assert.match(broken.outcome.reason, reason);
      assert.equal(process.exitCode, exitCode);
    });
  }

  test('of a future day is refused', async () => {
    const archive = new ArchiveFolder().day('2030-01-01', '3/604', []);
    const [{ outcome } = assert.fail()] = await readFolder(archive.folder);
    assert.deepEqual(outcome, {
      kind: 'broken',
      name: '2030-01-01',
      reason: 'its day is in the future',
    });
  });

  test('names a folder in the place of a file', async () => {
    const archive = new ArchiveFolder().write('prices-2026-01-27.ppmd.7z/x', '');
    const [{ outcome } = assert.fail()] = await readFolder(archive.folder);
    assert.ok(outcome.kind === 'broken');
    assert.match(outcome.reason, /cannot be read/);
  });

  for (const location of ['/no/such/folder', 'src', 'package.json']) {
    test(`at ${location} is refused`, async () => {
      await assert.rejects(findDays(location, unpackerOfTest()), { name: 'OperatorError' });
    });
  }
});

describe('an archive on the web', () => {
  type Answer = (response: ServerResponse) => void;
  const found: Answer = async (response) => response.end(await readFile(FILE));
  const status = (code: number): Answer => {
    return (response) => response.writeHead(code).end();
  };

  async function serve(answers: Readonly<Record<string, Answer>>) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const date = /prices-(.*)\.ppmd/.exec(request.url ?? '')?.[1] ?? '';
      asked.push(date);
      (answers[date] ?? status(404))(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`;
    const options = { userAgent: 'cardprice/1 (test)', pauseMs: 0, initialBackoffMs: 1 };
    const tree = openWeb(url, { ...options, missingStatuses: [403, 404] });
    after(() => tree.close());
    const range = { from: dayOf('2026-01-25'), to: dayOf('2026-01-28') };
    return { days: webDays(tree, range, unpackerOfTest()), asked };
  }

  test('reports days with status 403 or 404 as unavailable', async () => {
    const { days } = await serve({ '2026-01-25': status(403), '2026-01-27': found });
    const kinds = (await readAll(days)).map(({ outcome }) => outcome.kind);
    assert.deepEqual(kinds, ['unavailable', 'unavailable', 'read', 'unavailable']);
  });

  test('does not request days that were imported before', async () => {
    const { days, asked } = await serve({});
    const known = { path: '', digest: '', etag: null, observedAt: 0 };
    const read = await readAll(days, (path) => (path.includes('-27') ? known : undefined));
    assert.deepEqual(asked, ['2026-01-25', '2026-01-26', '2026-01-28']);
    assert.equal(read[2]?.outcome.kind, 'unchanged');
  });

  test('stops requesting after a failure, and keeps the earlier days', async () => {
    const { days, asked } = await serve({
      '2026-01-25': (response) => response.end('<html>'),
      '2026-01-26': status(410),
    });
    const read = await readAll(days);
    const reasons = read.map(({ outcome }) => (outcome.kind === 'broken' ? outcome.reason : ''));
    assert.match(reasons[0] ?? '', /not a whole 7z archive/);
    assert.match(reasons[1] ?? '', /answered 410\. The days after it were not tried\.$/);
    assert.equal(read.length, 2);
    assert.ok(!asked.includes('2026-01-28'));
  });
});

/** Returns a copy of the bytes with one bit flipped. */
function flip(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  return flipped;
}
