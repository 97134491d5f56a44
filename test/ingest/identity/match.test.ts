import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CardMatcher } from '../../../src/ingest/identity/match.ts';
import { forEachEngine } from '../../support/engines.ts';
import { FIXTURE, importTree } from '../../support/tcgcsv.ts';
import {
  type PartialReference,
  reference,
  WrittenCatalogue,
  type WrittenSet,
} from '../../support/written-catalogue.ts';

const BASE: WrittenSet = {
  game: 'pokemon',
  code: 'BS',
  name: 'Base Set',
  cards: ['Charizard | 004/102', 'Pikachu | 058/102', 'Nidoran F | 055/102', 'Nidoran M | 057/102'],
};

const SHADOWLESS: WrittenSet = {
  game: 'pokemon',
  code: 'BSS',
  name: 'Base Set (Shadowless)',
  cards: ['Charizard | 004/102', 'Machamp | 008/102'],
};

const EVOLVING_SKIES: WrittenSet = {
  game: 'pokemon',
  code: 'SWSH07',
  name: 'SWSH07: Evolving Skies',
  cards: [
    'Umbreon VMAX | 095/203',
    'Umbreon VMAX (Secret) | 214/203',
    'Umbreon VMAX (Alternate Art Secret) | 215/203',
  ],
};

const PROMOS: WrittenSet = {
  game: 'pokemon',
  code: 'SWSD',
  name: 'SWSH: Sword & Shield Promo Cards',
  cards: [
    'Decidueye (Prerelease) | SWSH035',
    'Decidueye (Prerelease) [Staff] | SWSH035',
    'Charizard V | SWSH050',
    'Charizard | 143/S-P',
  ],
};

const JUMBO: WrittenSet = {
  game: 'pokemon',
  code: 'PR',
  name: 'Jumbo Cards',
  cards: ['Charizard V | SWSH050', 'Mabosstiff ex - Jumbo Card | 086', 'Rayquaza V | 100/159'],
};

const SILVER_TEMPEST: WrittenSet = {
  game: 'pokemon',
  code: 'SWSH12',
  name: 'SWSH12: Silver Tempest',
  cards: ['Braixen | 026/195', "Boss's Orders (Ghetsis) | 160/195", 'Aipom | 030/195'],
};

const GALLERY: WrittenSet = {
  game: 'pokemon',
  code: 'SWSH12: TG',
  name: 'SWSH12: Silver Tempest Trainer Gallery',
  cards: ['Braixen | TG01/TG30'],
};

const POKEMON = [BASE, SHADOWLESS, EVOLVING_SKIES, PROMOS, JUMBO, SILVER_TEMPEST, GALLERY];

describe('by ids', () => {
  const catalogue = new WrittenCatalogue(POKEMON, {
    shop: { 'shop-4': 'BS Charizard 004/102' },
    tcgcsv: {
      42382: 'BS Charizard 004/102',
      42400: 'BS Pikachu 058/102',
      106999: 'BSS Charizard 004/102',
      246723: 'SWSH07 Umbreon VMAX 095/203',
      576949: 'PR Rayquaza V 100/159',
    },
    scryfall: { 'aaaa-bbbb': 'BS Pikachu 058/102' },
    cardmarket: { 273699: 'BS Charizard 004/102' },
  });
  const charizard: PartialReference = { name: 'Charizard', number: '4', setName: 'Base Set' };

  test('a card is found by the id that its source had for it before', () => {
    const given = { ...charizard, setName: 'A set that we do not have', externalId: 'shop-4' };
    assert.deepEqual(catalogue.answer(given), {
      card: 1,
      name: 'Charizard',
      number: '004/102',
      set: 1,
      by: 'own id',
    });
  });

  for (const [kind, id] of [
    ['tcgplayer', '42400'],
    ['scryfall', 'aaaa-bbbb'],
  ] as const) {
    test(`a card is found by its id at ${kind}, under any name of its set`, () => {
      const given = {
        name: 'Pikachu',
        number: '58',
        setName: 'Expansion Pack',
        externalIds: { [kind]: id },
      };
      assert.equal(catalogue.find(given), 'BS Pikachu 058/102');
    });
  }

  test('a source that gives only an id is believed', () => {
    assert.equal(catalogue.find({ externalIds: { cardmarket: '273699' } }), 'BS Charizard 004/102');
  });

  test('a name in another script does not contradict an id', () => {
    assert.equal(
      catalogue.find({ name: 'リザードン', number: '4', externalIds: { tcgplayer: '42382' } }),
      'BS Charizard 004/102',
    );
  });

  test('an id of a card with another name gives way to the description', () => {
    const given = { ...charizard, externalIds: { tcgplayer: '42400' } };
    assert.deepEqual(catalogue.answer(given), {
      card: 1,
      name: 'Charizard',
      number: '004/102',
      set: 1,
      by: 'name and number',
    });
  });

  test('an id of a card with another name is contradictory when no card is described', () => {
    const given = {
      name: 'Blastoise',
      number: '2',
      setName: 'Base Set',
      externalIds: { tcgplayer: '42400' },
    };
    assert.deepEqual(catalogue.answer(given), {
      reason: 'contradictory',
      candidates: ['BS Pikachu 058/102'],
    });
  });

  test('a similar name is another name unless the number is the same', () => {
    const given = { name: 'Dark Charizard', externalIds: { tcgplayer: '42382' } };
    assert.equal(catalogue.find(given), 'contradictory');
    assert.equal(catalogue.find({ ...given, number: '4/82' }), 'BS Charizard 004/102');
  });

  test('an id of a card with the name but another number is contradictory', () => {
    const umbreon = { name: 'Umbreon VMAX', number: '215', externalIds: { tcgplayer: '246723' } };
    assert.equal(catalogue.find(umbreon), 'contradictory');
    assert.equal(catalogue.find({ ...umbreon, setName: 'Evolving Skies' }), 'contradictory');
  });

  test('an id of a card of the same name and number in another set is contradictory', () => {
    const given = { ...charizard, externalIds: { tcgplayer: '106999' } };
    assert.deepEqual(catalogue.answer(given), {
      reason: 'contradictory',
      candidates: ['BS Charizard 004/102', 'BSS Charizard 004/102'],
    });
  });

  test('of two ids for two cards the described one counts', () => {
    const given = { ...charizard, externalId: 'shop-4', externalIds: { tcgplayer: '106999' } };
    assert.equal(catalogue.find(given), 'BS Charizard 004/102');
    const withoutSet = { ...given, setName: null };
    assert.equal(catalogue.find(withoutSet), 'contradictory');
  });

  test('an id of the plain card does not find its staff stamp, its jumbo or its metal card', () => {
    for (const variant of ['Staff', 'Jumbo', 'Oversized', 'Metal Card']) {
      const given = { ...charizard, variant, externalIds: { tcgplayer: '42382' } };
      assert.equal(catalogue.find(given), 'contradictory', variant);
    }
  });

  test('an id of a jumbo finds it only for a source that means a jumbo', () => {
    const rayquaza = {
      name: 'Rayquaza V',
      number: '100/159',
      externalIds: { tcgplayer: '576949' },
    } as const;
    const jumbo = 'PR Rayquaza V 100/159';
    assert.equal(catalogue.find(rayquaza), 'contradictory');
    assert.equal(catalogue.find({ ...rayquaza, setName: 'Crown Zenith' }), 'contradictory');
    for (const variant of ['Jumbo', 'Jumbo, Prerelease']) {
      assert.equal(catalogue.find({ ...rayquaza, variant }), jumbo, variant);
    }
    assert.equal(catalogue.find({ ...rayquaza, setName: 'Jumbo Cards' }), jumbo);
    assert.equal(catalogue.find({ externalIds: rayquaza.externalIds }), jumbo, 'without a name');
  });

  test('an id of a card of another game does not count', () => {
    const other = { game: 'mtg', name: 'Charizard', externalIds: { tcgplayer: '42382' } } as const;
    assert.equal(catalogue.find(other), 'unknown set');
  });

  test('no card owns an id that is not known', () => {
    const matcher = new CardMatcher(catalogue.identities, 'shop');
    assert.equal(matcher.owner('tcgplayer', '42382'), undefined);
  });
});

describe('sets', () => {
  const named = (game: WrittenSet['game'], code: string, name: string): WrittenSet => {
    return { game, code, name, cards: [`A card | 1/10`] };
  };
  const pokemon = new WrittenCatalogue([
    named('pokemon', 'BS', 'Base Set'),
    named('pokemon', 'BS2', 'Base Set 2'),
    named('pokemon', 'SM01', 'SM Base Set'),
    named('pokemon', 'XY', 'XY Base Set'),
    named('pokemon', 'PAL', 'SV02: Paldea Evolved'),
    named('pokemon', 'MEW', 'SV: Scarlet & Violet 151'),
    named('pokemon', 'SVI', 'SV01: Scarlet & Violet Base Set'),
    named('pokemon', 'SVP', 'SV: Scarlet & Violet Promo Cards'),
    named('pokemon', 'SM12', 'SM - Cosmic Eclipse'),
    named('pokemon', 'DX', 'Deoxys'),
    named('pokemon', 'EX', 'Expedition'),
    named('pokemon', 'HS', 'HeartGold SoulSilver'),
    named('pokemon', 'UL', 'Unleashed'),
    named('pokemon', 'RR', 'Rising Rivals'),
    named('pokemon', 'RR', 'Team Rocket Returns'),
    named('pokemon', 'MCD19', "McDonald's Promos 2019"),
    named('pokemon', 'PGO', 'Pokemon GO'),
  ]);
  const inPokemon: readonly (readonly [Partial<PartialReference>, code: string])[] = [
    [{ setName: 'Pokemon Base Set' }, 'BS'],
    [{ setName: 'Base' }, 'BS'],
    [{ setName: 'Base Set 2' }, 'BS2'],
    [{ setName: 'Sun & Moon' }, 'SM01'],
    [{ setName: 'Pokemon XY' }, 'XY'],
    [{ setName: 'Paldea Evolved' }, 'PAL'],
    [{ setName: 'SV02: Paldea Evolved' }, 'PAL'],
    [{ setCode: 'SV2' }, 'PAL'],
    [{ setCode: 'pal' }, 'PAL'],
    [{ setName: '151' }, 'MEW'],
    [{ setName: 'Scarlet & Violet' }, 'SVI'],
    [{ setName: 'Scarlet & Violet Black Star Promos' }, 'SVP'],
    [{ setName: 'Pokemon Promo' }, 'SVP'],
    [{ setName: 'Cosmic Eclipse' }, 'SM12'],
    [{ setName: 'EX Deoxys' }, 'DX'],
    [{ setName: 'Expedition Base Set' }, 'EX'],
    [{ setName: 'HeartGold and SoulSilver' }, 'HS'],
    [{ setName: 'Pokemon HS—Unleashed' }, 'UL'],
    [{ setName: 'Team Rocket Returns', setCode: 'TRR' }, 'RR'],
    [{ setName: 'McDonald’s Collection 2019' }, 'MCD19'],
    [{ setName: 'Pokémon GO' }, 'PGO'],
    // A code that is another set's: names are less often so.
    [{ setName: 'Unleashed', setCode: 'SM12' }, 'UL'],
  ];
  for (const [given, code] of inPokemon) {
    test(`${given.setName ?? '(no name)'} ${given.setCode ?? ''} is our ${code}`, () => {
      const answer = pokemon.find({ name: 'A card', number: '1', ...given });
      assert.match(answer, new RegExp(`^${code} A card`));
    });
  }

  for (const setName of ['German Base Set', 'Base Set 3', 'Team Rocket', 'Japanese Expedition']) {
    test(`${setName} is none of ours`, () => {
      assert.deepEqual(pokemon.answer({ name: 'A card', number: '1', setName }), {
        reason: 'unknown set',
        candidates: [],
      });
    });
  }

  test('a code of two sets is ambiguous for a card that both have', () => {
    assert.equal(pokemon.find({ name: 'A card', number: '1', setCode: 'RR' }), 'ambiguous');
  });

  const others: readonly (readonly [WrittenSet, Partial<PartialReference>])[] = [
    [named('mtg', 'LEA', 'Limited Edition Alpha'), { setName: 'Magic Alpha' }],
    [named('mtg', '10E', 'Tenth Edition'), { setName: '10th Edition' }],
    [named('mtg', 'M13', 'Magic 2013'), { setName: 'Magic 2013 (M13)' }],
    [named('mtg', 'NEO', 'Kamigawa: Neon Dynasty'), { setCode: 'neo' }],
    [named('lorcana', 'TFC', 'The First Chapter'), { setName: 'First Chapter', setCode: '1' }],
    [named('lorcana', 'P1', 'Disney Lorcana Promo Cards'), { setName: 'Promo Set 1' }],
    [named('onepiece', 'OP-01', 'ROMANCE DAWN'), { setCode: 'OP01' }],
    [named('onepiece', 'OP14-EB04', 'THE AZURE SEA’S SEVEN'), { setCode: 'OP-14' }],
    [named('onepiece', 'OP-01', 'ROMANCE DAWN'), { setName: 'One Piece Romance Dawn' }],
    [named('yugioh', 'LOB', 'Legend of Blue Eyes White Dragon'), { setCode: 'LOB' }],
    [
      named('swu', 'SOR', 'Spark of Rebellion'),
      { setName: 'Star Wars: Unlimited Spark of Rebellion' },
    ],
    [
      named('fab', '1HP', 'History Pack 1 – Black Label'),
      { setName: 'History Pack 1 - Black Label' },
    ],
  ];
  for (const [set, given] of others) {
    test(`of ${set.game}, ${given.setName ?? given.setCode} is ${set.name}`, () => {
      const catalogue = new WrittenCatalogue([set]);
      assert.match(catalogue.find({ name: 'A card', number: '1', ...given }), /A card/);
    });
  }
});

describe('numbers', () => {
  const catalogue = new WrittenCatalogue([
    {
      game: 'pokemon',
      code: 'SWSH09',
      name: 'SWSH09: Brilliant Stars',
      cards: [
        'Charmander | 004/102',
        'Charmander | 74/102',
        'Charmander | 74a/102',
        'Charmander | TG12/TG30',
        'Charmander | H01/H32',
        'Charmander | 099/102 & 100/102',
        'Charmander | ONE',
      ],
    },
  ]);
  for (const [given, number] of [
    ['4', '004/102'],
    ['004', '004/102'],
    ['4/102', '004/102'],
    ['#4', '004/102'],
    ['74', '74/102'],
    ['74a', '74a/102'],
    ['74A/102', '74a/102'],
    ['TG12/TG30', 'TG12/TG30'],
    ['tg12', 'TG12/TG30'],
    ['H1', 'H01/H32'],
    ['100', '099/102 & 100/102'],
    ['One', 'ONE'],
  ] as const) {
    test(`${given} is ${number}`, () => {
      const answer = catalogue.find({ name: 'Charmander', number: given, setCode: 'SWSH09' });
      assert.equal(answer, `SWSH09 Charmander ${number}`);
    });
  }

  for (const given of ['12', '1', '74b', '40', '104', 'TG1', 'TWO']) {
    test(`${given} is none of them`, () => {
      const answer = catalogue.find({ name: 'Charmander', number: given, setCode: 'SWSH09' });
      assert.equal(answer, 'unknown card');
    });
  }

  test('a number may have spaces, hyphens or no zeros, but not lose its letters', () => {
    const promos = new WrittenCatalogue([PROMOS]);
    const given = { name: 'Charizard V', setName: 'SWSH Black Star Promos' };
    for (const number of ['SWSH050', 'SWSH50', 'SWSH 050', 'swsh-50']) {
      assert.equal(promos.find({ ...given, number }), 'SWSD Charizard V SWSH050', number);
    }
    assert.equal(promos.find({ ...given, number: '50' }), 'unknown card');
  });

  test('a number may begin with the code of its set', () => {
    const promos = new WrittenCatalogue([
      {
        game: 'pokemon',
        code: 'SVP',
        name: 'SV: Scarlet & Violet Promo Cards',
        cards: ['Eevee | 173'],
      },
    ]);
    for (const number of ['SVP 173', 'SVP173', '173']) {
      assert.equal(promos.find({ name: 'Eevee', number, setCode: 'SVP' }), 'SVP Eevee 173', number);
    }
    const dawn = new WrittenCatalogue([
      { game: 'onepiece', code: 'OP-01', name: 'ROMANCE DAWN', cards: ['Nami | OP01-016'] },
    ]);
    assert.equal(
      dawn.find({ name: 'Nami', number: '016', setCode: 'OP01' }),
      'OP-01 Nami OP01-016',
    );
    assert.equal(dawn.find({ name: 'Nami', number: 'OP01-016' }), 'OP-01 Nami OP01-016');
  });

  test('a card without a number is found by a name that no other of its set has', () => {
    const legends = new WrittenCatalogue([
      {
        game: 'mtg',
        code: 'LEG',
        name: 'Legends',
        cards: ['Mana Drain', 'Forest (A)', 'Forest (B)'],
      },
    ]);
    const given = { setCode: 'leg' };
    assert.equal(legends.find({ ...given, name: 'Mana Drain', number: '65' }), 'LEG Mana Drain');
    assert.equal(legends.find({ ...given, name: 'Mana Drain' }), 'LEG Mana Drain');
    // There are several, and we know one of them.
    assert.equal(legends.find({ ...given, name: 'Mana Drain', number: '65b' }), 'unknown card');
    assert.equal(legends.find({ ...given, name: 'Forest', number: '295' }), 'unknown card');
    assert.equal(legends.find({ ...given, name: 'Forest' }), 'ambiguous');
    assert.equal(legends.find({ ...given, name: 'Forest', variant: 'B' }), 'LEG Forest (B)');
  });
});

describe('names', () => {
  const cases: readonly (readonly [WrittenSet['game'], ours: string, given: readonly string[]])[] =
    [
      ['pokemon', 'Flabebe | 1', ['Flabébé', 'FLABEBE']],
      ['pokemon', "Farfetch'd | 1", ['Farfetch’d', 'Farfetch´d']],
      ['pokemon', 'Nidoran F | 1', ['Nidoran♀', 'Nidoran ♀']],
      ['pokemon', 'Charizard EX | 1', ['Charizard-EX', 'Charizard ex']],
      ['pokemon', 'M Charizard EX | 1', ['M Charizard-EX', 'Mega Charizard EX']],
      ['pokemon', 'Charizard Star (Delta Species) | 1', ['Charizard ★ δ']],
      ['pokemon', 'Charizard Star | 1', ['Charizard ★', 'Charizard [Gold Star]']],
      ['pokemon', 'Umbreon (Prime) | 1', ['Umbreon Prime', 'Umbreon', 'Umbreon [Prime]']],
      ['pokemon', 'Ho-Oh Legend (Top) | 1', ['Ho-Oh LEGEND']],
      ['pokemon', 'Unown [A] | 1', ['Unown A', 'Unown (A)']],
      ['pokemon', 'Fire Energy | 1', ['Basic Fire Energy']],
      ['pokemon', "Professor's Research | 1", ["Professor's Research (Professor Sada)"]],
      ['pokemon', "Boss's Orders (Ghetsis) | 1", ["Boss's Orders"]],
      ['pokemon', 'Ninetales -1/197 | 1/197', ['Ninetales']],
      ['mtg', 'Jace, Vryn’s Prodigy // Jace, Telepath Unbound | 1', ["Jace, Vryn's Prodigy"]],
      ['mtg', 'Delver of Secrets | 1', ['Delver of Secrets // Insectile Aberration']],
      ['mtg', 'Subtlety (Borderless) | 1', ['Subtlety']],
      ['mtg', '_____ | 1', ['_____']],
      [
        'swu',
        'Director Krennic - Aspiring to Authority | 1',
        ['Director Krennic, Aspiring to Authority'],
      ],
      ['lorcana', 'Stitch - Rock Star | 1', ['Stitch – Rock Star', 'Stitch']],
      ['fab', 'Pummel (Red) | 1', ['Pummel (Red)', 'Pummel']],
      ['onepiece', 'Mr.2.Bon.Kurei(Bentham) | 1', ['Mr. 2 Bon Kurei (Bentham)']],
      ['onepiece', 'Ace & Newgate | 1', ['Ace and Newgate', 'Ace &amp; Newgate']],
      ['pokemonjp', 'ピカチュウ | 1', ['ピカチュウ', 'ぴかちゅう']],
    ];
  for (const [game, ours, given] of cases) {
    for (const name of given) {
      test(`${name} is ${ours.split(' | ')[0]}`, () => {
        const catalogue = new WrittenCatalogue([{ game, code: 'X', name: 'X', cards: [ours] }]);
        assert.match(catalogue.find({ name, number: '1', setCode: 'X' }), /^X /);
      });
    }
  }

  const others: readonly (readonly [WrittenSet['game'], ours: string, given: string])[] = [
    ['pokemon', 'Charizard V | 1', 'Charizard'],
    ['pokemon', 'Charizard | 1', 'Charizard ex'],
    ['pokemon', 'Nidoran F | 1', 'Nidoran♂'],
    ['pokemon', 'Unown [A] | 1', 'Unown [B]'],
    ['mtg', 'Jace, Vryn’s Prodigy // Jace, Telepath Unbound | 1', 'Jace, Telepath Unbound'],
    ['mtg', 'Fire // Ice | 1', 'Fire // Water'],
    ['mtg', '_____ | 1', '???'],
    ['swu', 'Luke Skywalker - Jedi Knight | 1', 'Luke Skywalker - Faithful Friend'],
    ['fab', 'Pummel (Red) | 1', 'Pummel (Blue)'],
    ['pokemonjp', 'ピカチュウ | 1', 'Pikachu'],
  ];
  for (const [game, ours, name] of others) {
    test(`${name} is not ${ours.split(' | ')[0]}`, () => {
      const catalogue = new WrittenCatalogue([{ game, code: 'X', name: 'X', cards: [ours] }]);
      const answer = catalogue.find({ name, number: '1', setCode: 'X' });
      assert.match(answer, /^unknown (card|variant)$/);
    });
  }

  test('a subtitle may be given as the variant', () => {
    const rathe = new WrittenCatalogue([
      {
        game: 'fab',
        code: 'WTR',
        name: 'Welcome to Rathe',
        cards: ['Pummel (Red) | WTR206', 'Pummel (Yellow) | WTR207', 'Pummel (Blue) | WTR208'],
      },
    ]);
    const given = { name: 'Pummel', setCode: 'WTR' };
    assert.equal(rathe.find({ ...given, variant: 'Blue' }), 'WTR Pummel (Blue) WTR208');
    assert.equal(rathe.find({ ...given, number: 'WTR207' }), 'WTR Pummel (Yellow) WTR207');
    assert.equal(rathe.find({ ...given, number: 'WTR207', variant: 'Red' }), 'unknown card');
    assert.equal(rathe.find(given), 'ambiguous');
  });
});

describe('variants', () => {
  const catalogue = new WrittenCatalogue(POKEMON);
  const found: readonly (readonly [what: string, PartialReference, string])[] = [
    [
      'the number of a Pokémon card implies its art',
      { name: 'Umbreon VMAX', number: '215', setName: 'Evolving Skies' },
      'SWSH07 Umbreon VMAX (Alternate Art Secret) 215/203',
    ],
    [
      'a source may call the art something else',
      { name: 'Umbreon VMAX', number: '215', setName: 'Evolving Skies', variant: 'Alt Art' },
      'SWSH07 Umbreon VMAX (Alternate Art Secret) 215/203',
    ],
    [
      'a printing is not a card',
      { name: 'Pikachu', number: '58', setName: 'Base Set', variant: 'Reverse Holo' },
      'BS Pikachu 058/102',
    ],
    [
      'Shadowless cards have their own set',
      { name: 'Charizard', number: '4', setName: 'Base Set', variant: 'Shadowless' },
      'BSS Charizard 004/102',
    ],
    [
      'first editions are in the Shadowless set',
      { name: 'Charizard', number: '4', setName: 'Base Set', variant: '1st Edition' },
      'BSS Charizard 004/102',
    ],
    [
      'a first edition Machamp is found in either set',
      { name: 'Machamp', number: '8', setName: 'Base Set', variant: '1st Edition' },
      'BSS Machamp 008/102',
    ],
    [
      'a jumbo is in the set of jumbos',
      { name: 'Charizard V', number: 'SWSH050', setName: 'Promo', variant: 'Jumbo' },
      'PR Charizard V SWSH050',
    ],
    [
      'a card that is not a jumbo is in its own set',
      { name: 'Charizard V', number: 'SWSH050', setName: 'Promo' },
      'SWSD Charizard V SWSH050',
    ],
    [
      'a jumbo is in the set of jumbos, even if its source names another set',
      { name: 'Charizard V (Oversized)', number: 'SWSH050', setName: 'Evolving Skies' },
      'PR Charizard V SWSH050',
    ],
    [
      'a source may list a jumbo in a set of jumbos without calling it a jumbo',
      { name: 'Charizard V', number: 'SWSH050', setName: 'Jumbo Cards' },
      'PR Charizard V SWSH050',
    ],
    [
      'a jumbo may be called one without brackets',
      { name: 'Mabosstiff ex', number: '86', setName: 'Promo', variant: 'Jumbo' },
      'PR Mabosstiff ex - Jumbo Card 086',
    ],
    [
      'a staff stamp makes a separate card, with or without its prerelease',
      { name: 'Decidueye', number: 'SWSH035', setName: 'Promo', variant: 'Staff' },
      'SWSD Decidueye (Prerelease) [Staff] SWSH035',
    ],
    [
      'the number of a promo implies its prerelease',
      { name: 'Decidueye', number: 'SWSH035', setName: 'Promo' },
      'SWSD Decidueye (Prerelease) SWSH035',
    ],
    [
      'a source may list a gallery in its set',
      { name: 'Braixen', number: 'TG01', setName: 'Silver Tempest' },
      'SWSH12: TG Braixen TG01/TG30',
    ],
  ];
  for (const [what, given, expected] of found) {
    test(what, () => assert.equal(catalogue.find(given), expected));
  }

  const skies = { name: 'Umbreon VMAX', setName: 'Evolving Skies' };
  const missed: readonly (readonly [what: string, PartialReference, string])[] = [
    ['without a number the art is ambiguous', skies, 'ambiguous'],
    [
      'a number of the gallery is not one of the set',
      { name: 'Braixen', number: '1', setName: 'Silver Tempest' },
      'unknown card',
    ],
    [
      'a stamped card is not the plain one',
      { ...skies, number: '95', variant: 'Staff' },
      'unknown variant',
    ],
    [
      'a card with its own foil is not the plain one',
      { ...skies, number: '95', variant: 'Cosmos Holo' },
      'unknown variant',
    ],
    [
      'a card of an unknown variant is not the plain one',
      { ...skies, number: '95', variant: 'Purple' },
      'unknown variant',
    ],
    [
      'a jumbo that we do not have is not the plain card',
      { ...skies, number: '95', variant: 'Jumbo' },
      'unknown card',
    ],
    [
      'a box is not a card',
      { name: 'Evolving Skies Booster Box', setName: 'Evolving Skies' },
      'unknown card',
    ],
  ];
  for (const [what, given, reason] of missed) {
    test(what, () => assert.equal(catalogue.find(given), reason));
  }

  test('the plain card is not found when we have it stamped only', () => {
    for (const ours of ['Pikachu (Staff)', 'Pikachu (Prerelease)', 'Pikachu (Cosmos Holo)']) {
      const set = { game: 'pokemon', code: 'X', name: 'X', cards: [`${ours} | 25`] } as const;
      const answer = new WrittenCatalogue([set]).find({
        name: 'Pikachu',
        number: '25',
        setCode: 'X',
      });
      assert.equal(answer, 'unknown variant', ours);
    }
  });

  test('a card with foils of several patterns is ambiguous unless the pattern is given', () => {
    const cards = ['', ' (Poke Ball Pattern)', ' (Master Ball Pattern)'].map(
      (pattern) => `Eevee${pattern} | 074/131`,
    );
    const name = 'SV: Prismatic Evolutions';
    const keys = { tcgcsv: { 610428: 'PRE Eevee 074/131' } };
    const evolutions = new WrittenCatalogue([{ game: 'pokemon', code: 'PRE', name, cards }], keys);
    const given = { name: 'Eevee', number: '74', setName: 'Prismatic Evolutions' };
    assert.equal(evolutions.find(given), 'ambiguous');
    assert.equal(
      evolutions.find({ ...given, externalIds: { tcgplayer: '610428' } }),
      'PRE Eevee 074/131',
    );
    for (const [variant, pattern] of [
      ['Normal', ''],
      ['Reverse Holo', ''],
      ['Poké Ball', ' (Poke Ball Pattern)'],
      ['Master Ball', ' (Master Ball Pattern)'],
    ] as const) {
      const answer = evolutions.find({ ...given, variant });
      assert.equal(answer, `PRE Eevee${pattern} 074/131`, variant);
    }
  });

  test('a number does not imply the art in sets that gather cards of others', () => {
    const set = {
      game: 'pokemon',
      code: 'WCD',
      name: 'World Championship Decks',
      cards: ['Claydol - 2010 (Yuka Furusawa) | 15/106'],
    } as const;
    const given = { name: 'Claydol - 2010', number: '15', setCode: 'WCD' };
    const decks = new WrittenCatalogue([set]);
    assert.equal(decks.find(given), 'unknown variant');
    assert.match(decks.find({ ...given, variant: 'Yuka Furusawa' }), /^WCD Claydol/);
  });

  test('a One Piece parallel needs its variant, because it has the number of the card', () => {
    const dawn = new WrittenCatalogue([
      {
        game: 'onepiece',
        code: 'OP-01',
        name: 'ROMANCE DAWN',
        cards: ['Nami | OP01-016', 'Nami (Parallel) | OP01-016', 'Shanks (Parallel) | OP01-120'],
      },
    ]);
    const nami = { name: 'Nami', number: 'OP01-016' };
    assert.equal(dawn.find(nami), 'OP-01 Nami OP01-016');
    assert.equal(dawn.find({ ...nami, variant: 'Parallel' }), 'OP-01 Nami (Parallel) OP01-016');
    assert.equal(dawn.find({ ...nami, variant: 'Manga' }), 'unknown variant');
    assert.equal(dawn.find({ name: 'Shanks', number: 'OP01-120' }), 'unknown variant');
  });

  test('each rarity of a Yu-Gi-Oh! card is a separate card', () => {
    const number = 'RA01-EN008';
    const rarities = ['Super Rare', 'Secret Rare', "Collector's Rare"];
    const cards = rarities.map((rarity) => `Ash Blossom & Joyous Spring | ${number} | ${rarity}`);
    const collection = new WrittenCatalogue([
      {
        game: 'yugioh',
        code: 'RA01',
        name: 'Rarity Collection',
        cards: [...cards, 'Kuriboh | RA01-EN009 | Common / Short Print'],
      },
    ]);
    const given = { name: 'Ash Blossom & Joyous Spring', number };
    const secret = 'RA01 Ash Blossom & Joyous Spring RA01-EN008 (2)';
    assert.equal(collection.find({ ...given, rarity: 'Secret Rare' }), secret);
    assert.equal(collection.find({ ...given, variant: 'Secret Rare' }), secret);
    assert.equal(collection.find({ ...given, rarity: 'Ultimate Rare' }), 'unknown variant');
    assert.equal(collection.find({ ...given, variant: 'Ultimate Rare' }), 'unknown variant');
    assert.equal(collection.find(given), 'ambiguous');
    const kuriboh = { name: 'Kuriboh', number: 'RA01-EN009' };
    assert.match(collection.find({ ...kuriboh, rarity: 'Short Print' }), /Kuriboh/);
    assert.equal(collection.find({ ...kuriboh, rarity: 'Starlight Rare' }), 'unknown variant');
  });

  test('a Marvel of Flesh and Blood is a separate card', () => {
    const seas = new WrittenCatalogue([
      {
        game: 'fab',
        code: 'SEA',
        name: 'High Seas',
        cards: ['Puffin | SEA001 | Marvel', 'Puffin | SEA001 | Basic'],
      },
    ]);
    const given = { name: 'Puffin', number: 'SEA001' };
    assert.equal(seas.find({ ...given, rarity: 'Basic' }), 'SEA Puffin SEA001 (2)');
    assert.equal(seas.find({ ...given, rarity: 'Marvel' }), 'SEA Puffin SEA001');
    assert.equal(seas.find(given), 'ambiguous');
  });

  test('an art of Star Wars: Unlimited needs both its number and its variant', () => {
    const cards = ['Boba Fett - Daimyo | 018', 'Boba Fett - Daimyo (Hyperspace) | 283'];
    const shadows = new WrittenCatalogue([{ game: 'swu', code: 'SHD', name: 'Shadows', cards }]);
    const given = { name: 'Boba Fett - Daimyo', setCode: 'SHD' };
    const hyperspace = { ...given, number: '283', variant: 'Hyperspace' };
    assert.equal(shadows.find(hyperspace), 'SHD Boba Fett - Daimyo (Hyperspace) 283');
    assert.equal(shadows.find({ ...given, number: '283' }), 'unknown variant');
    assert.equal(
      shadows.find({ ...given, number: '018', variant: 'Hyperspace' }),
      'unknown variant',
    );
  });
});

describe('an unmatched reference', () => {
  test('comes with a few cards that come close, in one order', () => {
    const cards = ['9', '8', '7', '6', '5', '4', '3'].map((number) => `Forest | ${number}`);
    const alpha = new WrittenCatalogue([{ game: 'mtg', code: 'LEA', name: 'Alpha', cards }]);
    assert.deepEqual(alpha.answer({ name: 'Forest', setCode: 'LEA' }), {
      reason: 'ambiguous',
      candidates: [3, 4, 5, 6, 7].map((number) => `LEA Forest ${number}`),
    });
    assert.deepEqual(alpha.answer({ name: 'Island', number: '4', setCode: 'LEA' }), {
      reason: 'unknown card',
      candidates: ['LEA Forest 4'],
    });
  });

  test('is every one of a game that was not opened', () => {
    const matcher = new CardMatcher(new WrittenCatalogue(POKEMON).identities, 'shop');
    assert.deepEqual(matcher.find(reference({ game: 'fab', name: 'Pummel', setCode: 'BS' })), {
      reason: 'unknown set',
      candidates: [],
    });
  });
});

forEachEngine((_label, open) => {
  test('a matcher reads cards and learned external ids from the store', async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    const rows = await store.db
      .selectFrom('card_external_ids')
      .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
      .innerJoin('sets', 'sets.id', 'cards.set_id')
      .where('game', '=', 'pokemon')
      .select([
        'card_external_ids.external_id',
        'cards.id',
        'cards.name',
        'number',
        'sets.name as setName',
      ])
      .execute();
    const card = rows.find(({ number }) => number !== null) ?? assert.fail();
    await store.db
      .insertInto('card_external_ids')
      .values({ id_space: 'shop', external_id: 'our-1', card_id: card.id })
      .execute();
    const matcher = await CardMatcher.open(store, ['pokemon'], 'shop');
    const { name, number, setName } = card;
    const given = { game: 'pokemon', name, number } as const;
    const by = (more: PartialReference) => {
      const answer = matcher.find(reference({ ...given, ...more }));
      return 'card' in answer && answer.card === card.id ? answer.by : answer;
    };
    assert.equal(by({ externalId: 'our-1' }), 'own id');
    assert.equal(by({ externalIds: { tcgplayer: card.external_id } }), 'tcgplayer');
    assert.equal(by({ setName }), 'name and number');
    assert.equal(matcher.owner('tcgplayer', card.external_id), card.id);
    const none = await CardMatcher.open(store, [], 'shop');
    assert.deepEqual(none.find(reference({ ...given, externalId: 'our-1' })), {
      reason: 'unknown set',
      candidates: [],
    });
  });
});
