/**
 * What validation quarantines of real prices, which are taken for true, and of mistakes planted in
 * them. The files are not part of the repository; docs/pricing.md has the figures.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import { GAMES } from '../../src/domain/games.ts';
import type { Cents } from '../../src/domain/money.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';
import { findDays } from '../../src/sources/tcgcsv-archive/days.ts';
import { openArchive } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import { readFeed } from '../support/feeds.ts';
import { type QuarantinedPrice, Replay, type Reported } from '../support/replay.ts';
import { NOW } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const MOST_QUARANTINED = 0.005;

describe('validation of true prices', () => {
  test('of 132 days, day after day', async (context) => {
    const replay = new Replay();
    const quarantined: QuarantinedPrice[] = [];
    for (const [day, prices] of await archive()) quarantined.push(...replay.day(day, prices));
    assert.ok(replay.compared > 260_000, `${replay.compared} compared`);
    report(context, quarantined, replay.compared);
    assert.deepEqual(Object.keys(reasons(quarantined)), ['price-jump']);
  });

  test('of two days of Scryfall, nine days apart', async (context) => {
    const replay = new Replay();
    const quarantined: QuarantinedPrice[] = [];
    for (const date of ['2026-01-19', '2026-01-28']) {
      quarantined.push(...replay.day(parseDay(date) as Day, await scryfall(date)));
    }
    assert.ok(replay.compared > 26_000, `${replay.compared} compared`);
    report(context, quarantined, replay.compared);
  });

  test('of Scryfall and TCGCSV on the same two days', async (context) => {
    const replay = new Replay();
    const quarantined: QuarantinedPrice[] = [];
    const days = await archive();
    for (const date of ['2026-01-19', '2026-01-28']) {
      const day = parseDay(date) as Day;
      const magic = (days.get(day) ?? []).filter(({ card }) => card > 90_000_000);
      quarantined.push(...replay.day(day, magic), ...replay.day(day, await scryfall(date)));
    }
    assert.ok(replay.compared > 75_000, `${replay.compared} compared`);
    report(context, quarantined, replay.compared);
  });

  test('of Pokémon sets, seven months apart', async (context) => {
    const replay = new Replay();
    replay.day(parseDay('2025-06-25') as Day, await tree('pokemon'));
    const before = replay.compared;
    const last = parseDay('2026-01-28') as Day;
    const prices = (await archive()).get(last)?.filter(isPokemon) ?? [];
    const quarantined = replay.day(last, prices);
    assert.ok(replay.compared - before > 2400, `${replay.compared - before} compared`);
    report(context, quarantined, replay.compared - before);
  });
});

/** Mistakes: each makes some prices of a day wrong, and counts them. */
const PLANTED: Readonly<Record<string, (day: readonly Reported[]) => Plant>> = {
  'ten times the price': (day) =>
    plant(
      day,
      (price) => price >= 12,
      (price) => price * 10,
    ),
  'a tenth of the price': (day) =>
    plant(
      day,
      (price) => price >= 112,
      (price) => price / 10,
    ),
  '0 for unknown': (day) =>
    plant(
      day,
      () => true,
      () => 0,
    ),
  'printings swapped': swapPrintings,
};

describe('validation of mistakes in real prices', () => {
  for (const [mistake, make] of Object.entries(PLANTED)) {
    test(`catches every one: ${mistake}`, async (context) => {
      const last = parseDay('2026-01-28') as Day;
      const day = ((await archive()).get(last) ?? []).filter(({ card }) => card > 90_000_000);
      const { prices, wrong } = make(day);
      const replay = new Replay();
      replay.day(last, day);
      const caught = replay.day((last + 1) as Day, prices);
      context.diagnostic(`${caught.length} of ${wrong} caught: ${JSON.stringify(reasons(caught))}`);
      assert.ok(wrong > 5000, `${wrong} planted`);
      assert.equal(caught.length, wrong);
    });
  }
});

interface Plant {
  readonly prices: readonly Reported[];
  readonly wrong: number;
}

function plant(
  day: readonly Reported[],
  fits: (price: number) => boolean,
  change: (price: number) => number,
): Plant {
  let wrong = 0;
  const prices = day.map((one) => {
    const { market } = one.prices;
    if (!market || !fits(market)) return one;
    wrong += 1;
    return { ...one, prices: { ...one.prices, market: Math.round(change(market)) as Cents } };
  });
  return { prices, wrong };
}

/** Swaps two printings whose prices differ by a fifth and by a quarter of a dollar. */
function swapPrintings(day: readonly Reported[]): Plant {
  let wrong = 0;
  const prices = [...Map.groupBy(day, ({ card }) => card).values()].flatMap((printings) => {
    const [one, other, ...more] = printings;
    const [a, b] = [one?.prices.market, other?.prices.market];
    if (!one || !other || more.length > 0 || !a || !b) return printings;
    if (Math.max(a / b, b / a) < 1.2 || Math.abs(a - b) < 25) return printings;
    wrong += 2;
    return [
      { ...one, prices: other.prices },
      { ...other, prices: one.prices },
    ];
  });
  return { prices, wrong };
}

function report(
  context: TestContext,
  quarantined: readonly QuarantinedPrice[],
  compared: number,
): void {
  const share = quarantined.length / compared;
  const percent = `${(share * 100).toFixed(3)} %`;
  context.diagnostic(
    `${quarantined.length} of ${compared} quarantined, ${percent}: ${JSON.stringify(reasons(quarantined))}`,
  );
  assert.ok(share <= MOST_QUARANTINED, percent);
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
  const found = await findDays(join(DATA, 'tcgcsv-archive'), unpacker);
  const past = openArchive({ days: found, now: NOW, again: true });
  for await (const { outcome } of past.parts(() => undefined)) {
    assert.equal(outcome.kind, 'read');
    for (const { listings } of outcome.part.chunks) {
      for (const { externalId, printing = '', day, prices } of listings) {
        const own = read.get(day) ?? [];
        own.push({ source: 'tcgcsv', card: Number(externalId), printing, prices });
        read.set(day, own);
      }
    }
  }
  await unpacker.close();
  assert.equal(read.size, 132);
  assert.equal(formatDay([...read.keys()][0] ?? (0 as Day)), '2025-09-19');
  return read;
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
    for (const { externalId, printing, prices: figures } of outcome.group.listings) {
      prices.push({ source: 'tcgcsv', card: Number(externalId), printing, prices: figures });
    }
  }
  return prices;
}

/** The archive has three games; Magic has placeholders for ids, Lorcana is all above these. */
function isPokemon({ card, printing }: Reported): boolean {
  return card < 90_000_000 && printing !== 'Cold Foil';
}
