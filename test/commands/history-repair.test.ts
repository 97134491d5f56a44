import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { addDays, type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import { backUp } from '../../src/store/backup/backup.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { seriesOf } from '../../src/store/history/index.ts';
import { importFixtures } from '../support/app.ts';
import { ArchiveFolder, importArchive } from '../support/archive.ts';
import { cleanUp } from '../support/cleanup.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
/** The history ends with the day of the fixtures. */
const LAST = parseDay('2026-01-28') as Day;
/** More than a recent block holds, in several spans. */
const DAYS = 320;

interface Subject {
  readonly location: string;
  readonly store: Store;
  /** The row id of the printing with the long history. */
  readonly printing: number;
  /** Runs `cardprice history repair` with some arguments. */
  repair(...args: readonly string[]): ReturnType<typeof run>;
  /** All of the history, as it is exported. */
  exported(): Promise<string>;
}

/** A database in which a printing has a long history. */
async function databaseOn(label: EngineLabel): Promise<Subject> {
  const { location, remove } = await createDatabase(label);
  cleanUp(remove);
  await importFixtures(location);
  const store = await openStore(location);
  cleanUp(() => store.close());
  await importPast(store);
  const { id: printing } = await store.db
    .selectFrom('printings')
    .innerJoin('cards', 'cards.id', 'printings.card_id')
    .where('cards.public_id', '=', CHARIZARD)
    .select('printings.id')
    .executeTakeFirstOrThrow();
  const env = { CARDPRICE_DATABASE: location };
  return {
    location,
    store,
    printing,
    repair: (...args) => run(['history', 'repair', ...args], { env }),
    exported: async () => (await run(['export', 'history'], { env })).out,
  };
}

async function importPast(store: Store): Promise<void> {
  const archive = new ArchiveFolder();
  for (let ago = 1; ago <= DAYS; ago += 1) {
    const price = { productId: 42_382, subTypeName: 'Holofoil', market: 100 + (ago % 7) };
    archive.day(formatDay(addDays(LAST, -ago)), '3/604', [price]);
  }
  await importArchive(store, archive.folder);
}

/** Overwrites the newest sealed block of the printing, and the recent one if asked. */
async function damage({ store: { db }, printing }: Subject, recent: boolean): Promise<void> {
  const block = new Uint8Array(20);
  const { id } = await db
    .selectFrom('history')
    .where('id', '<', (printing + 1) * 256)
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await db.updateTable('history').set({ block }).where('id', '=', id).execute();
  if (!recent) return;
  await db
    .updateTable('history_recent')
    .set({ block })
    .where('printing_id', '=', printing)
    .execute();
}

function daysOf(exported: string): string[] {
  const rows = exported.split('\n').filter((line) => line.startsWith(CHARIZARD));
  return rows.map((line) => line.split(',')[2] ?? '');
}

forEachEngine((label) => {
  it('history repair takes damaged days from a backup, and all is as it was', async () => {
    const subject = await databaseOn(label);
    const to = temporaryFolder();
    const { folder } = await backUp(subject.location, { to, version: '1', now: Date.now() });
    const before = await subject.exported();
    await damage(subject, true);

    const { code, out } = await subject.repair(folder);
    assert.equal(code, 0, out);
    assert.match(
      out,
      new RegExp(`^Replaced  ${CHARIZARD}, Holofoil, 20.* to 2026-01-28: \\d+ days`),
    );
    assert.equal(await subject.exported(), before);
    assert.match((await subject.repair(folder)).out, /^No block .* is damaged\.$/m);
  });

  for (const format of ['csv', 'ndjson']) {
    it(`history repair takes damaged days from an export (${format})`, async () => {
      const subject = await databaseOn(label);
      const before = await subject.exported();
      const file = join(temporaryFolder(), `history.${format}`);
      const env = { CARDPRICE_DATABASE: subject.location };
      await run(['export', 'history', '--format', format, '--output', file], { env });
      await damage(subject, true);
      const { code, out } = await subject.repair(file);
      assert.equal(code, 0, out);
      assert.equal(await subject.exported(), before);
    });
  }

  it('history repair takes damaged days of a grade from a backup or an export', async () => {
    const subject = await databaseOn(label);
    const { store, location } = subject;
    for (const ago of [2, 1, 0]) {
      const observedAt = OBSERVED - ago * 86_400_000;
      const graded = { psa_9: 250_000 + ago };
      const item = feedItem(charizard(), { market: 'pricecharting', observedAt, graded });
      await importItems(store, 'pricecharting', [item]);
    }
    const to = temporaryFolder();
    const { folder } = await backUp(location, { to, version: '1', now: Date.now() });
    const env = { CARDPRICE_DATABASE: location };
    const export_ = ['export', 'history', '--grade', 'psa_9'];
    const before = (await run(export_, { env })).out;
    assert.deepEqual(before.trimEnd().split('\n'), [
      'card,printing,date,psa_9,source,marketplace,repeated',
      `${CHARIZARD},Holofoil,2026-01-26,2500.02,pricecharting,pricecharting,false`,
      `${CHARIZARD},Holofoil,2026-01-27,2500.01,pricecharting,pricecharting,false`,
      `${CHARIZARD},Holofoil,2026-01-28,2500,pricecharting,pricecharting,false`,
    ]);
    const file = join(temporaryFolder(), 'psa_9.csv');
    writeFileSync(file, before);
    const [series] = await seriesOf(store.db, [subject.printing]);
    for (const source of [folder, file]) {
      await store.db
        .updateTable('history_recent')
        .set({ block: new Uint8Array(20) })
        .where('printing_id', '=', series?.id ?? 0)
        .execute();
      const { code, out } = await subject.repair(source);
      assert.equal(code, 0, out);
      assert.match(out, new RegExp(`^Replaced  ${CHARIZARD}, Holofoil, psa_9, 2026-01-26 to`));
      assert.equal((await run(export_, { env })).out, before);
    }
  });

  it('history repair changes nothing that it cannot replace, unless --leave-out is given', async () => {
    const subject = await databaseOn(label);
    const before = daysOf(await subject.exported());
    await damage(subject, false);
    const refused = await subject.repair();
    assert.equal(refused.code, 1);
    assert.match(refused.out, /^Damaged {3}pokemon-bs-charizard-004, Holofoil, /m);
    assert.match(refused.err, /^1 printings are still damaged.*--leave-out/m);

    const { code, out } = await subject.repair('--leave-out');
    assert.equal(code, 0);
    const words =
      /^Left out {2}\S+, Holofoil, (\S+) to (\S+): 0 days replaced, all others are lost/m;
    const [, from = '', to = ''] = words.exec(out) ?? [];
    assert.ok(from, out);
    const kept = before.filter((day) => day < from || day > to);
    assert.deepEqual(daysOf(await subject.exported()), kept);
    assert.ok(kept.length >= 32 && kept.length < before.length);
  });

  it('history repair gives up a lost recent block, and later days are recorded', async () => {
    const subject = await databaseOn(label);
    const before = daysOf(await subject.exported());
    await subject.store.db
      .deleteFrom('history_recent')
      .where('printing_id', '=', subject.printing)
      .execute();
    const { code, out } = await subject.repair('--leave-out');
    assert.deepEqual([code, out.startsWith('Left out')], [0, true]);
    const days = daysOf(await subject.exported());
    assert.deepEqual(days, before.slice(0, days.length));
    assert.ok(days.length > 200);
  });
});

it('history repair takes what an older backup has, and says that the rest is lost', async () => {
  const subject = await databaseOn('SQLite');
  const older = await databaseOn('SQLite');
  const { db } = older.store;
  await db.deleteFrom('history_recent').where('printing_id', '=', older.printing).execute();
  await older.repair('--leave-out');
  await damage(subject, true);
  const refused = await subject.repair(older.location);
  assert.equal(refused.code, 1, refused.out);
  const { code, out } = await subject.repair(older.location, '--leave-out');
  assert.equal(code, 0);
  assert.match(out, /^Left out .*: [1-9]\d* days replaced, all others are lost/m);
  assert.deepEqual(daysOf(await subject.exported()), daysOf(await older.exported()));
});

it('history repair refuses files that are not an export, a backup or a database', async () => {
  const subject = await databaseOn('SQLite');
  await damage(subject, false);
  const folder = temporaryFolder();
  const bad = join(folder, 'bad.csv');
  writeFileSync(bad, `card,printing,date,market\n${CHARIZARD},Holofoil,yesterday,1\n`);
  const text = join(folder, 'text.db');
  writeFileSync(text, 'no database');
  const before = readFileSync(text);
  for (const [from, reason] of [
    [bad, /bad\.csv is not a file of `cardprice export history`: "yesterday" is not a date/],
    [folder, /is not a backup of cardprice/],
    [join(folder, 'none.db'), /There is no file or folder/],
    [text, /text\.db cannot be read as a database: file is not a database/],
  ] as const) {
    const { code, err } = await subject.repair(from);
    assert.equal(code, 1);
    assert.match(err, reason);
  }
  assert.deepEqual(readFileSync(text), before);
});
