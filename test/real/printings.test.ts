/** The printing in front of every card of a real tree, which is not part of the repository. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { comparePrintings, isPlainFoil, printingInFront } from '../../src/domain/card.ts';
import { GAMES, type GameSlug, isFoilRarity } from '../../src/domain/games.ts';
import type { Listing } from '../../src/sources/contract/snapshot.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';
import { NOW } from '../support/tcgcsv.ts';

const TREE = join(new URL('../../../shared/data', import.meta.url).pathname, 'tcgcsv');
/** Emerald's Rayquaza, which TCGplayer lists as `Normal`, too. */
const RAYQUAZA = '88626';
/** A rarity of fewer cards says nothing. */
const FEWEST_CARDS = 9;

interface RealCard {
  readonly id: string;
  readonly name: string;
  readonly game: GameSlug;
  readonly rarity: string | null;
  /** Plainest first. */
  readonly printings: readonly { readonly name: string; readonly prices: Listing['prices'] }[];
}

describe('the printing in front of real cards', () => {
  let cards: RealCard[] = [];
  before(async () => {
    cards = await readCards();
    assert.ok(cards.length > 75_000, `${cards.length} cards`);
  });

  test('has a market price whenever any printing has one', (context) => {
    const isPriced = ({ printings }: RealCard) => {
      return printings.some(({ prices }) => prices.market !== null);
    };
    const silent = cards.filter(isPriced).filter((card) => inFront(card)?.prices.market === null);
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
    );
    const plainest = cards.filter(isPriced).filter(({ printings }) => {
      const first = printings.find(({ prices }) => Object.values(prices).some(Boolean));
      return first?.prices.market === null;
    });
    context.diagnostic(`${plainest.length} cards have no market price in their plainest printing`);
    assert.equal(plainest.length, 14);
  });

  test('is the holofoil for a foil rarity, such as Rayquaza', (context) => {
    const rayquaza = cards.find(({ id }) => id === RAYQUAZA) ?? assert.fail();
    assert.deepEqual(
      [inFront(rayquaza)?.name, inFront(rayquaza)?.prices.market],
      ['Holofoil', 7930],
    );
    const others = cards.filter(({ game, rarity, printings }) => {
      const front = inFront({ game, rarity, printings });
      return front && front !== printingInFront(printings, false);
    });
    context.diagnostic(`${others.length} cards show a holofoil instead of a plainer printing`);
    assert.ok(others.length > 20 && others.length < 60, `${others.length}`);
    for (const card of others) assert.ok(isPlainFoil(inFront(card)?.name ?? ''), card.name);
  });

  test('follows exactly the rarities with nine in ten foils', () => {
    const priced = cards.filter(({ printings }) => printings.length > 0);
    for (const { slug } of GAMES) {
      const ofGame = priced.filter(({ game, rarity }) => game === slug && rarity !== null);
      for (const [rarity, own] of Map.groupBy(ofGame, (card) => card.rarity)) {
        if (own.length < FEWEST_CARDS) continue;
        const foils = own.filter(({ printings }) =>
          printings.every(({ name }) => /foil/i.test(name)),
        );
        const isFoil = foils.length / own.length >= 0.9;
        assert.equal(
          isFoilRarity(slug, rarity),
          isFoil,
          `${slug} ${rarity}: ${foils.length}/${own.length}`,
        );
      }
    }
  });
});

function inFront({ game, rarity, printings }: Pick<RealCard, 'game' | 'rarity' | 'printings'>) {
  return printingInFront(printings, isFoilRarity(game, rarity));
}

async function readCards(): Promise<RealCard[]> {
  const snapshot = await openTcgcsv(await openFolder(TREE), { games: GAMES, observedAt: NOW });
  const cards: RealCard[] = [];
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind !== 'read' || outcome.group.cards === 'unchanged') continue;
    const { set, cards: own, listings } = outcome.group;
    const byCard = Map.groupBy(listings, ({ externalId }) => externalId);
    for (const { externalId: id, name, rarity } of own) {
      const printings = (byCard.get(id) ?? [])
        .map(({ printing, prices }) => ({ name: printing, prices }))
        .sort((a, b) => comparePrintings(a.name, b.name));
      cards.push({ id, name, game: set.game, rarity, printings });
    }
  }
  return cards;
}
