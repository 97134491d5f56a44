import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { addDays, dayOf, type Millis, startOfDay } from '../../src/domain/day.ts';
import { GAME_SLUGS, type GameSlug } from '../../src/domain/games.ts';
import { MAX_CENTS } from '../../src/domain/money.ts';
import type { Observation } from '../../src/domain/observation.ts';
import type { FeedOptions } from '../../src/sources/contract/feed.ts';
import type { FeedSource } from '../../src/sources/contract/source.ts';
import { FeedFolder, MODIFIED, type ReadFeed, readFeed } from './feeds.ts';
import { NOW } from './tcgcsv.ts';

/** What holds for every source that is read as all are. */

/** A few records of a source in their real shape. */
export interface Fixture {
  /** A file or a folder. */
  readonly location: string;
  /** The file to damage, where the location is a folder. */
  readonly main?: string;
  /** Further files, by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** Printings that nobody else knows, and that are held back for that very reason. */
  readonly oddPrintings?: readonly string[];
}

/** What printings are called: TCGplayer's names, which the catalogue has. */
const KNOWN_PRINTINGS = [
  'Normal',
  'Unlimited',
  'Unlimited Edition Normal',
  '1st Edition',
  '1st Edition Normal',
  'Limited',
  'Holofoil',
  'Unlimited Holofoil',
  '1st Edition Holofoil',
  'Reverse Holofoil',
  'Foil',
  'Etched',
  'Cold Foil',
  '1st Edition Cold Foil',
  'Rainbow Foil',
  'Unlimited Edition Rainbow Foil',
  '1st Edition Rainbow Foil',
];

/** A copy of a fixture that was changed when the files of tests were. */
function copyOf({ location }: Fixture): string {
  const copy = new FeedFolder().copy(location);
  touch(copy, MODIFIED);
  return copy;
}

function touch(location: string, moment: Millis): void {
  const isFolder = statSync(location).isDirectory();
  for (const name of isFolder ? readdirSync(location) : []) touch(join(location, name), moment);
  utimesSync(location, moment / 1000, moment / 1000);
}

async function readAs(
  source: FeedSource,
  { files = {} }: Fixture,
  location: string,
  options: Partial<FeedOptions> = {},
): Promise<ReadFeed> {
  return readFeed(source.open, location, { files, ...options });
}

/** A copy of a fixture in which what is read of it is another. */
function changed(fixture: Fixture, change: (text: string) => string): string {
  const copy = copyOf(fixture);
  const file = fixture.main === undefined ? copy : join(copy, fixture.main);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  touch(copy, MODIFIED);
  return copy;
}

/** The same text with a field more in each record of JSON, or a column more in a table. */
function withSurprise(name: string, text: string): string {
  if (!name.endsWith('.json')) return withColumn(text, text.includes('\t') ? '\t' : ',');
  const content = JSON.parse(text) as Record<string, unknown> | object[];
  if (Array.isArray(content)) return JSON.stringify(content.map(surprised));
  const lists = Object.entries(content).map(([key, value]) => {
    return [key, Array.isArray(value) ? value.map(surprised) : value];
  });
  return JSON.stringify({ ...Object.fromEntries(lists), surprise: { of: ['theirs'] } });
}

function surprised(record: object): object {
  return { ...record, surprise: { of: ['theirs'] } };
}

function withColumn(text: string, delimiter: string): string {
  const [head, ...rows] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const more = rows.map((row) => `${row}${delimiter}theirs`);
  return [`${head}${delimiter}surprise`, ...more].join('\n');
}

function quotesOf({ items }: ReadFeed): readonly Observation[] {
  return items.flatMap(({ observations }) => observations);
}

function amountsOf({
  prices,
  conditions,
  graded,
  earlierDays = [],
}: Observation): (number | null)[] {
  const days = earlierDays.map(({ market, low, mid, high }) => ({ market, low, mid, high }));
  return [prices, conditions, graded, ...days].flatMap((amounts) => Object.values(amounts));
}

/** Checks a source with its fixture, and that it takes none of the others for its own. */
export function describeContract(
  source: FeedSource,
  fixture: Fixture,
  games: readonly GameSlug[],
  others: readonly Fixture[],
): void {
  describe(source.name, () => {
    const read = (location: string, options: Partial<FeedOptions> = {}) => {
      return readAs(source, fixture, location, options);
    };
    let all: ReadFeed;

    before(async () => {
      all = await read(copyOf(fixture));
    });

    test('reads its fixture whole, and tells how far it is', () => {
      const { feed, items, broken, done } = all;
      assert.equal(feed.source, source.name);
      assert.ok(items.length > 0);
      assert.deepEqual(broken, []);
      assert.equal(done.at(-1), feed.total);
      assert.deepEqual(
        done,
        done.toSorted((a, b) => a - b),
      );
    });

    test('tells of cards of its games, by a key that no other has', () => {
      for (const { card } of all.items) {
        assert.ok(games.includes(card.game), card.game);
        assert.ok(card.externalId.length > 0 && card.externalId.length <= 500, card.externalId);
      }
      const keys = all.items.map(({ card }) => card.externalId);
      assert.equal(new Set(keys).size, keys.length);
    });

    test('says nothing rather than an empty text', () => {
      for (const { card } of all.items) {
        const texts = [card.number, card.setCode, card.setName, card.rarity, card.variant];
        const told = [...texts, card.image, ...Object.values(card.externalIds)];
        assert.ok(
          told.every((text) => text === null || text.trim() !== ''),
          card.externalId,
        );
        assert.match(card.releaseDate ?? '2000-01-01', /^\d{4}-\d{2}-\d{2}$/);
      }
    });

    test('makes whole cents of all amounts, and never a price of nothing', () => {
      for (const amount of quotesOf(all).flatMap(amountsOf)) {
        if (amount === null) continue;
        assert.ok(Number.isInteger(amount) && amount > 0 && amount <= MAX_CENTS, String(amount));
      }
    });

    test('calls printings what the catalogue does', () => {
      const quoted = quotesOf(all).flatMap(({ printing }) => printing ?? []);
      const stated = all.items.flatMap(({ card }) => card.printings ?? []);
      const unknown = [...quoted, ...stated].filter((name) => !KNOWN_PRINTINGS.includes(name));
      assert.deepEqual(unknown, fixture.oddPrintings ?? []);
    });

    test('says whose prices they are, and in what money', () => {
      for (const { marketplace, currency } of quotesOf(all)) {
        assert.match(marketplace, /^[a-z0-9][a-z0-9-]*$/);
        assert.equal(currency, marketplace === 'cardmarket' ? 'EUR' : 'USD');
      }
    });

    test('never takes the time of reading for that of a price', async () => {
      const later = startOfDay(addDays(dayOf(NOW), 400));
      const again = await read(copyOf(fixture), { now: later });
      assert.equal(again.feed.observedAt, all.feed.observedAt);
      const moments = quotesOf(all).map((quote) => quote.observedAt);
      assert.deepEqual(
        quotesOf(again).map((quote) => quote.observedAt),
        moments,
      );
      const latest = Math.max(all.feed.observedAt, ...moments);
      assert.ok(latest < NOW, new Date(latest).toISOString());
    });

    test('believes the operator about when it was observed', async () => {
      const observedAt = startOfDay(addDays(dayOf(NOW), -3));
      const { feed } = await read(copyOf(fixture), { observedAt });
      assert.equal(feed.observedAt, observedAt);
    });

    test('says the same when it is read twice, and is known again', async () => {
      const again = await read(copyOf(fixture));
      assert.deepEqual(again.items, all.items);
      assert.deepEqual(again.feed.file, all.feed.file);
      assert.match(all.feed.file?.digest ?? '', /^[0-9a-f]{64}$/);
      const other = await read(changed(fixture, (text) => `${text}\n`));
      assert.notEqual(other.feed.file?.digest, all.feed.file?.digest);
      assert.equal(other.feed.file?.path, all.feed.file?.path);
    });

    test('ignores fields that it does not know', async () => {
      const name = basename(fixture.main ?? fixture.location);
      const { items } = await read(changed(fixture, (text) => withSurprise(name, text)));
      assert.deepEqual(items, all.items);
    });

    test('refuses half a file, or names what is broken of it', async () => {
      const half = changed(fixture, (text) => text.slice(0, text.length * 0.6));
      const outcome = await read(half).catch((error: Error) => error);
      if (outcome instanceof Error) assertRefusal(outcome, half);
      else assert.ok(outcome.broken.length > 0, 'nobody would notice');
    });

    test('refuses what there is not, and games that it does not have', async () => {
      await assert.rejects(read('/no/such/file'), { name: 'OperatorError' });
      const unknown = GAME_SLUGS.filter((game) => !games.includes(game));
      if (unknown.length === 0) return;
      const location = copyOf(fixture);
      const error = await read(location, { games: unknown }).catch((error) => error);
      assert.equal(error.name, 'OperatorError');
    });

    for (const other of others) {
      test(`refuses ${other.location}`, async () => {
        const location = copyOf(other);
        const outcome = await read(location).catch((error: Error) => error);
        if (outcome instanceof Error) assertRefusal(outcome, location);
        else assert.fail(`it read ${outcome.items.length} cards`);
      });
    }
  });
}

/** A refusal is a sentence for the operator, and names the file. */
function assertRefusal(error: Error, location: string): void {
  assert.equal(error.name, 'OperatorError', error.stack);
  assert.ok(error.message.includes(basename(location)), error.message);
  assert.ok(error.message.length < 400 && error.message.endsWith('.'), error.message);
}
