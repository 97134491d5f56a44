import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { foldWords } from '../../src/domain/text.ts';
import { parseTable, readGames, readTable, required } from '../../src/search/lexicon/table.ts';

const COLUMNS = ['games', 'means'] as const;
const HEADER = COLUMNS.join('\t');

function parse(text: string) {
  return parseTable('data/words/x.tsv', text, COLUMNS, ({ games, means }) => {
    return [readGames(games), required(means, 'meaning')];
  });
}

describe('a table of words', () => {
  it('has a header, rows, comments and empty lines', () => {
    const text = `${HEADER}\n# Promos\nmtg, fab\tPromo\n\n\tRare\n-mtg\tGold\n`;
    const [some, all, others] = parse(text);
    assert.deepEqual(some, [['mtg', 'fab'], 'Promo']);
    assert.deepEqual(all, [undefined, 'Rare']);
    assert.equal(others?.[0]?.includes('mtg'), false);
    assert.equal(others?.[0]?.includes('fab'), true);
  });

  const BAD: readonly (readonly [why: string, text: string, message: string])[] = [
    ['has another header', 'game\tmeans', '1: the header must be `games\tmeans`'],
    ['is empty', '', '1: the header must be `games\tmeans`'],
    ['has a cell too few', `${HEADER}\nmtg`, '2: 1 cells, but 2 columns'],
    ['has a cell too many', `${HEADER}\n\nmtg\tGold\tx`, '3: 3 cells, but 2 columns'],
    ['has spaces around a cell', `${HEADER}\nmtg\t Gold`, '2: spaces around ` Gold`'],
    ['names an unknown game', `${HEADER}\nmtg\tGold\nmagic\tGold`, '3: no game `magic`'],
    ['excludes an unknown game', `${HEADER}\n-magic\tGold`, '2: no game `magic`'],
    ['lacks a cell that it needs', `${HEADER}\nmtg\t`, '2: no meaning'],
  ];
  for (const [why, text, message] of BAD) {
    it(`is rejected with file and line if it ${why}`, () => {
      assert.throws(() => parse(text), { message: `data/words/x.tsv:${message}` });
    });
  }
});

describe('the tables of data/words', () => {
  const files = globSync('data/words/*.tsv').map((path) => path.slice('data/words/'.length));

  it('are described in the README', () => {
    const readme = readFileSync('data/words/README.md', 'utf8');
    for (const file of files) assert.match(readme, new RegExp(`^\\| \`${file}\` \\|`, 'm'), file);
  });

  for (const file of files) {
    it(`has no duplicate rows, and no duplicate words in a row: ${file}`, () => {
      const [header = ''] = readFileSync(`data/words/${file}`, 'utf8').split('\n', 1);
      const rows = readTable(file, header.split('\t'), (cells) => cells);
      const seen = new Set<string>();
      for (const row of rows) {
        const text = Object.values(row).join('\t');
        assert.ok(!seen.has(text), text);
        seen.add(text);
        const words = (row.words ?? '').split(', ').map((phrase) => foldWords(phrase).join(' '));
        assert.deepEqual(words, [...new Set(words)], text);
      }
    });
  }
});
