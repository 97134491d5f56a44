import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RemoteFile } from '../../src/sources/contract/source.ts';
import { type WebAnswer, WebClient } from '../../src/sources/io/web.ts';
import type { ReadBody, WebRequest } from '../../src/sources/io/web-rules.ts';
import { download } from '../../src/sync/download.ts';
import { temporaryFolder } from '../support/cli.ts';
import {
  type Answer,
  cut,
  drip,
  file,
  halfPacked,
  hangUp,
  packed,
  status,
  Upstream,
  unmeasured,
  wrongLength,
} from '../support/upstream.ts';

const NOW = Date.parse('2027-01-28T12:00:00Z');
const CARDS = JSON.stringify([{ name: 'Black Lotus' }, { name: 'Mox Ruby' }]);

const WANTED: RemoteFile = { path: 'cards', saveAs: 'cards.json', maxBytes: 10_000, gzip: true };

/** Downloads what an upstream answers. */
async function downloadFrom(
  answers: readonly Answer[],
  wanted: Partial<RemoteFile> = {},
  validator?: string,
) {
  const upstream = (await Upstream.open()).on('/cards', ...answers);
  const sleep = async () => {};
  const trustedOrigins = [upstream.url];
  const rules = { userAgent: 'test', pauseMs: 0, idleTimeoutMs: 50, sleep, trustedOrigins };
  const client = new WebClient(rules);
  after(() => client.close());
  const folder = temporaryFolder();
  const question = { url: new URL(`${upstream.url}/cards`), validator: validator ?? null };
  const downloaded = download(client, question, { ...WANTED, ...wanted }, folder, NOW);
  const outcome = await downloaded.catch((error: Error) => error);
  return { outcome, folder, asked: upstream.asked };
}

function messageOf(outcome: unknown): string {
  assert.ok(outcome instanceof Error, JSON.stringify(outcome));
  return outcome.message.replace(/http:\/\/[\d.:]+/, '');
}

function foundIn(outcome: Awaited<ReturnType<typeof downloadFrom>>['outcome']) {
  assert.ok(!(outcome instanceof Error), String(outcome));
  assert.ok(outcome.kind === 'found', outcome.kind);
  return outcome;
}

describe('a download', () => {
  it('has its name, and the Last-Modified of the source as its time of change', async () => {
    const moment = 'Wed, 27 Jan 2027 10:00:00 GMT';
    const { outcome, folder } = await downloadFrom([file(CARDS, { 'last-modified': moment })]);
    const { result, validator } = foundIn(outcome);
    assert.equal(result.path, join(folder, 'cards.json'));
    assert.equal(readFileSync(result.path, 'utf8'), CARDS);
    assert.equal(result.digest, createHash('sha256').update(CARDS).digest('hex'));
    assert.equal(validator, moment);
    assert.equal(statSync(result.path).mtimeMs, Date.parse(moment));
    assert.deepEqual(readdirSync(folder), ['cards.json']);
  });

  it('has the current time as its time of change if the source gives none', async () => {
    const { outcome } = await downloadFrom([file(CARDS)]);
    assert.equal(statSync(foundIn(outcome).result.path).mtimeMs, NOW);
  });

  it('stays packed if its reader unpacks it, and is unpacked otherwise', async () => {
    for (const gzip of [true, false]) {
      const { outcome, folder, asked } = await downloadFrom([packed(CARDS)], { gzip });
      const { path, digest } = foundIn(outcome).result;
      assert.equal(asked[0]?.headers['accept-encoding'], 'gzip');
      assert.equal(basename(path), gzip ? 'cards.json.gz' : 'cards.json');
      const bytes = readFileSync(path);
      assert.equal((gzip ? gunzipSync(bytes) : bytes).toString(), CARDS);
      assert.equal(digest, createHash('sha256').update(CARDS).digest('hex'));
      assert.deepEqual(readdirSync(folder), [basename(path)]);
    }
  });

  it('is recognised as packed by its content, under any name', async () => {
    const { outcome } = await downloadFrom([file(gzipSync(CARDS))], { saveAs: 'cards.json.gz' });
    assert.equal(basename(foundIn(outcome).result.path), 'cards.json.gz');
  });

  it('is not made when the source answers 304', async () => {
    const { outcome, folder } = await downloadFrom([file(CARDS, { etag: '"1"' })], {}, '"1"');
    assert.deepEqual(outcome, { kind: 'unchanged' });
    assert.deepEqual(readdirSync(folder), []);
  });

  it('that breaks off is retried from the start', async () => {
    const broken = [cut(CARDS), hangUp, wrongLength(CARDS, 7), status(500), file(CARDS)];
    const { outcome, folder } = await downloadFrom(broken);
    assert.equal(readFileSync(foundIn(outcome).result.path, 'utf8'), CARDS);
    assert.deepEqual(readdirSync(folder), ['cards.json']);
  });
});

async function* brokenBody(): AsyncGenerator<Uint8Array> {
  yield* [];
  throw new Error('The source is gone.');
}

/** A source whose body breaks off before a file for it can be open. */
class BrokenClient extends WebClient {
  override async get<Result>(
    { url }: WebRequest,
    readBody: ReadBody<Result>,
  ): Promise<WebAnswer<Result>> {
    await readBody(brokenBody(), { address: url.href, headers: {} });
    throw new Error('It has read a body that is broken.');
  }
}

describe('a download that has failed', () => {
  it('creates no more files', async () => {
    const client = new BrokenClient({ userAgent: 'test' });
    after(() => client.close());
    for (let time = 0; time < 20; time += 1) {
      const folder = temporaryFolder();
      const question = { url: new URL('http://127.0.0.1/cards'), validator: null };
      await assert.rejects(download(client, question, WANTED, folder, NOW), /is gone/);
      const left = readdirSync(folder);
      await sleep(10);
      assert.deepEqual(readdirSync(folder), left);
    }
  });
});

const half = CARDS.slice(0, CARDS.length / 2);

const DAMAGED: readonly (readonly [string, Answer, RegExp])[] = [
  ['is cut', cut(CARDS), /^\/cards broke off after \d+ bytes: .*, 5 times\.$/],
  ['promises more than it sends', wrongLength(CARDS, 7), /^\/cards broke off after/],
  ['promises less than it sends', wrongLength(CARDS, -9), /ends in the middle, after \d+ bytes\.$/],
  ['is half a file', file(half), /^\/cards ends in the middle, after \d+ bytes\.$/],
  ['is half a file of no known length', unmeasured(half), /^\/cards ends in the middle/],
  [
    'is half of a packed file',
    halfPacked(CARDS.repeat(50)),
    /^\/cards is damaged: its packing says "unexpected end of file"\.$/,
  ],
  [
    'is broken in its packing',
    file(gzipSync(CARDS).fill(7, 20, 30)),
    /^\/cards is damaged: its packing says ".+"\.$/,
  ],
  [
    'is not packed as it says',
    file(CARDS, { 'content-encoding': 'gzip' }),
    /^\/cards is damaged: it is not packed as gzip, as it says\.$/,
  ],
  [
    'is packed as nobody asked',
    file(CARDS, { 'content-encoding': 'br' }),
    /^\/cards is damaged: it is not packed as br, as it says\.$/,
  ],
  ['is too large', file(`[${' '.repeat(20_000)}]`), /^\/cards is larger than 10000 bytes\.$/],
  ['is too large unpacked', packed(`[${' '.repeat(20_000)}]`), /is larger than 10000 bytes\.$/],
  ['is empty', file(''), /^\/cards is empty\.$/],
  ['is nothing but space', file(' \n'), /^\/cards is empty\.$/],
  ['is a page', file('<!doctype html>'), /^\/cards is a page for people, or XML, instead of data/],
  ['is not JSON', file('name,price'), /^\/cards is not JSON\.$/],
  ['trickles', drip, /^\/cards is too slow: \d+ bytes so far, 5 times\.$/],
];

describe('no file appears for a download that', () => {
  for (const [what, answer, words] of DAMAGED) {
    it(what, async () => {
      for (const gzip of [true, false]) {
        const { outcome, folder } = await downloadFrom([answer], { gzip });
        assert.match(messageOf(outcome), words);
        const left = readdirSync(folder).filter((name) => !name.includes('.part'));
        assert.deepEqual(left, []);
      }
    });
  }
});
