/**
 * What validation quarantines of real prices, which are taken for true, and of mistakes planted in
 * them. The files are not part of the repository; docs/pricing.md has the figures.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { addDays, type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import { GAMES } from '../../src/domain/games.ts';
import type { Cents } from '../../src/domain/money.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { openTcgcsv, readPrices } from '../../src/sources/tcgcsv/read.ts';
import { findDays } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import { readFeed } from '../support/feeds.ts';
import { type QuarantinedPrice, Replay, type Reported } from '../support/replay.ts';
import { NOW } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
/**
 * The share of true prices that may be in quarantine, and so disputed, on any day, and after days
 * or months of silence. The first follows from how long a jump waits (docs/adr/0016).
 */
const MOST_QUARANTINED = 0.0006;
const MOST_AFTER_DAYS = 0.002;
const MOST_AFTER_MONTHS = 0.005;
/** The share of the mistakes that must be caught. */
const LEAST_CAUGHT = 0.99;
const LAST_DAY = parseDay('2026-01-28') as Day;

describe('validation of true prices', () => {
  test('of 132 days, day after day', async (context) => {
    const replay = new Replay();
    const quarantined: QuarantinedPrice[] = [];
    for (const [day, prices] of await archive()) quarantined.push(...replay.day(day, prices));
    assert.ok(replay.compared > 260_000, `${replay.compared} compared`);
    report(context, quarantined, replay.compared, MOST_QUARANTINED);
  });

  test('of two days of Scryfall, nine days apart', async (context) => {
    const replay = new Replay();
    const quarantined: QuarantinedPrice[] = [];
    for (const date of ['2026-01-19', '2026-01-28']) {
      quarantined.push(...replay.day(parseDay(date) as Day, await scryfall(date)));
    }
    assert.ok(replay.compared > 26_000, `${replay.compared} compared`);
    report(context, quarantined, replay.compared, MOST_AFTER_DAYS);
  });

  test('of Scryfall and TCGCSV on the same two days', async (context) => {
    const replay = new Replay();
    const quarantined: QuarantinedPrice[] = [];
    for (const date of ['2026-01-19', '2026-01-28']) {
      const day = parseDay(date) as Day;
      quarantined.push(...replay.day(day, await magic(day)));
      quarantined.push(...replay.day(day, await scryfall(date)));
    }
    assert.ok(replay.compared > 75_000, `${replay.compared} compared`);
    report(context, quarantined, replay.compared, MOST_AFTER_DAYS);
  });

  test('of Pokémon sets, seven months apart', async (context) => {
    const replay = new Replay();
    replay.day(parseDay('2025-06-25') as Day, await tree('pokemon'));
    const before = replay.compared;
    const prices = (await archive()).get(LAST_DAY)?.filter(isPokemon) ?? [];
    const quarantined = replay.day(LAST_DAY, prices);
    assert.ok(replay.compared - before > 2400, `${replay.compared - before} compared`);
    report(context, quarantined, replay.compared - before, MOST_AFTER_MONTHS);
  });
});

/** Makes some prices of a day wrong. */
type Mistake = (day: readonly Reported[]) => Reported[];

/** Mistakes in some prices, each with the share that must be caught. */
const SINGLE: Readonly<Record<string, readonly [least: number, make: Mistake]>> = {
  'ten times the price': [1, (day) => everyNth(day, 25, 12, (price) => price * 10)],
  'a tenth of the price': [1, (day) => everyNth(day, 25, 112, (price) => price / 10)],
  '0 for unknown': [1, (day) => everyNth(day, 25, 1, () => 0)],
  'printings swapped': [LEAST_CAUGHT, (day) => swapPrintings(day, 10)],
};

const SET_WIDE: Readonly<Record<string, Mistake>> = {
  'ten times the price': (day) => times(day, 10),
  'a tenth of the price': (day) => times(day, 0.1),
  'a price that is 15 % higher': (day) => times(day, 1.15),
  'euros read as dollars': (day) => times(day, 0.92),
  'rows shifted by one': shiftRows,
  'printings swapped': (day) => swapPrintings(day, 1),
};

describe('validation of mistakes in real prices', () => {
  for (const [mistake, [least, make]] of Object.entries(SINGLE)) {
    test(`catches ${least * 100} %: ${mistake}`, async (context) => {
      const { wrong, caught } = await plant(context, make);
      assert.ok(wrong > 850, `${wrong} planted`);
      assert.ok(caught >= wrong * least, `${caught} of ${wrong}`);
    });
  }
});

describe('validation of mistakes in all prices of a day', () => {
  for (const [mistake, make] of Object.entries(SET_WIDE)) {
    test(`catches ${LEAST_CAUGHT * 100} %: ${mistake}`, async (context) => {
      const { wrong, caught } = await plant(context, make);
      assert.ok(wrong > 10_000, `${wrong} planted`);
      assert.ok(caught >= wrong * LEAST_CAUGHT, `${caught} of ${wrong}`);
    });
  }
});

/**
 * Plants a mistake in the last real day of Magic, and counts the caught prices among those that it
 * visibly made wrong: those with a price of the day before, which they do not repeat.
 */
async function plant(
  context: TestContext,
  make: Mistake,
): Promise<{ readonly wrong: number; readonly caught: number }> {
  const day = await magic(LAST_DAY);
  const replay = new Replay();
  const before = await magic(addDays(LAST_DAY, -1));
  replay.day(addDays(LAST_DAY, -1), before);
  const [past, truth] = [before, day].map((reported) => {
    return new Map(reported.map((one) => [keyOf(one), one.prices.market]));
  });
  const published = make(day);
  const wrong = published.filter((one) => {
    const { market } = one.prices;
    const was = past?.get(keyOf(one));
    return was && market !== was && market !== truth?.get(keyOf(one));
  });
  const keys = new Set(wrong.map(keyOf));
  const caught = replay.day(LAST_DAY, published).filter(({ resolved, amounts }) => {
    return amounts === undefined && keys.has(keyOf(resolved));
  });
  const share = ((caught.length / wrong.length) * 100).toFixed(2);
  context.diagnostic(
    `${caught.length} of ${wrong.length} caught, ${share} %: ${JSON.stringify(reasons(caught))}`,
  );
  return { wrong: wrong.length, caught: caught.length };
}

function keyOf({ card, printing }: Pick<Reported, 'card' | 'printing'>): string {
  return `${card} ${printing}`;
}

/** Changes every nth market price that is not below some cents. */
function everyNth(
  day: readonly Reported[],
  nth: number,
  least: number,
  to: (price: number) => number,
): Reported[] {
  let count = 0;
  return day.map((one) => {
    const { market } = one.prices;
    if (!market || market < least) return one;
    count += 1;
    if (count % nth !== 0) return one;
    return { ...one, prices: { ...one.prices, market: Math.round(to(market)) as Cents } };
  });
}

/** Multiplies all figures of all prices. */
function times(day: readonly Reported[], factor: number): Reported[] {
  return day.map((one) => {
    const changed = Object.entries(one.prices).map(([name, cents]) => {
      return [name, cents && Math.max(1, Math.round(cents * factor))];
    });
    return { ...one, prices: Object.fromEntries(changed) };
  });
}

/** Gives each row of a set the prices of the row before it. */
function shiftRows(day: readonly Reported[]): Reported[] {
  return [...Map.groupBy(day, ({ set }) => set).values()].flatMap((rows) => {
    return rows.map((row, at) => ({ ...row, prices: rows.at(at - 1)?.prices ?? row.prices }));
  });
}

/** Swaps the printings of every nth card whose prices differ by a fifth and by a quarter dollar. */
function swapPrintings(day: readonly Reported[], nth: number): Reported[] {
  let count = 0;
  return [...Map.groupBy(day, ({ card }) => card).values()].flatMap((printings) => {
    const [one, other, ...more] = printings;
    const [a, b] = [one?.prices.market, other?.prices.market];
    if (!one || !other || more.length > 0 || !a || !b) return printings;
    if (Math.max(a / b, b / a) < 1.2 || Math.abs(a - b) < 25) return printings;
    count += 1;
    if (count % nth !== 0) return printings;
    return [
      { ...one, prices: other.prices },
      { ...other, prices: one.prices },
    ];
  });
}

/** Counts true prices in quarantine; listings of a served market price count separately. */
function report(
  context: TestContext,
  quarantined: readonly QuarantinedPrice[],
  compared: number,
  most: number,
): void {
  const [listings, prices] = [true, false].map((isPart) => {
    return quarantined.filter(({ amounts }) => (amounts !== undefined) === isPart);
  });
  for (const [what, some = []] of [
    ['prices', prices],
    ['with listings', listings],
  ] as const) {
    const percent = `${((some.length / compared) * 100).toFixed(3)} %`;
    const counts = JSON.stringify(reasons(some));
    context.diagnostic(`${some.length} of ${compared} ${what} quarantined, ${percent}: ${counts}`);
    if (what === 'prices') assert.ok(some.length <= compared * most, percent);
  }
}

function reasons(quarantined: readonly QuarantinedPrice[]): Record<string, number> {
  const groups = Map.groupBy(quarantined, ({ rule }) => rule);
  return Object.fromEntries([...groups].map(([reason, own]) => [reason, own.length]));
}

let days: Promise<Map<Day, Reported[]>> | undefined;

/** Every day of the archive, oldest first. */
function archive(): Promise<Map<Day, Reported[]>> {
  days ??= readArchive();
  return days;
}

async function readArchive(): Promise<Map<Day, Reported[]>> {
  const unpacker = new Unpacker();
  const read = new Map<Day, Reported[]>();
  for (const { day, read: open } of await findDays(join(DATA, 'tcgcsv-archive'), unpacker)) {
    const files = await open();
    assert.ok(files);
    const prices = (await files.entries()).flatMap(({ path, bytes }) => {
      const set = Number(path.split('/').at(-2));
      return readPrices(bytes).listings.map(({ externalId, printing, prices }) => {
        return { source: 'tcgcsv', card: Number(externalId), set, printing, prices };
      });
    });
    read.set(day, prices);
  }
  await unpacker.close();
  assert.equal(read.size, 132);
  assert.equal(formatDay([...read.keys()][0] ?? (0 as Day)), '2025-09-19');
  return read;
}

/** The prices of Magic of a day of the archive, which has placeholders for its product ids. */
async function magic(day: Day): Promise<Reported[]> {
  return ((await archive()).get(day) ?? []).filter(({ card }) => card > 90_000_000);
}

async function scryfall(date: string): Promise<Reported[]> {
  const file = join(DATA, `scryfall/default-cards-${date}.json.gz`);
  const { items } = await readFeed(openScryfall, file);
  return items.flatMap(({ card, observations }) => {
    const product = Number(card.externalIds.tcgplayer);
    return observations.flatMap(({ printing = '', marketplace, prices }) => {
      const reported = {
        source: 'scryfall',
        marketplace,
        card: product,
        printing,
        stated: card.printings,
        prices,
      };
      return marketplace === 'tcgplayer' && product ? [reported] : [];
    });
  });
}

async function tree(slug: string): Promise<Reported[]> {
  const games = GAMES.filter((game) => game.slug === slug);
  const folder = await openFolder(join(DATA, 'tcgcsv'));
  const snapshot = await openTcgcsv(folder, { games, observedAt: NOW });
  const prices: Reported[] = [];
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind !== 'read') continue;
    const set = Number(outcome.group.set.externalId);
    for (const { externalId, printing, prices: figures } of outcome.group.listings) {
      const card = Number(externalId);
      prices.push({ source: 'tcgcsv', card, set, printing, prices: figures });
    }
  }
  return prices;
}

/** The archive has three games; Magic has placeholders for ids, Lorcana is all above these. */
function isPokemon({ card, printing }: Reported): boolean {
  return card < 90_000_000 && printing !== 'Cold Foil';
}
