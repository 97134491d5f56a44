import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GAME_SLUGS, type GameSlug } from '../../src/domain/games.ts';
import { foldText, foldWords } from '../../src/domain/text.ts';
import { ENTRIES, type Facts, findPhrases, type Phrase } from '../../src/search/lexicon/index.ts';
import { listed } from '../../src/search/lexicon/table.ts';

const THIS_YEAR = 2026;

interface Draft {
  readonly game?: GameSlug;
  readonly name?: string;
  readonly rarity?: string;
  readonly printings?: readonly string[];
  readonly set?: string;
  readonly code?: string;
  readonly year?: number;
}

function factsOf(draft: Draft): Facts {
  return {
    game: draft.game ?? 'pokemon',
    rarity: draft.rarity === undefined ? null : foldText(draft.rarity),
    printings: (draft.printings ?? []).map((name) => ({ name })),
    nameTerms: foldWords(draft.name ?? 'Charizard'),
    setTerms: foldWords(draft.set ?? 'Base Set'),
    setCode: foldText(draft.code ?? 'BS'),
    releaseYear: draft.year ?? null,
    number: '4/102',
  };
}

function find(q: string): Phrase[] {
  return findPhrases(foldWords(q), THIS_YEAR);
}

/** The phrases of a query as `kind: meaning`, in the order found. */
function meanings(q: string): string[] {
  return find(q).map(({ as, means }) => `${as}: ${means}`);
}

/** Whether a reading of the whole query as `as` agrees with a card. */
function agrees(q: string, as: Phrase['as'], draft: Draft): boolean {
  const length = foldWords(q).length;
  const whole = find(q).filter((each) => each.as === as && each.from === 0 && each.to === length);
  assert.notEqual(whole.length, 0, `${q} is read as ${as}`);
  return whole.some(({ fits }) => fits?.(factsOf(draft)) === true);
}

/** Checks rows of a query, a card that agrees, and one that does not. */
function check(as: Phrase['as'], rows: readonly (readonly [string, Draft, Draft])[]): void {
  for (const [q, fitting, other] of rows) {
    it(`reads ${q} as a ${as}`, () => {
      assert.equal(agrees(q, as, fitting), true, 'the card that is meant agrees');
      assert.equal(agrees(q, as, other), false, 'another does not');
    });
  }
}

describe('rarities', () => {
  const pokemon = (rarity: string): Draft => ({ game: 'pokemon', rarity });
  const yugioh = (rarity: string): Draft => ({ game: 'yugioh', rarity });
  const onepiece = (rarity: string): Draft => ({ game: 'onepiece', rarity });
  const fab = (rarity: string): Draft => ({ game: 'fab', rarity });
  check('rarity', [
    ['SIR', pokemon('Special Illustration Rare'), pokemon('Illustration Rare')],
    ['sar', { ...pokemon('Special Art Rare'), game: 'pokemonjp' }, pokemon('Ultra Rare')],
    ['ar', { ...pokemon('Illustration Rare'), game: 'pokemonjp' }, yugioh('Rare')],
    ['rare holo', pokemon('Holo Rare'), pokemon('Rare')],
    ['holo rare', pokemon('Rare Holo'), pokemon('Rare')],
    ['rare', pokemon('Rare'), pokemon('Holo Rare')],
    ['secret rare', pokemon('Secret Rare'), pokemon('Rare')],
    ['QCSR', yugioh('Quarter Century Secret Rare'), yugioh('Secret Rare')],
    ['quarter century', yugioh('Quarter Century Secret Rare'), yugioh('Secret Rare')],
    ['starlight', yugioh('Starlight Rare'), yugioh('Starfoil Rare')],
    ['ulti', yugioh('Ultimate Rare'), yugioh('Ultra Rare')],
    ["collector's rare", yugioh("Collector's Rare"), yugioh('Rare')],
    ['PScR', yugioh('Prismatic Secret Rare'), yugioh('Secret Rare')],
    ['ghost rare', yugioh('Ghost Rare'), yugioh('Gold Rare')],
    ['superrare', onepiece('Super Rare'), onepiece('Rare')],
    ['secretrare', onepiece('Secret Rare'), onepiece('Super Rare')],
    ['SEC', onepiece('Secret Rare'), onepiece('Super Rare')],
    ['leader', onepiece('Leader'), onepiece('Rare')],
    ['sp', onepiece('Special'), fab('Rare')],
    ['mythic', { game: 'mtg', rarity: 'Mythic' }, { game: 'mtg', rarity: 'Rare' }],
    ['mythic', { game: 'mtg', rarity: 'Mythic Rare' }, { game: 'fab', rarity: 'Majestic' }],
    ['majestic', fab('Majestic'), fab('Rare')],
    ['fabled', fab('Fabled'), fab('Legendary')],
    ['leg', { game: 'lorcana', rarity: 'Legendary' }, { game: 'mtg', rarity: 'Legendary' }],
    ['enchanted', { game: 'lorcana', rarity: 'Enchanted' }, { game: 'lorcana', rarity: 'Rare' }],
    ['iconic', { game: 'lorcana', rarity: 'Iconic' }, { game: 'lorcana', rarity: 'Rare' }],
    ['c', { game: 'swu', rarity: 'Common' }, { game: 'swu', rarity: 'Uncommon' }],
    ['promo', { rarity: 'Promo' }, { rarity: 'Rare' }],
    ['promo', { set: 'SM Promos' }, { rarity: 'Rare' }],
  ]);

  it('reads one word as the rarity of the game of a card', () => {
    const found = find('sr').filter(({ fits }) => fits?.(factsOf(yugioh('Super Rare'))));
    assert.deepEqual(
      found.map(({ means }) => means),
      ['Super Rare'],
    );
  });
});

describe('printings', () => {
  const printed = (...printings: string[]): Draft => ({ printings });
  check('printing', [
    ['reverse holo', printed('Normal', 'Reverse Holofoil'), printed('Holofoil')],
    ['rev holo', printed('Reverse Holofoil'), printed('Normal')],
    ['RH', printed('Reverse Holofoil'), printed('Normal')],
    ['holo', printed('Holofoil'), printed('Normal', 'Reverse Holofoil')],
    ['holo', { name: 'Pikachu (Cosmos Holo)' }, { name: 'Pikachu (Non-Holo)' }],
    ['non-holo', { name: 'Pikachu (Non-Holo)' }, printed('Holofoil')],
    ['foil', { game: 'mtg', printings: ['Normal', 'Foil'] }, printed('Normal')],
    ['foil', { game: 'lorcana', printings: ['Cold Foil'] }, printed('1st Edition')],
    ['nonfoil', { game: 'mtg', printings: ['Normal'] }, { game: 'mtg', printings: ['Foil'] }],
    ['normal', printed('Normal'), printed('1st Edition', 'Holofoil')],
    ['1st edition', printed('1st Edition Holofoil'), printed('Unlimited Holofoil')],
    ['1st ed.', printed('1st Edition'), printed('Normal')],
    ['first edition', { ...printed('1st Edition'), game: 'yugioh' }, printed('Limited')],
    ['unlimited', printed('Unlimited Holofoil'), printed('1st Edition Holofoil')],
    ['unlimited', { game: 'mtg', set: 'Unlimited Edition' }, printed('Normal')],
    ['shadowless', { set: 'Base Set (Shadowless)' }, { set: 'Base Set' }],
    ['cold foil', { game: 'fab', printings: ['Cold Foil'] }, printed('Rainbow Foil')],
    ['CF', { game: 'fab', printings: ['1st Edition Cold Foil'] }, printed('Rainbow Foil')],
    ['rainbow foil', { game: 'fab', printings: ['Rainbow Foil'] }, printed('Cold Foil')],
    ['foil etched', { game: 'mtg', name: 'Bolt (Foil Etched)' }, { game: 'mtg', name: 'Bolt' }],
    ['*F*', { game: 'mtg', printings: ['Foil'] }, { game: 'mtg', printings: ['Normal'] }],
    ['*E*', { game: 'mtg', printings: ['Etched'] }, { game: 'mtg', printings: ['Foil'] }],
    ['cracked ice', { name: 'Pikachu (Cracked Ice Holo)' }, printed('Holofoil')],
    ['masterball', { name: 'Pikachu (Master Ball Pattern)' }, { name: 'Pikachu' }],
    ['poke ball', { name: 'Pikachu (Poke Ball Pattern)' }, { name: 'Pikachu' }],
  ]);

  it('returns which printings are meant', () => {
    const [reverse] = find('reverse');
    assert.equal(reverse?.fitsPrinting?.('Reverse Holofoil'), true);
    assert.equal(reverse?.fitsPrinting?.('Holofoil'), false);
    assert.equal(find('borderless')[0]?.fitsPrinting, undefined);
  });
});

describe('treatments', () => {
  const mtg = (name: string): Draft => ({ game: 'mtg', name });
  check('treatment', [
    ['borderless', mtg('Golbez (Borderless)'), mtg('Golbez')],
    ['showcase', mtg('Golbez (Showcase)'), mtg('Golbez')],
    ['showcase', { game: 'swu', name: 'Vader (Showcase)' }, { game: 'swu', name: 'Vader' }],
    ['hyperspace', { game: 'swu', name: 'Vader (Hyperspace)' }, { game: 'swu', name: 'Vader' }],
    ['extended art', mtg('Golbez (Extended Art)'), mtg('Golbez (Borderless)')],
    ['retro frame', mtg('Golbez (Retro Frame)'), mtg('Golbez')],
    ['FA', { name: 'Lapras V (Full Art)' }, { name: 'Lapras V' }],
    ['alternate art', { name: 'Lapras V (Alternate Full Art)' }, { name: 'Lapras V (Full Art)' }],
    ['alt art', { game: 'onepiece', name: 'Sabo (Parallel)' }, { game: 'onepiece', name: 'Sabo' }],
    ['parallel', { game: 'onepiece', name: 'Sabo (Parallel)' }, { game: 'fab', name: 'Parallel' }],
    ['manga', { game: 'onepiece', name: 'Sabo (Manga)' }, { game: 'onepiece', name: 'Sabo' }],
    ['blue', { game: 'fab', name: 'Cut Through (Blue)' }, { name: 'Blue Shell' }],
    ['prerelease', { name: 'Gabite (Prerelease)' }, { name: 'Gabite' }],
    ['shiny', { rarity: 'Shiny Rare' }, { rarity: 'Rare' }],
    ['shiny', { set: 'Hidden Fates: Shiny Vault' }, { set: 'Hidden Fates' }],
    ['jumbo', { name: 'Charizard (Jumbo)' }, { name: 'Charizard' }],
    ['staff', { name: 'Gabite (Prerelease) [Staff]' }, { name: 'Gabite (Prerelease)' }],
    ['stamped', { name: 'Eevee (Mewtwo Stamped)' }, { name: 'Eevee' }],
    ['league', { name: 'Eevee (League Promo)' }, { name: 'Eevee' }],
    ['serialized', mtg('Sol Ring (Serialized)'), mtg('Sol Ring')],
    ['surge foil', mtg('Sol Ring (Surge Foil)'), mtg('Sol Ring')],
  ]);
});

describe('years', () => {
  check('year', [
    ['1999', { year: 1999 }, { year: 2000 }],
    ['2015', { game: 'mtg', set: 'Magic 2015' }, { game: 'mtg', set: 'Magic 2014' }],
    ['2018', { name: 'Champions Festival (World Championships 2018)' }, { year: 2019 }],
  ]);

  it('reads only years with cards, up to next year', () => {
    assert.deepEqual(meanings('1992 1993 2026 2027 2028 99 02019 20190'), [
      'year: 1993',
      'year: 2026',
      'year: 2027',
    ]);
  });
});

describe('languages and games', () => {
  check('language', [
    ['japanese', { game: 'pokemonjp' }, { game: 'pokemon' }],
    ['JP', { game: 'pokemonjp' }, { game: 'pokemon' }],
    ['english', { game: 'mtg' }, { game: 'pokemonjp' }],
  ]);
  check('game', [
    ['pokemon', { game: 'pokemonjp' }, { game: 'mtg' }],
    ['pkmn', { game: 'pokemon' }, { game: 'mtg' }],
    ['Pokémon TCG', { game: 'pokemon' }, { game: 'mtg' }],
    ['pokemon japan', { game: 'pokemonjp' }, { game: 'pokemon' }],
    ['mtg', { game: 'mtg' }, { game: 'fab' }],
    ['Magic: The Gathering', { game: 'mtg' }, { game: 'fab' }],
    ['magic', { game: 'mtg' }, { game: 'fab' }],
    ['Yu-Gi-Oh!', { game: 'yugioh' }, { game: 'mtg' }],
    ['ygo tcg', { game: 'yugioh' }, { game: 'mtg' }],
    ['Disney Lorcana TCG', { game: 'lorcana' }, { game: 'mtg' }],
    ['one piece card game', { game: 'onepiece' }, { game: 'mtg' }],
    ['optcg', { game: 'onepiece' }, { game: 'mtg' }],
    ['Star Wars: Unlimited', { game: 'swu' }, { game: 'mtg' }],
    ['flesh and blood', { game: 'fab' }, { game: 'mtg' }],
    ['flesh & blood', { game: 'fab' }, { game: 'mtg' }],
    ['fab', { game: 'fab' }, { game: 'mtg' }],
  ]);

  it('excludes cards by words that name a game and nothing else', () => {
    const filters = [
      'pokemon',
      'mtg',
      'yugioh',
      'lorcana',
      'optcg',
      'swu',
      'one piece tcg',
      'magic ccg',
    ];
    const hints = ['magic', 'one piece', 'fab', 'star wars', 'japanese', 'english', 'promo'];
    assert.deepEqual(
      filters.filter((q) => find(q).some(({ isFilter }) => isFilter)),
      filters,
    );
    assert.deepEqual(
      hints.filter((q) => find(q).some(({ isFilter }) => isFilter)),
      [],
    );
  });

  it('ignores languages that no card is in', () => {
    const [german] = find('german');
    assert.equal(german?.as, 'language');
    assert.equal(german?.fits, undefined);
  });
});

describe('conditions', () => {
  const conditionOf = (q: string) => find(q).find(({ as }) => as === 'condition')?.condition;

  it('reads the words and letters of conditions', () => {
    const read = ['NM', 'near mint', 'Near-Mint', 'LP', 'lightly played', 'MP', 'HP', 'DMG'];
    assert.deepEqual(read.map(conditionOf), [
      'near_mint',
      'near_mint',
      'near_mint',
      'lightly_played',
      'lightly_played',
      'moderately_played',
      'heavily_played',
      'damaged',
    ]);
    assert.equal(conditionOf('NM-M'), 'near_mint');
    assert.equal(conditionOf('excellent'), 'lightly_played');
  });

  it('returns no condition for ambiguous words', () => {
    assert.ok(meanings('NM/LP').includes('condition: Near Mint to Lightly Played'));
    assert.equal(conditionOf('played'), undefined);
  });
});

describe('grades', () => {
  const gradesIn = (q: string) => find(q).flatMap(({ grade }) => grade ?? []);

  it('reads a company and a number, written apart or together', () => {
    for (const q of ['PSA 10', 'psa10', 'PSA-10']) {
      assert.deepEqual(gradesIn(q).at(-1), { company: 'PSA', number: 10 }, q);
    }
    assert.deepEqual(gradesIn('Beckett 9').at(-1), { company: 'BGS', number: 9 });
    assert.deepEqual(gradesIn('ace 10'), [{ company: 'ACE', number: 10 }]);
    assert.deepEqual(gradesIn('ace'), [], 'a company that is a word of names needs a number');
  });

  it('reads half grades, and a whole grade that another number follows', () => {
    assert.deepEqual(meanings('CGC 9.5'), ['grade: CGC', 'grade: CGC 9', 'grade: CGC 9.5']);
    assert.deepEqual(find('CGC 9.5').at(-1)?.to, 3);
  });

  it('reads quantities from 1 to 99', () => {
    for (const q of ['x1', 'x99', '1x', '99x'])
      assert.deepEqual(meanings(q), ['noise: Quantity'], q);
    for (const q of ['x0', 'x100', '100x']) assert.deepEqual(meanings(q), [], q);
  });

  it('reads labels', () => {
    assert.deepEqual(gradesIn('gem mint'), [{ company: null, number: null }]);
    assert.deepEqual(gradesIn('GEM MT 10').at(-1), { company: null, number: 10 });
    assert.deepEqual(gradesIn('pristine 10'), [{ company: null, number: 10 }]);
    assert.deepEqual(gradesIn('black label'), [{ company: 'BGS', number: 10 }]);
    assert.deepEqual(gradesIn('mint 9'), [{ company: null, number: 9 }]);
  });

  const LABELS: readonly (readonly [label: string, numbers: readonly number[]])[] = [
    ['gem mint', [9.5, 10]],
    ['mint', [9, 9.5, 10]],
    ['NM-MT', [8, 8.5]],
    ['perfect', [10]],
    ['pristine', [10]],
  ];
  for (const [label, numbers] of LABELS) {
    it(`reads ${label} only with ${numbers.join(', ')}`, () => {
      const all = Array.from({ length: 23 }, (_, i) => i / 2);
      const isRead = (number: number) => {
        const { length } = foldWords(`${label} ${number}`);
        return find(`${label} ${number}`).some(({ from, to, grade }) => {
          return from === 0 && to === length && grade?.number === number;
        });
      };
      assert.deepEqual(all.filter(isRead), numbers);
    });
  }

  it('reads whether a card is graded', () => {
    assert.deepEqual(meanings('graded slab raw'), [
      'grade: Graded',
      'grade: Graded',
      'grade: Ungraded',
    ]);
  });
});

describe('noise', () => {
  it('reads words that do not describe a card', () => {
    const words = ['card', 'tcg', 'single', 'x1', '4x', 'pack fresh', 'price', 'how much', 'L@@K'];
    for (const q of words) {
      const [noise] = find(q).filter(({ as }) => as === 'noise');
      assert.equal(noise?.fits, undefined, q);
      assert.equal(noise?.as, 'noise', q);
    }
    assert.deepEqual(meanings('the of x'), []);
  });
});

describe('sets', () => {
  check('set', [
    ['EVS', { set: 'SWSH07: Evolving Skies' }, { set: 'SWSH08: Fusion Strike' }],
    ['evs', { set: 'Evolving Skies' }, { game: 'mtg', set: 'Evolving Skies' }],
    ['base set 1', { set: 'Base Set' }, { set: 'Base Set 2' }],
    ['hf', { set: 'Hidden Fates: Shiny Vault' }, { set: 'Shining Fates' }],
    ['vstar universe', { game: 'pokemonjp', set: 'VSTARユニバース' }, { set: 'Crown Zenith' }],
    ['ABU', { game: 'mtg', set: 'Limited Edition Beta' }, { game: 'mtg', set: 'Revised Edition' }],
    ['4th ed', { game: 'mtg', set: 'Fourth Edition' }, { game: 'mtg', set: 'Fifth Edition' }],
    ['op1', { game: 'onepiece', set: 'ROMANCE DAWN' }, { game: 'onepiece', set: 'TWO LEGENDS' }],
    ['itl', { game: 'lorcana', set: 'Into the Inklands' }, { game: 'lorcana', set: 'Azurite Sea' }],
  ]);

  it('calls a set by its name', () => {
    assert.ok(meanings('evs').includes('set: SWSH07: Evolving Skies'));
  });
});

describe('all phrases of a query', () => {
  it('are returned with the words that they cover', () => {
    const title = '1999 Pokemon Base Set Charizard Holo 4/102 PSA 9';
    const found = find(title).map(({ from, to, means }) => [from, to, means]);
    assert.deepEqual(found, [
      [0, 1, '1999'],
      [1, 2, 'Pokémon'],
      [2, 4, '拡張パック'],
      [5, 6, 'Holofoil'],
      [8, 9, 'PSA'],
      [8, 10, 'PSA 9'],
    ]);
  });

  it('are returned where they overlap', () => {
    const found = find('reverse holo rare').map(({ from, to, means }) => [from, to, means]);
    assert.deepEqual(found, [
      [0, 1, 'Reverse Holofoil'],
      [0, 2, 'Reverse Holofoil'],
      [1, 2, 'Holofoil'],
      [1, 3, 'Holo Rare'],
      [1, 3, 'Holofoil'],
      [2, 3, 'Rare'],
    ]);
  });

  it('are not found in a name without such words', () => {
    assert.deepEqual(find('Monkey.D.Luffy'), []);
    assert.deepEqual(findPhrases([]), []);
  });
});

describe('any words', () => {
  const known = [...new Set(ENTRIES.flatMap(({ words }) => listed(words).flatMap(foldWords)))];
  const word = fc.oneof(fc.constantFrom(...known), fc.string({ maxLength: 8 }));
  const facts = fc.record({
    game: fc.constantFrom(...GAME_SLUGS),
    rarity: fc.option(fc.constantFrom('rare', 'holorare', 'promo'), { nil: null }),
    printings: fc.array(
      fc.record({
        name: fc.constantFrom('Normal', 'Foil', 'Reverse Holofoil', '', 'constructor'),
      }),
    ),
    nameTerms: fc.array(word),
    setTerms: fc.array(word),
    setCode: fc.string(),
    releaseYear: fc.option(fc.nat(3000), { nil: null }),
    number: fc.string(),
  });

  it('give phrases within the query, of at most six words, and a bounded number of them', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 100 }), facts, (words, card) => {
        const found = findPhrases(words, THIS_YEAR);
        for (const { from, to, means, fits } of found) {
          assert.ok(from >= 0 && from < to && to <= words.length && to - from <= 6);
          assert.notEqual(means, '');
          assert.ok(fits === undefined || typeof fits(card) === 'boolean');
        }
        assert.ok(found.length <= 20 * words.length, `${found.length} of ${words.length} words`);
      }),
    );
  });
});
