import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { foldWords } from '../../src/domain/text.ts';
import type { ResolveItem } from '../../src/resolve/index.ts';
import { parseLine } from '../../src/resolve/lines.ts';
import { CARDS, RESOLVER } from './resolve-cards.ts';

/** Words of lists and titles in any order, and text of any kind. */
const WORDS = fc
  .array(
    fc.constantFrom(
      ...['4', 'x4', '(M11)', '149', '4/102', 'OP06-118', '#', '//', '*F*', '[', ')', '|', 'SVI'],
      ...['Charizard', 'Lightning Bolt', 'Base Set', 'Foil', 'PSA 10', 'lot', 'Ninth Edition', '-'],
    ),
    { maxLength: 12 },
  )
  .map((words) => words.join(' '));
const TEXT = fc.oneof(WORDS, fc.string({ unit: 'binary', maxLength: 300 }), fc.string());

const FIELDS: fc.Arbitrary<ResolveItem> = fc.record(
  {
    name: fc.oneof(TEXT, fc.constantFrom(...CARDS.map(({ name }) => name))),
    set: fc.oneof(TEXT, fc.constantFrom(...CARDS.map(({ set }) => set.name))),
    number: fc.oneof(TEXT, fc.constantFrom(...CARDS.map(({ number }) => number ?? ''))),
    printing: TEXT,
    condition: TEXT,
    grade: TEXT,
  },
  { requiredKeys: [] },
);
const ITEM: fc.Arbitrary<ResolveItem> = fc.oneof(
  TEXT.map((text) => ({ text })),
  FIELDS,
);

describe('any items', () => {
  it('have one answer each, in order, with at most five candidates', async () => {
    const property = fc.asyncProperty(fc.array(ITEM, { maxLength: 5 }), async (items) => {
      const answers = await RESOLVER.resolve(items);
      assert.equal(answers.length, items.length);
      for (const answer of answers) {
        assert.ok(answer.reasons.length > 0);
        if (answer.status !== 'matched') assert.ok(answer.candidates.length <= 5);
        else assert.ok(answer.confidence > 0 && answer.confidence <= 1);
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('match no card that shares no word with them', async () => {
    const property = fc.asyncProperty(ITEM, async (item) => {
      const [answer] = await RESOLVER.resolve([item]);
      if (answer?.status !== 'matched') return;
      const given = foldWords(`${item.text ?? ''} ${item.name ?? ''}`).join('');
      assert.ok(foldWords(answer.card.name).some((word) => given.includes(word)));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('are read as lines without an error', () => {
    fc.assert(fc.property(TEXT, (text) => void parseLine(text)));
  });
});

/** Up to 1,000 characters of typical parts of lines, repeated or not. */
const LONG_TEXT = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.constantFrom(
          '4/102',
          '149',
          'OP06-118',
          'x4',
          'Charizard',
          'Dark',
          'ex',
          'リザードン',
          'カ',
        ),
        fc.constantFrom(
          '-',
          '(',
          '[',
          '#',
          '\t',
          ' ',
          '&',
          '/',
          '1',
          'a',
          'Magician',
          'Set',
          '*F*',
        ),
        fc.string({ unit: 'grapheme', maxLength: 12 }),
      ),
      { minLength: 1, maxLength: 60 },
    ),
    fc.constantFrom('', ' ', ' - ', ','),
  )
  .map(([parts, between]) => parts.join(between).repeat(40).slice(0, 1000));

/** Texts up to the limits, and texts that are too long. */
const HOSTILE_TEXT = fc
  .tuple(LONG_TEXT, fc.constantFrom(60, 120, 250, 1000))
  .map(([text, length]) => text.slice(0, length));

/** Returns the milliseconds for one item: the minimum of several runs, to ignore other load. */
async function timeOf(item: ResolveItem): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    await RESOLVER.resolve([item]);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

describe('lines that are built to be slow', () => {
  it('take at most a fixed multiple of the time of a normal title', async () => {
    const title = { text: '1999 Pokemon Base Set Charizard Holo Rare 4/102 PSA 9 Mint' };
    for (let i = 0; i < 20; i++) await timeOf(title);
    const normal = await timeOf(title);
    const property = fc.asyncProperty(HOSTILE_TEXT, async (text) => {
      const taken = await timeOf({ text });
      assert.ok(taken <= 60 * normal, `${taken} ms, and ${normal} ms for a title`);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('have one answer each, in order, among other items', async () => {
    const property = fc.asyncProperty(fc.array(HOSTILE_TEXT, { maxLength: 5 }), async (texts) => {
      const items = texts.flatMap((text) => [{ text }, { text: '4 Shivan Dragon (M11) 150' }]);
      const answers = await RESOLVER.resolve(items);
      assert.equal(answers.length, items.length);
      const others = answers.filter((_, i) => i % 2 === 1);
      assert.ok(others.every(({ status }) => status === 'matched'));
    });
    await fc.assert(property, { numRuns: 100 });
  });
});

describe('every card', () => {
  it('is found by its own name, set, number and rarity', async () => {
    const items = CARDS.map(({ name, set, number, rarity }) => ({
      name,
      setId: set.id,
      number: number ?? '',
      rarity: rarity ?? '',
    }));
    const answers = await RESOLVER.resolve(items);
    const found = answers.map((answer) => (answer.status === 'matched' ? answer.card : undefined));
    assert.deepEqual(found, CARDS);
  });
});

describe('a long list', () => {
  it('lets other work run in between', async () => {
    let turns = 0;
    let isDone = false;
    const items = Array.from({ length: 2000 }, () => ({ text: 'WOW Charizard 4/102 zorg blah' }));
    const resolving = RESOLVER.resolve(items).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      turns++;
    }
    await resolving;
    assert.ok(turns > 5 && turns < items.length / 2, `${turns} turns`);
  });
});
