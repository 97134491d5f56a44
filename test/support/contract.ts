import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { PRINTING_NAMES } from '../../src/domain/card.ts';
import { addDays, dayOf, type Millis, startOfDay } from '../../src/domain/day.ts';
import { GAME_SLUGS, type GameSlug } from '../../src/domain/games.ts';
import { withoutLanguage } from '../../src/domain/languages.ts';
import { MAX_CENTS } from '../../src/domain/money.ts';
import type { Observation } from '../../src/domain/observation.ts';
import type { FeedOptions } from '../../src/sources/contract/feed.ts';
import type { FeedSource } from '../../src/sources/contract/source.ts';
import { FeedFolder, MODIFIED, type ReadFeed, readFeed } from './feeds.ts';
import { NOW } from './tcgcsv.ts';

/** Tests the rules that every feed source must follow. */

/** A few records of a source in their real shape. */
export interface Fixture {
  /** A file or a folder. */
  readonly location: string;
  /** The file to damage if the location is a folder. */
  readonly main?: string;
  /** Additional files, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Printings that no other source knows; imports quarantine them. */
  readonly oddPrintings?: readonly string[];
}

/** The currencies of known marketplaces. Others take the currency of their first price. */
const CURRENCIES = {
  tcgplayer: 'USD',
  cardkingdom: 'USD',
  pricecharting: 'USD',
  cardmarket: 'EUR',
};

/** Copies a fixture. The copy has the same modification time as all test files. */
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

/** Copies a fixture with its text changed. */
function changed(fixture: Fixture, change: (text: string) => string): string {
  const copy = copyOf(fixture);
  const file = fixture.main === undefined ? copy : join(copy, fixture.main);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  touch(copy, MODIFIED);
  return copy;
}

/** Adds a field to each record of JSON, or a column to a table. */
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

function observationsOf({ items }: ReadFeed): readonly Observation[] {
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

/** Tests that a source reads its own fixture and refuses all other fixtures. */
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

    test('reads its whole fixture and reports its progress', () => {
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

    test('yields cards of its games, each with a unique external id', () => {
      for (const { card } of all.items) {
        assert.ok(
          games.includes(card.game),
          `${source.name}: ${card.game} is not among its games; add it to its line in src/domain/sources.ts`,
        );
        assert.ok(
          card.externalId.length > 0 && card.externalId.length <= 500,
          `${source.name}: the external id "${card.externalId}" must have 1 to 500 characters`,
        );
      }
      // Several rows may share the id of a card, for example one row per condition.
      const cards = new Map(all.items.map(({ card }) => [card.externalId, card]));
      for (const { card } of all.items) {
        assert.deepEqual(
          card,
          cards.get(card.externalId),
          `${source.name}: two cards share the external id ${card.externalId}; make it of the ` +
            'fields that distinguish them',
        );
      }
    });

    test('gives null instead of empty text', () => {
      for (const { card } of all.items) {
        const texts = [card.number, card.setCode, card.setName, card.rarity, card.variant];
        const given = [...texts, card.image, ...Object.values(card.externalIds)];
        assert.ok(
          given.every((text) => text === null || text.trim() !== ''),
          `${source.name}: ${card.externalId} has an empty field; its adapter must give null instead`,
        );
        assert.match(
          card.releaseDate ?? '2000-01-01',
          /^\d{4}-\d{2}-\d{2}$/,
          `${source.name}: the release date of ${card.externalId} must be YYYY-MM-DD`,
        );
      }
    });

    test('gives amounts in whole cents, and null instead of zero', () => {
      for (const amount of observationsOf(all).flatMap(amountsOf)) {
        if (amount === null) continue;
        assert.ok(
          Number.isInteger(amount) && amount > 0 && amount <= MAX_CENTS,
          `${source.name}: ${amount} is not a price in cents; parse amounts with parseFigure, which ` +
            'gives null for zero',
        );
      }
    });

    test('gives printings the names of the catalogue', () => {
      const observed = observationsOf(all).flatMap(({ printing }) => printing ?? []);
      const listed = all.items.flatMap(({ card }) => card.printings ?? []);
      const unknown = [...observed, ...listed].filter((name) => {
        return !PRINTING_NAMES.includes(withoutLanguage(name));
      });
      assert.deepEqual(
        unknown,
        fixture.oddPrintings ?? [],
        `${source.name}: translate these printings into TCGplayer's names, or list them as ` +
          `oddPrintings of the fixture: ${unknown.join(', ')}`,
      );
    });

    test('gives each marketplace one name and one currency', () => {
      const currencies = new Map(Object.entries(CURRENCIES));
      for (const { marketplace, currency } of observationsOf(all)) {
        assert.match(
          marketplace,
          /^[a-z0-9][a-z0-9-]*$/,
          `${source.name}: the marketplace "${marketplace}" must be of a-z, 0-9 and -`,
        );
        const known = currencies.get(marketplace) ?? currency;
        currencies.set(marketplace, known);
        assert.equal(
          currency,
          known,
          `${source.name}: its prices at ${marketplace} are in ${known}; change the currency in its ` +
            'adapter, or name another marketplace',
        );
      }
    });

    test('never uses the time of reading as the time of a price', async () => {
      const later = startOfDay(addDays(dayOf(NOW), 400));
      const again = await read(copyOf(fixture), { now: later });
      assert.equal(again.feed.observedAt, all.feed.observedAt);
      const moments = observationsOf(all).map((observation) => observation.observedAt);
      assert.deepEqual(
        observationsOf(again).map((observation) => observation.observedAt),
        moments,
      );
      const latest = Math.max(all.feed.observedAt, ...moments);
      assert.ok(
        latest < NOW,
        `${source.name}: ${new Date(latest).toISOString()} is the moment of reading; take the ` +
          "record's own moment, or the file's",
      );
    });

    test('uses the time that the operator gives', async () => {
      const observedAt = startOfDay(addDays(dayOf(NOW), -3));
      const { feed } = await read(copyOf(fixture), { observedAt });
      assert.equal(feed.observedAt, observedAt);
    });

    test('gives the same items when it is read again, and recognises the file', async () => {
      const again = await read(copyOf(fixture));
      assert.deepEqual(again.items, all.items);
      assert.deepEqual(again.feed.file, all.feed.file);
      assert.match(all.feed.file?.digest ?? '', /^[0-9a-f]{64}$/);
      const other = await read(changed(fixture, (text) => `${text}\n`));
      assert.notEqual(other.feed.file?.digest, all.feed.file?.digest);
      assert.equal(other.feed.file?.path, all.feed.file?.path);
    });

    test('ignores unknown fields', async () => {
      const name = basename(fixture.main ?? fixture.location);
      const { items } = await read(changed(fixture, (text) => withSurprise(name, text)));
      assert.deepEqual(items, all.items);
    });

    test('refuses half a file, or reports the broken records', async () => {
      const half = changed(fixture, (text) => text.slice(0, text.length * 0.6));
      const outcome = await read(half).catch((error: Error) => error);
      if (outcome instanceof Error) assertRefusal(outcome, half);
      else {
        const change =
          'throw a BadRecord for a record that is cut, or end the feed by FeedBatcher.end';
        assert.ok(
          outcome.broken.length > 0,
          `${source.name}: half a file goes unnoticed; ${change}`,
        );
      }
    });

    test('refuses missing files and games that it does not have', async () => {
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
        else {
          const read = `it read ${outcome.items.length} cards of another source's file`;
          assert.fail(
            `${source.name}: ${read}; make its schema require a field that only this source has`,
          );
        }
      });
    }
  });
}

/** Checks that the error message is a sentence that names the file. */
function assertRefusal(error: Error, location: string): void {
  assert.equal(error.name, 'OperatorError', error.stack);
  assert.ok(error.message.includes(basename(location)), error.message);
  assert.ok(error.message.length < 400 && error.message.endsWith('.'), error.message);
}
