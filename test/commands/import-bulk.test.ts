import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importStarterQuotes } from '../../src/commands/starter.ts';
import type { BulkList } from '../../src/domain/bulk.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import { openStarter } from '../../src/sources/starter.ts';
import { readPublication } from '../../src/store/catalogue/publications.ts';
import { openStore } from '../../src/store/connect.ts';
import { type Caller, Service } from '../support/app.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { Upstream } from '../support/upstream.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const PUBLIC_KEY = rawKey(publicKey);
const STARTER = new URL('../../data/starter/', import.meta.url);
const NOW = Date.UTC(2026, 0, 29, 12);

function rawKey(key: typeof publicKey): string {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
}

async function exportTo(database: string, folder: string): Promise<BulkList> {
  const env = {
    CARDPRICE_DATABASE: database,
    CARDPRICE_BULK_SOURCES: 'quotes,tcgcsv',
    CARDPRICE_BULK_KEY: KEY,
  };
  const { code, err } = await run(['export', 'bulk', folder, '--json'], { env });
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(readFileSync(join(folder, 'bulk.json'), 'utf8'));
}

function importFrom(location: string, database: string, ...args: readonly string[]) {
  const env = { CARDPRICE_DATABASE: database };
  return run(['import', 'bulk', location, '--key', PUBLIC_KEY, ...args], { env });
}

/** The digests of the files, in the order of the list: their rows are the same if these are. */
function digestsIn({ data }: BulkList): string[] {
  return data.map(({ type, game, month, format, sha256 }) => {
    return [type, game, month, format, sha256].join(' ');
  });
}

async function revisionOf(database: string): Promise<number> {
  const store = await openStore(database);
  const { revision } = await readPublication(store.db);
  await store.close();
  return revision;
}

describe('cardprice import bulk', () => {
  const root = temporaryFolder();
  const first = join(root, 'first.db');
  const bulk = join(root, 'bulk');
  let list: BulkList;

  before(async () => {
    const store = await openStore(first);
    const options = { clock: () => NOW, limits: null };
    await importSnapshot(store, await openStarter(STARTER), options);
    await importStarterQuotes(store, STARTER, options.clock);
    await store.close();
    list = await exportTo(first, bulk);
  });

  for (const engine of ENGINES)
    describe(`on ${engine}`, () => {
      let made: TestDatabase | undefined;
      let second = '';
      after(() => made?.remove());
      before(async () => {
        made = await createDatabase(engine);
        second = made.location;
        const { code, err, out } = await importFrom(bulk, second);
        assert.equal(code, 0, err);
        assert.match(out, /Cards {5}\d+ new, 0 changed/);
      });

      it('makes a service whose own bulk files are the same', async () => {
        const again = await exportTo(second, join(root, `of-${engine}`));
        assert.deepEqual(digestsIn(again), digestsIn(list));
      });

      it('publishes once, and nothing when the files are imported again', async () => {
        assert.equal(await revisionOf(second), 1);
        const { code, out } = await importFrom(bulk, second);
        assert.equal(code, 0);
        assert.match(out, /Cards {5}0 new, 0 changed/);
        assert.equal(await revisionOf(second), 1);
      });

      it('makes a service that answers as the first one', async () => {
        const services = [await Service.open(first), await Service.open(second)] as const;
        try {
          await assertSameAnswers(services);
        } finally {
          for (const service of services) await service.close();
        }
      });
    });

  it('updates a copy by the files of a later publication', async () => {
    const later = join(root, 'later.db');
    cpSync(first, later);
    const store = await openStore(later);
    const prices = { productId: 42_382, market: 512.5, subTypeName: 'Holofoil' };
    const archive = new ArchiveFolder().day('2026-02-03', '3/604', [prices]);
    await importArchive(store, archive.folder, { limits: null });
    await store.close();
    const files = join(root, 'later');
    const listed = await exportTo(later, files);
    const second = join(root, 'updated.db');
    assert.equal((await importFrom(bulk, second)).code, 0);
    const { code, out } = await importFrom(files, second);
    assert.equal(code, 0);
    assert.match(out, /Prices {4}1 changed\nHistory {3}1 points added, 0 corrected/);
    const again = await exportTo(second, join(root, 'of-updated'));
    assert.deepEqual(digestsIn(again), digestsIn(listed));
  });

  it('writes nothing in a dry run, and says what it would', async () => {
    const second = join(root, 'dry.db');
    assert.equal((await run(['migrate'], { env: { CARDPRICE_DATABASE: second } })).code, 0);
    const { code, out } = await importFrom(bulk, second, '--dry-run');
    assert.equal(code, 0);
    assert.match(out, /Dry run: nothing was written/);
    assert.equal(await revisionOf(second), 0);
  });

  it('says without a key that nothing shows whose files they are', async () => {
    const env = { CARDPRICE_DATABASE: join(root, 'unsigned.db') };
    const { code, err } = await run(['import', 'bulk', bulk], { env });
    assert.equal(code, 0);
    assert.match(err, /Without --key/);
  });

  it('leaves a database alone that has prices of other imports', async () => {
    const other = join(root, 'other.db');
    cpSync(first, other);
    const { code, err } = await importFrom(bulk, other);
    assert.equal(code, 1);
    assert.match(err, /The database has imports of quotes, starter/);
  });

  /** Imports a spoilt copy of the files into a new database; returns the error. */
  async function refusal(spoil: (folder: string) => void): Promise<string> {
    const folder = temporaryFolder();
    cpSync(bulk, folder, { recursive: true });
    spoil(folder);
    const database = join(folder, 'cards.db');
    const { code, err } = await importFrom(folder, database);
    assert.equal(code, 1);
    if (existsSync(database)) assert.equal(await revisionOf(database), 0);
    return err;
  }
  const cards = () => {
    const found = list.data.find(({ type, format, game }) => {
      return type === 'cards' && format === 'ndjson' && game === null;
    });
    return found?.url ?? assert.fail('no cards');
  };

  it('refuses a changed list', async () => {
    const err = await refusal((folder) => {
      const path = join(folder, 'bulk.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('tcgcsv', 'tcgcsw'));
    });
    assert.match(err, /was not signed by the key/);
  });

  it('refuses a list without a signature', async () => {
    const err = await refusal((folder) => rmSync(join(folder, 'bulk.json.sig')));
    assert.match(err, /no signature, which --key asks for/);
  });

  it('refuses a changed, a half and a missing file', async () => {
    const changed = await refusal((folder) => {
      const path = join(folder, cards());
      const bytes = readFileSync(path);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
      writeFileSync(path, bytes);
    });
    assert.match(changed, /its digest is not the one in the list/);
    const half = await refusal((folder) => {
      const path = join(folder, cards());
      writeFileSync(path, readFileSync(path).subarray(0, 1000));
    });
    assert.match(half, /it has 1000 bytes, but the list says \d+/);
    assert.match(await refusal((folder) => rmSync(join(folder, cards()))), /cannot be read/);
  });

  it('refuses other folders, other JSON and what is not a key', async () => {
    const nothing = await importFrom(temporaryFolder(), join(root, 'x.db'));
    assert.match(nothing.err, /there is no bulk\.json/);
    const foreign = temporaryFolder();
    const env = { CARDPRICE_DATABASE: join(root, 'x.db') };
    for (const text of ['{"data": [{"url": "../../etc/passwd"}]}', '[]', 'half {']) {
      writeFileSync(join(foreign, 'bulk.json'), text);
      const { code, err } = await run(['import', 'bulk', foreign], { env });
      assert.deepEqual([code, /is not a list of bulk files/.test(err)], [1, true], text);
    }
    const { code, err } = await run(['import', 'bulk', bulk, '--key', 'x'], { env });
    assert.equal(code, 1);
    assert.match(err, /--key "x" is not a public key/);
  });

  it('goes on with a download where it stopped', async () => {
    const upstream = await Upstream.open();
    upstream.otherwise(({ url = '', headers }, response) => {
      if (headers['x-api-key'] !== 'secret') return response.writeHead(401).end();
      const bytes = readFileSync(join(bulk, url.replace('/v1/bulk/', '')));
      const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
      if (from === undefined) return response.writeHead(200).end(bytes);
      const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
      return response.writeHead(206, range).end(bytes.subarray(Number(from)));
    });
    const folder = temporaryFolder();
    const downloads = join(folder, 'downloads');
    const whole = readFileSync(join(bulk, cards()));
    const digest = createHash('sha256').update(whole).digest('hex');
    mkdirSync(downloads);
    writeFileSync(join(downloads, `${digest}.part`), whole.subarray(0, 1000));
    const keyFile = join(folder, 'key.txt');
    writeFileSync(keyFile, 'secret\n');
    const second = join(folder, 'cards.db');
    const args = ['--downloads', downloads, '--api-key-file', keyFile];
    const { code, err } = await importFrom(`${upstream.url}/v1/bulk/`, second, ...args);
    assert.equal(code, 0, err);
    const ranges = upstream.asked.flatMap(({ headers }) => headers.range ?? []);
    assert.deepEqual(ranges, ['bytes=1000-']);
    assert.ok(!existsSync(downloads));
    const again = await exportTo(second, join(folder, 'again'));
    assert.deepEqual(digestsIn(again), digestsIn(list));
    assert.ok(readdirSync(folder).includes('again'));
  });
});

/** How many cards are compared, of all games. */
const COMPARED_CARDS = 300;

/** Compares the bodies of both services byte by byte. */
async function assertSameAnswers([first, second]: readonly [Service, Service]): Promise<void> {
  const callers = [await first.caller('business'), await second.caller('business')] as const;
  const all = [...first.catalog.cards()];
  const step = Math.max(1, Math.floor(all.length / COMPARED_CARDS));
  const some = all.filter((_, index) => index % step === 0);
  assert.ok(some.length >= COMPARED_CARDS);
  for (const { id } of some) {
    await assertSame(callers, `/v1/cards/${id}`);
    await assertSame(callers, `/v1/cards/${id}/history?period=all`);
  }
  for (const { name } of some.filter((_, index) => index % 5 === 0)) {
    await assertSame(callers, `/v1/search?q=${encodeURIComponent(name)}&limit=20`);
  }
  await assertSame(callers, '/v1/sets?limit=100');
  for (const { set } of first.catalog.sets()) {
    await assertSame(callers, `/v1/sets/${set.id}`);
    await assertSame(callers, `/v1/sets/${set.id}/cards?limit=100`);
  }
}

async function assertSame([one, other]: readonly [Caller, Caller], path: string): Promise<void> {
  const [expected, found] = [await one.get(path), await other.get(path)];
  assert.equal(expected.statusCode, 200, `${path}: ${expected.body}`);
  assert.equal(withoutFacts(found.body), withoutFacts(expected.body), path);
}

/** Facts of cards are not in the files. */
function withoutFacts(body: string): string {
  return JSON.stringify(JSON.parse(body), (name, value) => (name === 'facts' ? undefined : value));
}
