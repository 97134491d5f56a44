import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLine } from '../../src/resolve/lines.ts';
import { resolveOne, told } from './resolve-cards.ts';

const BOLT = 'Lightning Bolt, M11 149';

describe('lines of decklists', () => {
  const lines: readonly (readonly [format: string, line: string, answer: string])[] = [
    ['Arena', '4 Lightning Bolt (M11) 149', `4 ${BOLT}, Normal`],
    ['Moxfield', '4x Lightning Bolt (M11) 149 *F*', `4 ${BOLT}, Foil`],
    [
      'Archidekt',
      '1x Lightning Bolt (m11) 149 [Burn{top},Ramp] ^Have,#37d67a^',
      `1 ${BOLT}, Normal`,
    ],
    ['brackets', '2 Lightning Bolt [M11] #149', `2 ${BOLT}, Normal`],
    ['MTGO', '1 Fire // Ice', '1 Fire // Ice, APC 128, Normal'],
    ['MTGO, split card', '1 Fire/Ice', '1 Fire // Ice, APC 128, Normal'],
    ['MTGO sideboard', 'SB: 2 Shivan Dragon', '2 Shivan Dragon, M11 150, Normal'],
    ['PTCGL', '3 Pikachu SVI 62', '3 Pikachu, SVI 062/198, Normal'],
    ['PTCGL, old', '* 3 Pikachu SVI 62', '3 Pikachu, SVI 062/198, Normal'],
    ['PTCGL, parallel holo', '1 Pikachu SVI 62 PH', '1 Pikachu, SVI 062/198, Reverse Holofoil'],
    ['PTCGL, its own code', '2 Lumineon V SIT 40', '2 Lumineon V, SWSH12 040/195, Holofoil'],
    ['Lorcana', '4 Elsa - Snow Queen', '4 Elsa - Snow Queen, TFC 41/204, Normal'],
    ['Lorcana, coded', '4 TFC_041 Elsa - Snow Queen', '4 Elsa - Snow Queen, TFC 41/204, Normal'],
    [
      'SWU',
      '3 | Darth Vader | Dark Lord of the Sith',
      '3 Darth Vader - Dark Lord of the Sith, SOR 010, Normal',
    ],
    ['FaB', '3x Pummel (red)', '3 Pummel (Red), WTR WTR206, Normal'],
    ['FaB, numbered', '3x Pummel (blue) [WTR208]', '3 Pummel (Blue), WTR WTR208, Normal'],
    ['One Piece', '4xOP06-118 Roronoa Zoro', '4 Roronoa Zoro, OP-06 OP06-118, Normal'],
    ['Yu-Gi-Oh!', '3 Dark Magician LOB-EN005', '3 Dark Magician, LOB LOB-EN005, 1st Edition'],
    [
      'a name of a set',
      '1 Charizard 4/102 (Base Set)',
      '1 Charizard, BS 004/102, Unlimited Holofoil',
    ],
    [
      'Cardmarket',
      '2x Lightning Bolt (Magic 2011) - 149 - Common - NM - English - 0,20 EUR',
      `2 ${BOLT}, Normal`,
    ],
  ];
  for (const [format, line, answer] of lines) {
    it(`are read as ${format} writes them: ${line}`, async () => {
      assert.equal(await told(line), answer);
    });
  }

  for (const [condition, name] of [
    ['MT', 'near_mint'],
    ['NM', 'near_mint'],
    ['EX', 'lightly_played'],
    ['GD', 'moderately_played'],
    ['LP', 'lightly_played'],
    ['PL', 'heavily_played'],
    ['PO', 'damaged'],
  ] as const) {
    it(`of Cardmarket have its condition ${condition}, which is ${name}`, async () => {
      const line = `1x Lightning Bolt (Magic 2011) - 149 - Common - ${condition} - 0,20 EUR`;
      const answer = await resolveOne(line);
      assert.ok(answer.status === 'matched');
      assert.equal(answer.copy.condition, name);
    });
  }

  it('have their quantity at the beginning or the end, with or without an x', () => {
    for (const line of [
      '4 Duress',
      '4x Duress',
      'x4 Duress',
      '(4) Duress',
      'Duress x4',
      'Duress (4)',
    ]) {
      assert.equal(parseLine(line)?.quantity, 4, line);
    }
  });

  it('do not take years or numbers of names as quantities', () => {
    assert.equal(parseLine('1999 Pokemon Base Set Charizard')?.quantity, undefined);
    assert.equal(parseLine('500 Years in the Future')?.quantity, undefined);
  });

  it('keep their text if they fit no format', () => {
    assert.deepEqual(parseLine('charizard, nice card'), { text: 'charizard, nice card' });
  });

  it('are not headings if they have another number in addition to the count', () => {
    assert.equal(parseLine('Energy (2)'), undefined);
    assert.equal(parseLine('Energy #97 (2)')?.name, 'Energy #97');
  });
});

describe('lines that are not cards', () => {
  const headings = [
    'Deck',
    'Sideboard',
    'Pokémon: 12',
    'Total Cards: 60',
    '[Creatures]',
    'Lands (24)',
  ];
  for (const line of [...headings, 'Name: My first deck']) {
    it(`are reported as headings: ${line}`, async () => {
      assert.equal(parseLine(line), undefined);
      assert.equal(await told(line), 'unknown: The line is a heading, not a card.');
    });
  }

  it('are reported as comments, as empty, or as without letters', async () => {
    assert.equal(await told('// my deck'), 'unknown: The line is a comment.');
    assert.equal(await told('# burn'), 'unknown: The line is a comment.');
    assert.equal(await told('  '), 'unknown: The line is empty.');
    assert.equal(await told('***'), 'unknown: The line has neither letters nor digits.');
  });

  it('are rejected for their quantity', async () => {
    for (const quantity of ['0', '-1', '1000000000', '2.5']) {
      assert.match(
        await told(`${quantity} Shivan Dragon`),
        /^unknown: The quantity .* whole number/,
      );
    }
    assert.match(await told({ name: 'Shivan Dragon', quantity: 0 }), /^unknown: The quantity 0/);
  });

  it('are rejected if they are too long', async () => {
    const answers = await Promise.all([
      told('Shivan Dragon '.repeat(1000)),
      told('a b '.repeat(30)),
      told(`4 Shivan Dragon ${'149 '.repeat(20)}`),
      told({ name: 'Shivan Dragon', set: 'M11 '.repeat(100) }),
    ]);
    assert.deepEqual(answers, [
      'unknown: The line has 13999 characters; at most 250 are read.',
      'unknown: The line has 60 words; at most 40 are read.',
      'unknown: The line has 21 numbers; at most 16 are read.',
      'unknown: set: it has 400 characters; at most 250 are read.',
    ]);
  });

  it('are measured without repeated spaces', async () => {
    const answer = await told(`  4 Shivan\tDragon${' '.repeat(2000)}(M11)\n150 `);
    assert.equal(answer, '4 Shivan Dragon, M11 150, Normal');
  });
});
