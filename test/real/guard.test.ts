/**
 * What the guard holds back of real prices, which are taken for true, and of mistakes planted in
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
import { type HeldPrice, Replay, type Told } from '../support/replay.ts';
import { NOW } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const MOST_HELD = 0.005;

describe('the guard and true prices', () => {
  test('of 132 days, day after day', async (context) => {
    const replay = new Replay();
    const held: HeldPrice[] = [];
    for (const [day, told] of await archive()) held.push(...replay.day(day, told));
    assert.ok(replay.judged > 260_000, `${replay.judged} judged`);
    report(context, held, replay.judged);
    assert.deepEqual(Object.keys(reasons(held)), ['jump']);
  });

  test('of two days of Scryfall, nine days apart', async (context) => {
    const replay = new Replay();
    const held: HeldPrice[] = [];
    for (const date of ['2026-01-19', '2026-01-28']) {
      held.push(...replay.day(parseDay(date) as Day, await scryfall(date)));
    }
    assert.ok(replay.judged > 26_000, `${replay.judged} judged`);
    report(context, held, replay.judged);
  });

  test('of Scryfall and TCGCSV on the same two days', async (context) => {
    const replay = new Replay();
    const held: HeldPrice[] = [];
    const days = await archive();
    for (const date of ['2026-01-19', '2026-01-28']) {
      const day = parseDay(date) as Day;
      const magic = (days.get(day) ?? []).filter(({ card }) => card > 90_000_000);
      held.push(...replay.day(day, magic), ...replay.day(day, await scryfall(date)));
    }
    assert.ok(replay.judged > 75_000, `${replay.judged} judged`);
    report(context, held, replay.judged);
  });

  test('of Pokémon sets, seven months apart', async (context) => {
    const replay = new Replay();
    replay.day(parseDay('2025-06-25') as Day, await tree('pokemon'));
    const before = replay.judged;
    const last = parseDay('2026-01-28') as Day;
    const held = replay.day(last, (await archive()).get(last)?.filter(isPokemon) ?? []);
    assert.ok(replay.judged - before > 2400, `${replay.judged - before} judged`);
    report(context, held, replay.judged - before);
  });
});

/** Mistakes planted in real prices: what becomes of a day, and which of its prices are wrong then. */
const PLANTED: Readonly<Record<string, (day: readonly Told[]) => Plant>> = {
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
  'siblings swapped': swapSiblings,
};

describe('the guard and mistakes in real prices', () => {
  for (const [mistake, make] of Object.entries(PLANTED)) {
    test(`catches every one: ${mistake}`, async (context) => {
      const last = parseDay('2026-01-28') as Day;
      const day = ((await archive()).get(last) ?? []).filter(({ card }) => card > 90_000_000);
      const { told, wrong } = make(day);
      const replay = new Replay();
      replay.day(last, day);
      const held = replay.day((last + 1) as Day, told);
      context.diagnostic(`${held.length} of ${wrong} caught: ${JSON.stringify(reasons(held))}`);
      assert.ok(wrong > 5000, `${wrong} planted`);
      assert.equal(held.length, wrong);
    });
  }
});

interface Plant {
  readonly told: readonly Told[];
  readonly wrong: number;
}

function plant(
  day: readonly Told[],
  fits: (price: number) => boolean,
  change: (price: number) => number,
): Plant {
  let wrong = 0;
  const told = day.map((one) => {
    const { market } = one.prices;
    if (!market || !fits(market)) return one;
    wrong += 1;
    return { ...one, prices: { ...one.prices, market: Math.round(change(market)) as Cents } };
  });
  return { told, wrong };
}

/** Swaps siblings that can be told apart: by a fifth and a quarter of a dollar. */
function swapSiblings(day: readonly Told[]): Plant {
  let wrong = 0;
  const told = [...Map.groupBy(day, ({ card }) => card).values()].flatMap((family) => {
    const [one, other, ...more] = family;
    const [a, b] = [one?.prices.market, other?.prices.market];
    if (!one || !other || more.length > 0 || !a || !b) return family;
    if (Math.max(a / b, b / a) < 1.2 || Math.abs(a - b) < 25) return family;
    wrong += 2;
    return [
      { ...one, prices: other.prices },
      { ...other, prices: one.prices },
    ];
  });
  return { told, wrong };
}

function report(context: TestContext, held: readonly HeldPrice[], judged: number): void {
  const share = held.length / judged;
  const percent = `${(share * 100).toFixed(3)} %`;
  context.diagnostic(
    `${held.length} of ${judged} held back, ${percent}: ${JSON.stringify(reasons(held))}`,
  );
  assert.ok(share <= MOST_HELD, percent);
}

function reasons(held: readonly HeldPrice[]): Record<string, number> {
  const groups = Map.groupBy(held, ({ reason }) => reason);
  return Object.fromEntries([...groups].map(([reason, own]) => [reason, own.length]));
}

let days: Promise<Map<Day, Told[]>> | undefined;

/** Every day of the archive, oldest first. */
function archive(): Promise<Map<Day, Told[]>> {
  days ??= readArchive();
  return days;
}

async function readArchive(): Promise<Map<Day, Told[]>> {
  const unpacker = new Unpacker();
  const read = new Map<Day, Told[]>();
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

async function scryfall(date: string): Promise<Told[]> {
  const file = join(DATA, `scryfall/default-cards-${date}.json.gz`);
  const { items } = await readFeed(openScryfall, file);
  return items.flatMap(({ card, observations }) => {
    const product = Number(card.externalIds.tcgplayer);
    return observations.flatMap(({ printing = '', marketplace, prices }) => {
      const told = {
        source: 'scryfall',
        market: marketplace,
        card: product,
        printing,
        stated: card.printings,
        prices,
      };
      return marketplace === 'tcgplayer' && product ? [told] : [];
    });
  });
}

async function tree(slug: string): Promise<Told[]> {
  const games = GAMES.filter((game) => game.slug === slug);
  const folder = await openFolder(join(DATA, 'tcgcsv'));
  const snapshot = await openTcgcsv(folder, { games, observedAt: NOW });
  const told: Told[] = [];
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind !== 'read') continue;
    for (const { externalId, printing, prices } of outcome.group.listings) {
      told.push({ source: 'tcgcsv', card: Number(externalId), printing, prices });
    }
  }
  return told;
}

/** The archive has three games; Magic has placeholders for ids, Lorcana is all above these. */
function isPokemon({ card, printing }: Told): boolean {
  return card < 90_000_000 && printing !== 'Cold Foil';
}
