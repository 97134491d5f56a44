import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OperatorError } from '../../src/domain/errors.ts';
import { GAME_SLUGS } from '../../src/domain/games.ts';
import { foldWords } from '../../src/domain/text.ts';
import { ALIASES, type Alias, AliasTable, parseAliases } from '../../src/search/aliases.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { indexOf, makeCard, namesFound } from './search-cards.ts';

const HEADER = 'game,alias,means';
const GOYF: Alias = { game: 'mtg', alias: 'Goyf', means: 'tarmogoyf' };

function row(alias: string, means: string, game: Alias['game'] = 'mtg'): Alias {
  return { game, alias, means };
}

describe('aliases', () => {
  it('are found with the index after them', () => {
    const table = new AliasTable([GOYF]);
    const words = foldWords('foil GOYF nm');
    assert.deepEqual(table.find(words, 1), { to: 2, aliases: [GOYF] });
    assert.equal(table.find(words, 0), undefined);
    assert.equal(table.find(words, 3), undefined);
  });

  it('may have several words, and the longest alias wins', () => {
    const short = row('gear 5', 'gear5');
    const long = row('gear 5 luffy', 'monkey d luffy op05-119');
    const table = new AliasTable([short, long]);
    assert.deepEqual(table.find(foldWords('Gear-5 Luffy'), 0), { to: 3, aliases: [long] });
    assert.deepEqual(table.find(foldWords('gear 5 zoro'), 0), { to: 2, aliases: [short] });
    assert.equal(table.find(['gear'], 0), undefined);
  });

  it('may mean several cards, of one game or of several', () => {
    const rows = [row('dm', 'dark magician', 'yugioh'), row('dm', 'demonic'), row('dm', 'dimir')];
    assert.deepEqual(new AliasTable(rows).find(['dm'], 0)?.aliases, rows);
  });

  it('are found only as whole words, in any query', () => {
    const table = new AliasTable(ALIASES);
    const word = fc.oneof(
      fc.constantFrom(...ALIASES.flatMap((a) => foldWords(a.alias))),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.nat(6), (words, from) => {
        const found = table.find(words, from);
        for (const { alias } of found?.aliases ?? []) {
          assert.deepEqual(foldWords(alias), words.slice(from, found?.to));
        }
      }),
    );
  });
});

describe('the built-in aliases', () => {
  it('are all distinct, and differ from their meanings', () => {
    const seen = new Set<string>();
    for (const { game, alias, means } of ALIASES) {
      const name = [game, ...foldWords(alias), 'is', ...foldWords(means)].join(' ');
      assert.ok(GAME_SLUGS.includes(game), name);
      assert.ok(!seen.has(name), `${name} is there twice`);
      assert.ok(foldWords(means).length > 0, name);
      assert.notDeepEqual(foldWords(means), foldWords(alias), name);
      seen.add(name);
    }
  });
});

it("an index knows the operator's aliases and the built-in ones", () => {
  const set = { game: 'mtg', id: 'mtg-ravnica', code: 'RAV', name: 'Ravnica' } as const;
  const cards = ['Dark Confidant', 'Lightning Bolt'].map((name) => makeCard({ name, set }));
  const index = new SearchIndex({ aliases: [row('bobby', 'dark confidant')] });
  for (const card of cards) index.add(card);
  index.commit();
  for (const q of ['bobby', 'bob']) assert.deepEqual(namesFound(index, q), ['Dark Confidant'], q);
  assert.deepEqual(namesFound(indexOf(cards), 'bob'), ['Dark Confidant']);
  assert.deepEqual(namesFound(indexOf(cards), 'bobby'), []);
});

it('an alias that is a word of a name is not replaced if a card has all words', () => {
  const set = { game: 'mtg', id: 'mtg-ravnica', code: 'RAV', name: 'Ravnica' } as const;
  const cards = ['Builder Bob', 'Dark Confidant Builder'].map((name) => makeCard({ name, set }));
  assert.deepEqual(namesFound(indexOf(cards), 'builder bob'), ['Builder Bob']);
  assert.deepEqual(namesFound(indexOf(cards.slice(1)), 'builder bob'), ['Dark Confidant Builder']);
});

describe('a file of aliases', () => {
  it('is CSV with a header', () => {
    const text = `\uFEFF${HEADER}\r\nmtg,bobby,dark confidant\n\n"onepiece","g5 luffy","luffy, gear 5"\n`;
    assert.deepEqual(parseAliases(text), [
      row('bobby', 'dark confidant'),
      row('g5 luffy', 'luffy, gear 5', 'onepiece'),
    ]);
    assert.deepEqual(parseAliases(HEADER), []);
  });

  const BAD: readonly (readonly [why: string, text: string, line: number])[] = [
    ['has no header', 'mtg,bobby,dark confidant', 1],
    ['is empty', '', 1],
    ['has a row of two cells', `${HEADER}\nmtg,bobby`, 2],
    ['has a row of four cells', `${HEADER}\nmtg,bobby,dark,confidant`, 2],
    ['has a quotation mark that is not closed', `${HEADER}\n\nmtg,bobby,"dark confidant`, 3],
    ['names a game that is not known', `${HEADER}\nmagic,bobby,dark confidant`, 2],
    ['has an alias without a word', `${HEADER}\nmtg,!!,dark confidant`, 2],
    ['means nothing', `${HEADER}\nmtg,bobby,`, 2],
    ['has a very long cell', `${HEADER}\nmtg,${'x'.repeat(201)},dark confidant`, 2],
    ['has too many lines', `${HEADER}${'\n'.repeat(10_001)}`, 10_001],
  ];
  for (const [why, text, line] of BAD) {
    it(`is rejected with the line number if it ${why}`, () => {
      assert.throws(
        () => parseAliases(text),
        (error) => error instanceof OperatorError && error.message.startsWith(`Line ${line} `),
      );
    });
  }

  it('is read or rejected with an operator error, with any content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          parseAliases(`${HEADER}\n${text}`);
        } catch (error) {
          assert.ok(error instanceof OperatorError);
        }
      }),
    );
  });
});
