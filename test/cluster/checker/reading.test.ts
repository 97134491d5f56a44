import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GAMES } from '../../../src/domain/games.ts';
import { cardStem, cardsIn } from '../catalogue.ts';
import { readBody } from '../reading.ts';

const ID = 'mtg-hbr-amberwing-wanderer-k0-001';

/** A card as lists show it. */
function card(number: number, cents: number, index = 0) {
  return {
    id: ID,
    name: `${cardStem(index)} K${number}`,
    game: 'mtg',
    set: `Harbour K${number}`,
    prices: { market: 60 + cents / 100, conditions: { near_mint: null } },
  };
}

/** A card with its prices, and the prices of its only printing. */
function wholeCard(number: number, cents: number) {
  const { market } = card(number, cents).prices;
  const prices = { market, low: market - 5, mid: market + 5, high: market + 30 };
  return { ...card(number, cents), prices, printings: [{ name: 'Normal', prices }] };
}

const eachGame = <Item>(item: Item) => GAMES.map(() => item);
const flawOf = (endpoint: string, body: object) => readBody(endpoint, body).flaw;

describe('the reading of a body', () => {
  it('finds the publication, the prices and the cards', () => {
    const reading = readBody('card', { data: wholeCard(117, 17) });
    const cards = [['mtg Amberwing Wanderer', ID]];
    assert.deepEqual(reading, { publication: 117, cents: 17, flaw: null, cards });
  });

  it('leaves out the amounts of a week that the confidence in a price has', () => {
    const confidence = { level: 'single-source', interval: { low: 55.01, high: 60.02 } };
    const data = wholeCard(2, 2);
    const prices = { ...data.prices, confidence };
    assert.equal(flawOf('card', { data: { ...data, prices } }), null);
  });

  it('finds mixtures of names, of prices, and of names and prices', () => {
    assert.match(flawOf('search', { data: [card(1, 1), card(2, 1)] }) ?? '', /1, 2/);
    assert.match(flawOf('batch', { data: [card(1, 1), card(1, 2)] }) ?? '', /1, 2 cents/);
    assert.match(flawOf('card', { data: wholeCard(1, 2) }) ?? '', /publication 1, .* 2 cents/);
    const inAnother = { ...wholeCard(1, 1), set: 'Harbour K2' };
    assert.match(flawOf('card', { data: inAnother }) ?? '', /1, 2/);
  });

  it('finds mixtures in counts and in the values of sets', () => {
    const set = (cardCount: number, value: number) => ({ name: 'Harbour K1', cardCount, value });
    assert.equal(flawOf('sets', { data: eachGame(set(31, 2983.31)) }), null);
    assert.match(flawOf('sets', { data: [set(32, 2983.31)] }) ?? '', /1, 2/);
    assert.match(flawOf('sets', { data: [set(31, 2983.3)] }) ?? '', /2983.3 is not the value/);
    assert.match(flawOf('games', { data: [{ cardCount: 31 }, { cardCount: 32 }] }) ?? '', /1, 2/);
    assert.match(flawOf('set-cards', { data: [card(1, 1)], total: 32 }) ?? '', /1, 2/);
  });

  it('finds missing parts', () => {
    assert.equal(flawOf('search', { data: eachGame(card(1, 1)) }), null);
    assert.equal(flawOf('search', { data: [card(1, 1)] }), 'it has 1 cards instead of 8');
    assert.equal(flawOf('search', { data: [], total: 0 }), 'it shows no publication');
    assert.equal(flawOf('games', { data: [{ cardCount: 31 }] }), 'it has 1 counts instead of 8');
    const page = Array.from({ length: cardsIn(40) }, (_, index) => card(40, 40, index));
    assert.equal(flawOf('set-cards', { data: page, total: 70 }), null);
    const short = { data: page.slice(1), total: 70 };
    assert.equal(flawOf('set-cards', short), 'it has 69 cards instead of 70');
  });

  it('finds prices that are left out', () => {
    const { prices, ...rest } = wholeCard(1, 1);
    const cardWith = (low: number | null) => ({ data: { ...rest, prices: { ...prices, low } } });
    assert.equal(flawOf('card', cardWith(55.01)), null);
    assert.equal(flawOf('card', cardWith(null)), 'it has 7 amounts instead of 8');
    assert.equal(flawOf('card', { data: card(1, 1) }), 'it has 1 amounts instead of 8');
  });

  it('looks for as many names and cards as the publication has', () => {
    const names = ['Azurewing', 'Azurefang', 'Azurehorn', 'Azuremane'];
    const data = (publication: number) => names.map((name) => `${name} Wanderer K${publication}`);
    assert.equal(flawOf('autocomplete', { data: data(3) }), null);
    assert.equal(flawOf('autocomplete', { data: data(4) }), 'it has 4 names instead of 5');
    const neighbours = { previous: card(1, 1), next: card(1, 1, 2) };
    assert.equal(flawOf('related', { data: neighbours }), null);
    assert.equal(flawOf('related', { data: { previous: null, next: card(1, 1, 1) } }), null);
    const alone = { data: { previous: null, next: card(1, 1, 2) } };
    assert.equal(flawOf('related', alone), 'it has 1 cards instead of 2');
  });

  it('reads the newest day of a history alone', () => {
    const day = (market: number) => ({ market, low: market - 5, high: market + 30 });
    const history = [day(50), day(60.17)];
    const reading = readBody('history', { data: { cardId: ID, history } });
    assert.deepEqual(reading, { publication: null, cents: 17, flaw: null, cards: [] });
    assert.equal(flawOf('history', { data: { history: [] } }), 'it has 0 days instead of 2');
    const gap = { ...day(60.17), low: null };
    assert.equal(
      flawOf('history', { data: { history: [day(50), gap] } }),
      'it has 2 amounts instead of 3',
    );
  });

  it('reads the numbers of an explanation', () => {
    const numbers = ['market', 'low', 'mid', 'high'].map((name) => ({ name, value: 60.17 }));
    const body = (some: object[]) => ({ data: { printings: [{ name: 'Normal', numbers: some }] } });
    assert.equal(readBody('explain', body(numbers)).cents, 17);
    assert.equal(flawOf('explain', body(numbers.slice(1))), 'it has 3 amounts instead of 4');
  });
});
