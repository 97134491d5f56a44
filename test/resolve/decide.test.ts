import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide } from '../../src/resolve/decide.ts';
import type { ResolveItem } from '../../src/resolve/index.ts';
import { type Judged, judge } from '../../src/resolve/judge.ts';
import { KnownSets } from '../../src/resolve/sets.ts';
import { Wanted } from '../../src/resolve/wanted.ts';
import { cardOf, resolveOne, told } from './resolve-cards.ts';

const BOLT = cardOf('Lightning Bolt', '149');
const CHARIZARD = cardOf('Charizard', '004/102');

/** Decides about one card as the only candidate, with changes to its comparison. */
function decideAlone(item: ResolveItem, card = BOLT, changed: Partial<Judged> = {}) {
  const wanted = new Wanted(item, new KnownSets([card.set]));
  const knownIn = { games: new Set<never>(), hasTotal: () => false };
  return decide(wanted, [{ ...judge(wanted, card, knownIn), ...changed }]);
}

describe('a similar name', () => {
  const similar = { name: 'Lightnig Bolt' };

  it('does not count with only a number or only a set', () => {
    for (const item of [similar, { ...similar, number: '149' }, { ...similar, setCode: 'M11' }]) {
      const answer = decideAlone(item);
      assert.equal(answer.status, 'ambiguous', JSON.stringify(item));
      assert.deepEqual(answer.reasons, [
        'Its name is only similar to Lightnig Bolt: give its set and number.',
      ]);
    }
  });

  it('counts with set and number, with a number that names its set, and with an id', () => {
    const total = { name: 'Charizrad', number: '4/102' };
    assert.equal(decideAlone({ ...similar, number: '149', setCode: 'M11' }).status, 'matched');
    assert.equal(decideAlone(total, CHARIZARD).status, 'matched');
    assert.equal(decideAlone(similar, BOLT, { isIdConfirmed: true }).status, 'matched');
  });
});

describe('a short name', () => {
  const ofName = (name: string) => decideAlone({ name }, { ...BOLT, name }).status;

  it('does not count alone with four letters, but does with five', () => {
    assert.equal(ofName('Bolt'), 'ambiguous');
    assert.equal(ofName('Bolts'), 'matched');
    assert.equal(
      decideAlone({ name: 'Bolt', game: 'mtg' }, { ...BOLT, name: 'Bolt' }).status,
      'matched',
    );
  });
});

describe('a number that sets of reprints repeat', () => {
  it('means the card of the set whose code it begins with', () => {
    const pummel = cardOf('Pummel (Red)', 'WTR206');
    const reprint = { ...pummel, rowId: -1, set: cardOf('Ash', 'AZL030').set };
    const item = { name: 'Pummel (Red)', number: 'WTR206' };
    const wanted = new Wanted(item, new KnownSets([pummel.set, reprint.set]));
    const knownIn = { games: new Set<never>(), hasTotal: () => false };
    const answer = decide(
      wanted,
      [reprint, pummel].map((card) => judge(wanted, card, knownIn)),
    );
    assert.ok(answer.status === 'matched');
    assert.equal(answer.card, pummel);
  });
});

describe('a year', () => {
  it('may be off by one, but not more', async () => {
    const item = { name: 'Charizard', set: 'Base Set', number: '4' };
    for (const [year, status] of [
      [1997, 'unknown'],
      [1998, 'matched'],
      [1999, 'matched'],
      [2000, 'matched'],
      [2001, 'unknown'],
    ] as const) {
      assert.equal((await resolveOne({ ...item, year })).status, status, `${year}`);
    }
  });
});

describe('the confidence', () => {
  const ROWS: readonly (readonly [what: string, item: ResolveItem | string, confidence: number])[] =
    [
      ['an id and a name', { ids: { tcgplayer: '42382' }, name: 'Charizard' }, 1],
      ['an id', { ids: { tcgplayer: '42382' } }, 0.97],
      ['set, number and name', { name: 'Charizard', set: 'Base Set', number: '4' }, 0.99],
      ['number and name', { name: 'Lightning Bolt', number: '149' }, 0.94],
      ['set and name', { name: 'Lightning Bolt', setCode: 'M11' }, 0.93],
      ['a similar name', { name: 'Lightnig Blot', setCode: 'M11', number: '149' }, 0.84],
      [
        'a part of a name of a set',
        { name: 'Dark Magician', set: 'Legend of Blue Eyes', number: '5' },
        0.91,
      ],
      ['a word that nothing explains', 'Charizard 4/102 Base Set zorg', 0.95],
    ];
  for (const [what, item, confidence] of ROWS) {
    it(`of ${what} is ${confidence}`, async () => {
      const answer = await resolveOne(item);
      assert.equal(answer.status === 'matched' ? answer.confidence : await told(item), confidence);
    });
  }
});

describe('the reasons of a match', () => {
  for (const [item, reasons] of [
    [{ ids: { tcgplayer: '42382' } }, ["The external id is this card's."]],
    [
      { name: 'Charizard', set: 'Base Set', number: '4' },
      ["The set Base Set and the number 4 are this card's.", 'The name is the same.'],
    ],
    [
      { name: 'Lightning Bolt', setCode: 'M11' },
      ["The set M11 is this card's.", 'The name is the same.'],
    ],
    [
      { name: 'Lightning Bolt', number: '149' },
      ["The number 149 is this card's.", 'The name is the same.'],
    ],
  ] as const) {
    it(`are the fields that confirm it: ${JSON.stringify(item)}`, async () => {
      const answer = await resolveOne(item);
      assert.deepEqual(answer.reasons.slice(0, reasons.length), reasons);
    });
  }
});
