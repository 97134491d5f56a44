import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Card, comparePrintings, defaultPrinting } from '../../src/domain/card.ts';
import { type Day, formatDay, formatMoment, parseDay, windowOf } from '../../src/domain/day.ts';
import { findGame, GAME_SLUGS, GAMES, type GameSlug, rarityLabel } from '../../src/domain/games.ts';
import { cardId, clashingId, setId, slug } from '../../src/domain/ids.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';

describe('days', () => {
  test('are written and read as YYYY-MM-DD', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), (count) => {
        assert.equal(parseDay(formatDay(count as Day)), count);
      }),
    );
  });

  test('that do not exist are not days', () => {
    for (const text of ['2025-02-30', '2025-13-01', '25-01-01', '2025-1-1', 'today', '']) {
      assert.equal(parseDay(text), undefined, text);
    }
  });

  test('a moment is shown to the second, in UTC', () => {
    assert.equal(formatMoment(Date.parse('2026-01-28T20:05:12.987+00:00')), '2026-01-28T20:05:12Z');
  });

  test('a window of 7 days is the newest day and the 6 before it', () => {
    const newest = parseDay('2026-01-28');
    assert.ok(newest !== undefined);
    const { from, to } = windowOf(7, newest);
    assert.equal(formatDay(from), '2026-01-22');
    assert.equal(formatDay(to), '2026-01-28');
  });
});

describe('games', () => {
  test('are found by slug and alias, and by nothing else', () => {
    assert.equal(findGame('pokemonjp')?.slug, 'pokemonjp');
    assert.equal(findGame('pokemon-jp')?.slug, 'pokemonjp');
    assert.equal(findGame('Pokemon'), undefined);
    assert.equal(GAMES.length, GAME_SLUGS.length);
  });

  test('have an example each, in places that follow one another', () => {
    const places = GAMES.map(({ example }) => example.place).toSorted((a, b) => a - b);
    assert.deepEqual(
      places,
      GAMES.map((_, index) => index + 1),
    );
  });

  test('rarities are full labels', () => {
    const label = (game: string, raw: string) => {
      const found = findGame(game);
      assert.ok(found);
      return rarityLabel(found, raw);
    };
    assert.equal(label('mtg', 'M'), 'Mythic');
    assert.equal(label('onepiece', 'SuperRare'), 'Super Rare');
    assert.equal(label('pokemonjp', 'Illustration rare'), 'Illustration Rare');
    assert.equal(label('pokemon', 'ACE SPEC Rare'), 'ACE SPEC Rare');
  });
});

describe('card ids', () => {
  const examples: readonly [string, string | null, string][] = [
    ['Charizard', '004/102', 'pokemon-bs-charizard-004'],
    ['Nidoran ♀', '55', 'pokemon-bs-nidoran-f-55'],
    ["Farfetch'd", '27/102', 'pokemon-bs-farfetchd-27'],
    ['Flabébé', null, 'pokemon-bs-flabebe'],
    ['モンジャラ', '001/063', 'pokemon-bs-monjara-001'],
    ['夜', '188/193', 'pokemon-bs-188'],
    ['Elvish Warrior', '240★', 'pokemon-bs-elvish-warrior-240-star'],
    ['Gust of Wind & Rain', 'TG12/TG30', 'pokemon-bs-gust-of-wind-and-rain-tg12'],
  ];
  for (const [name, number, id] of examples) {
    test(`${name} ${number ?? ''} is ${id}`, () => {
      assert.equal(cardId('pokemon', 'BS', name, number), id);
    });
  }

  test('that belong to another card get what stands behind the # of the external id, if any', () => {
    assert.equal(clashingId('mtg-lea-forest-1', '42382'), 'mtg-lea-forest-1--42382');
    assert.equal(clashingId('mtg-lea-forest-1', 'mtg-lea-forest-1#02'), 'mtg-lea-forest-1--02');
  });

  test('contain only lower-case letters, digits and single hyphens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.match(slug(text), /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
      }),
    );
  });
});

describe('setIds', () => {
  const examples: readonly [string, string, string][] = [
    ['PAL', 'SV02: Paldea Evolved', 'pokemonjp-sv02-paldea-evolved'],
    ['SV3a', 'レイジングサーフ', 'pokemonjp-reijingusaafu'],
    ['PCG1', '伝説の飛翔', 'pokemonjp-pcg1-no'],
    ['neo1', '金、銀、新世界へ...', 'pokemonjp-neo1-he'],
    ['秘密', '!', 'pokemonjp-set'],
  ];
  for (const [code, name, id] of examples) {
    test(`${name} is ${id}`, () => assert.equal(setId('pokemonjp', code, name), id));
  }
});

describe('printings', () => {
  test('are ordered from the plainest to the fanciest', () => {
    const names = [
      'Cold Foil',
      'Galaxy Foil',
      'Reverse Holofoil',
      '1st Edition',
      'Normal',
      'Unlimited',
    ];
    assert.deepEqual(names.sort(comparePrintings), [
      'Normal',
      'Unlimited',
      '1st Edition',
      'Cold Foil',
      'Reverse Holofoil',
      'Galaxy Foil',
    ]);
  });

  describe("a card's own", () => {
    const printing = (rowId: number, name: string, market: number | null, low?: number) => ({
      rowId,
      name,
      prices: {
        ...NO_PRICES,
        market: market as Cents | null,
        low: (low ?? null) as Cents | null,
        conditions: {},
        graded: {},
        sources: [],
        figuresAt: null,
        conditionsAt: null,
        gradedAt: null,
      },
    });
    const cardOf = (game: GameSlug, rarity: string | null, printings: Card['printings']): Card => ({
      rowId: 1,
      id: 'x',
      name: 'x',
      number: null,
      rarity,
      image: null,
      printings,
      set: { rowId: 1, id: 'x-x', game, code: 'X', name: 'X', releaseDate: null },
    });
    const shown = (card: Card) => defaultPrinting(card)?.name;

    test('is the plainest with a market price, otherwise with any price, otherwise the plainest', () => {
      const unpriced = [printing(1, 'Normal', null), printing(2, 'Foil', null)];
      assert.equal(shown(cardOf('mtg', 'Rare', unpriced)), 'Normal');
      const listed = [printing(1, 'Normal', null), printing(2, 'Foil', null, 100)];
      assert.equal(shown(cardOf('mtg', 'Rare', listed)), 'Foil');
      const sold = [printing(1, 'Normal', null, 100), printing(2, 'Foil', 150)];
      assert.equal(shown(cardOf('mtg', 'Rare', sold)), 'Foil');
      const both = [printing(1, 'Normal', 20), printing(2, 'Foil', 150)];
      assert.equal(shown(cardOf('mtg', 'Rare', both)), 'Normal');
      assert.equal(shown(cardOf('mtg', 'Rare', [])), undefined);
    });

    test('is the holofoil where the rarity is a foil one, but no reverse holo', () => {
      const rayquaza = [
        printing(1, 'Normal', 1998),
        printing(2, 'Holofoil', 7930),
        printing(3, 'Reverse Holofoil', 22_505),
      ];
      assert.equal(shown(cardOf('pokemon', 'Holo Rare', rayquaza)), 'Holofoil');
      assert.equal(shown(cardOf('pokemon', 'Rare', rayquaza)), 'Normal');
      assert.equal(shown(cardOf('pokemon', null, rayquaza)), 'Normal');
      const unsold = [printing(1, 'Normal', 1998), printing(2, 'Holofoil', null, 7930)];
      assert.equal(shown(cardOf('pokemon', 'Holo Rare', unsold)), 'Normal');
      const reverse = [printing(1, 'Normal', 1998), printing(3, 'Reverse Holofoil', 22_505)];
      assert.equal(shown(cardOf('pokemon', 'Holo Rare', reverse)), 'Normal');
      const old = [printing(1, 'Unlimited Holofoil', 5), printing(2, '1st Edition Holofoil', 9)];
      assert.equal(shown(cardOf('pokemon', 'Holo Rare', old)), 'Unlimited Holofoil');
      const enchanted = [printing(1, 'Normal', 1), printing(2, 'Cold Foil', 90)];
      assert.equal(shown(cardOf('lorcana', 'Enchanted', enchanted)), 'Cold Foil');
    });
  });
});
