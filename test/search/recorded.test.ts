import { describe, it } from 'node:test';
import { assertRecorded } from '../support/recorded.ts';
import { readStarterCards } from '../support/starter-cards.ts';
import { QUERIES, typedTexts } from '../support/typed.ts';
import { indexOf } from './search-cards.ts';

/** What collectors type that no rule makes. */
const TYPED = [
  'charizard base set 1st edition psa 10',
  'base set zard',
  'pika',
  'pikachu -promo',
  'pikachu or raichu',
  'pikachu or (raichu -set:base)',
  'cheapest pikachu',
  'most expensive lorcana',
  'elsa under $5',
  'elsa between 2 and 20 dollars',
  'charizard > 100',
  'charizard usd>100 usd<=400',
  'r:enchanted',
  'is:foil stitch',
  'game:mtg black lotus',
  'black lotus unlimited',
  'mtg arn 78',
  'number:4 set:bs',
  'alt art umbreon',
  'full art trainer',
  'secret rare gold',
  'promo mickey 2023',
  'japanese clefairy',
  'ピカチュウ',
  'glurak',
  'dracaufeu ex',
  'luffy leader op01',
  'op01-001',
  'sv2a 6/165',
  '151 mew ex',
  'vmax rainbow',
  'trainer gallery',
  'radiant charizard holo nm',
  'swu vader',
  'dark magician 1st edition',
  'blue eyes white dragon lob',
  '#012',
  '25',
  '1999',
  'a',
  '-',
  '*',
  '"fire energy"',
  'fire-energy',
  'n',
  'n s plan',
  'pokemon center lady',
  'energy',
  'the',
  'of the',
  'https://www.tcgplayer.com/product/42382',
  'gg44/gg70',
  'tg 20',
];

describe('answers to what people type', () => {
  it('stay as they are recorded', async () => {
    const cards = await readStarterCards();
    const index = indexOf(cards);
    const queries = [...TYPED.map((q) => ['typed', q] as const), ...typedTexts(QUERIES, cards, 16)];
    const lines = queries.map(([kind, q]) => {
      const { total, corrected, suggestion, understood, ...found } = index.search({
        q,
        sort: 'relevance',
        limit: 4,
        offset: 0,
      });
      const ids = found.cards.map(({ id }) => id).join(' ');
      const said = corrected ? ` = ${corrected}` : suggestion ? ` ? ${suggestion}` : '';
      const read = understood ? `  ${JSON.stringify(understood, leaveOutNothing)}\n` : '';
      const names = index.autocomplete({ q, limit: 4 }).join(' | ');
      return `${kind}: ${q}${said}\n${read}  ${total}: ${ids}\n  ${names}\n`;
    });
    assertRecorded('search', lines);
  });
});

/** Leaves out what a query does not say. */
function leaveOutNothing(_key: string, value: unknown): unknown {
  return value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;
}
