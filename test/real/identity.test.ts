/** Real names and grades, of which none may go into quarantine, and mistakes planted in them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { nameInSet } from '../../src/domain/card-name.ts';
import { type GameSlug, rulesOf } from '../../src/domain/games.ts';
import { type Claim, findOtherCards, type Identity } from '../../src/ingest/identity/same-card.ts';
import { gradeOrder } from '../../src/ingest/validation/rules/grade-order.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { openStarter } from '../../src/sources/starter.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { readFeed } from '../support/feeds.ts';
import { resolved } from '../support/resolved.ts';
import { readTree } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const STARTER = new URL('../../data/starter/', import.meta.url);

interface Known extends Identity {
  readonly id: string;
  readonly game: GameSlug;
}

function cardsOf({ set, cards }: Group): Known[] {
  if (cards === 'unchanged') return [];
  return cards.map(({ externalId: id, name, number, rarity }) => {
    const setRowId = Number(set.externalId);
    return { id, game: set.game, setRowId, name: nameInSet(set.name, name), number, rarity };
  });
}

describe('the cards of a whole tree', () => {
  let cards: Known[] = [];
  let sets: Known[][] = [];

  before(async () => {
    cards = (await readTree(await openFolder(join(DATA, 'tcgcsv')))).flatMap(cardsOf);
    sets = [...Map.groupBy(cards, ({ setRowId }) => setRowId).values()];
  });

  /** Returns the claims that mean other cards. */
  function others(claims: readonly (Claim & { readonly known: Known })[]) {
    const concerned = new Set(claims.map(({ claimed }) => claimed.setRowId));
    const residents = cards.filter(({ setRowId }) => concerned.has(setRowId));
    return [...Map.groupBy(claims, ({ known }) => known.game)].flatMap(([game, some]) => {
      return findOtherCards(rulesOf(game), some, residents);
    });
  }

  test('are the same with the names that Scryfall gives their products', async (context) => {
    const { items } = await readFeed(
      openScryfall,
      join(DATA, 'scryfall/default-cards-2026-01-28.json.gz'),
    );
    const byId = new Map(cards.map((card) => [card.id, card]));
    const claims = items.flatMap(({ card: { externalIds, name, number } }) => {
      const known = byId.get(externalIds.tcgplayer ?? '');
      const isRenamed = known && (known.name !== name || known.number !== number);
      return isRenamed ? [{ known, claimed: { ...known, name, number } }] : [];
    });
    context.diagnostic(`${claims.length} renamed`);
    assert.ok(claims.length > 4000);
    assert.deepEqual(others(claims), []);
  });

  test('are those of the starter catalogue', async () => {
    const byId = new Map(cards.map((card) => [`${card.game} ${card.id}`, card]));
    const claims = [];
    for await (const read of (await openStarter(STARTER)).groups(() => undefined)) {
      for (const known of read.kind === 'read' ? cardsOf(read.group) : []) {
        const claimed = byId.get(`${known.game} ${known.id}`);
        if (claimed) claims.push({ known, claimed });
      }
    }
    assert.ok(claims.length > 2400);
    assert.deepEqual(others(claims), []);
  });

  test('are other cards if two of a set have exchanged their ids, or an id is given away', (context) => {
    const random = seededRandom(26);
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
    const as = (known: Known, { name, number, rarity }: Known) => ({
      known,
      claimed: { ...known, name, number, rarity },
    });
    const planted = Array.from({ length: 500 }, () => {
      const set = pick(sets);
      const [one, other, stranger] = [pick(set), pick(set), pick(cards)];
      const swap = [as(one, other), as(other, one)];
      const stolen = stranger.game === one.game ? [as(pick(set), stranger)] : [];
      return [swap, stolen].map((claims) => claims.filter(isChanged));
    }).flat();
    const missed = planted.flatMap((claims) => {
      const found = new Set(others(claims));
      return claims.filter((claim) => !found.has(claim));
    });
    report(context, planted.flat().length, missed.length);
    assert.deepEqual(missed, []);
  });
});

function isChanged({ known, claimed }: Claim): boolean {
  return known.name !== claimed.name || known.number !== claimed.number;
}

test('the grades of PriceCharting are in order', async (context) => {
  const file = join(DATA, 'pricecharting/pokemon-cards.csv');
  const { items } = await readFeed(openPriceCharting, file);
  const graded = items.flatMap(({ observations: [first] }) => {
    const market = first?.prices.market;
    return first?.graded.psa_10 && market ? [{ market, ...first.graded }] : [];
  });
  assert.equal(graded.length, 419);
  const held = graded.filter((cents) => heldIn(cents));
  report(context, graded.length, held.length);
  assert.deepEqual(held, []);
});

test('a grade of PriceCharting that is ten times too high or low is caught', async (context) => {
  const file = join(DATA, 'pricecharting/pokemon-cards.csv');
  const { items } = await readFeed(openPriceCharting, file);
  const planted = items.flatMap(({ observations: [first] }) => {
    const { graded, prices } = first ?? assert.fail();
    if (!graded.psa_10 || !prices.market) return [];
    const all: Readonly<Record<string, number>> = { market: prices.market, ...graded };
    return Object.entries(graded).flatMap(([grade, cents = 0]) => [
      { grade, is: { ...all, [grade]: cents * 10 } },
      { grade, is: { ...all, [grade]: cents / 10 } },
    ]);
  });
  const caught = planted.filter(({ grade, is }) => heldIn(is)?.amounts?.includes(grade));
  report(context, planted.length, caught.length);
  assert.ok(caught.length / planted.length > 0.89);
});

function heldIn(cents: Readonly<Record<string, number>>) {
  const is = Object.fromEntries(Object.entries(cents).map(([name, one]) => [name, one / 100]));
  return gradeOrder(resolved({ source: 'pricecharting', is }));
}

function report(context: TestContext, of: number, count: number): void {
  context.diagnostic(`${count} of ${of}`);
}
