import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Card } from '../../src/domain/card.ts';
import { SEARCH_SORTS, SearchIndex, type SearchSort } from '../../src/search/index.ts';
import { indexOf, makeCard, namesFound, pricesOf, query } from './search-cards.ts';

describe('a card is found', () => {
  it('once, if a word is in its name and is its number or the code of its set', () => {
    const set = { rowId: 2, code: 'EX' };
    const index = indexOf([
      makeCard({ name: 'Mew 151', number: '151/165' }),
      makeCard({ name: 'Arcanine', number: '151' }),
      makeCard({ name: 'Mewtwo ex', number: '1', set }),
      makeCard({ name: 'Pidgey', number: '2', set }),
    ]);
    assert.deepEqual(namesFound(index, '151').sort(), ['Arcanine', 'Mew 151']);
    assert.deepEqual(namesFound(index, 'ex').sort(), ['Mewtwo ex', 'Pidgey']);
  });

  it('by the start of its number, also after others with this start', () => {
    const index = indexOf([makeCard({ name: 'Mew', number: '58/102' })]);
    assert.deepEqual(namesFound(index, '58'), ['Mew']);
    index.add(makeCard({ name: 'Abra', number: '58/64' }));
    index.commit();
    assert.deepEqual(namesFound(index, '58').sort(), ['Abra', 'Mew']);
  });

  it('by its number and set, and no longer by those that it had', () => {
    const index = indexOf([makeCard({ name: 'Mew', number: '8', rowId: 900 })]);
    const set = { rowId: 2, code: 'EX' };
    index.add(makeCard({ name: 'Mew', number: '9', rowId: 900, set }));
    index.commit();
    assert.deepEqual(namesFound(index, '8'), []);
    assert.deepEqual(namesFound(index, '9'), ['Mew']);
    assert.deepEqual(namesFound(index, 'ex'), ['Mew']);
    assert.deepEqual(namesFound(index, 'bs'), []);
  });
});

describe('a removed card', () => {
  it('is found until the commit, and by nothing after it', () => {
    const mew = makeCard({ name: 'Mew', number: '8', rarity: 'Rare' });
    const index = indexOf([mew, makeCard({ name: 'Mewtwo', number: '10', rarity: 'Common' })]);
    index.remove(mew);
    assert.deepEqual(namesFound(index, 'mew'), ['Mew', 'Mewtwo']);
    index.commit();
    assert.deepEqual(namesFound(index, 'mew'), ['Mewtwo']);
    for (const q of ['8', 'mew 8', 'rarity:rare', 'number:8']) {
      assert.deepEqual(namesFound(index, q), [], q);
    }
    assert.deepEqual(namesFound(index, 'set:bs'), ['Mewtwo']);
    assert.deepEqual(index.autocomplete({ q: 'mew', limit: 5 }), ['Mewtwo']);
  });
});

describe('relevance', () => {
  it('ranks the exact name first, then beginnings, whole words and parts of words', () => {
    const index = indexOf([
      makeCard({ name: 'Angelic Wall', price: 900 }),
      makeCard({ name: 'Fallen Angelfire', price: 900 }),
      makeCard({ name: 'Wrath of the Angel', price: 900 }),
      makeCard({ name: 'Angel of Mercy', price: 900 }),
      makeCard({ name: 'Angel (Foil)', price: 900 }),
      makeCard({ name: 'Angel', price: 1 }),
    ]);
    assert.deepEqual(namesFound(index, 'angel'), [
      'Angel',
      'Angel (Foil)',
      'Angel of Mercy',
      'Angelic Wall',
      'Wrath of the Angel',
      'Fallen Angelfire',
    ]);
  });

  it('ranks the given name of dotted names like the beginning of a name, then by price', () => {
    const index = indexOf([
      makeCard({ name: 'Luffy-Tarou' }),
      makeCard({ name: 'Luffy Is the Man', price: 1 }),
      makeCard({ name: 'Monkey.D.Luffy (Parallel)', price: 900 }),
      makeCard({ name: 'Monkey.D.Luffy', price: 30 }),
      makeCard({ name: 'Ace & Luffy', price: 900 }),
    ]);
    assert.deepEqual(namesFound(index, 'luffy'), [
      'Monkey.D.Luffy (Parallel)',
      'Monkey.D.Luffy',
      'Luffy Is the Man',
      'Luffy-Tarou',
      'Ace & Luffy',
    ]);
  });

  it('ranks a name with the same words in another order before a name with more words', () => {
    const index = indexOf([
      makeCard({ name: 'The Fire Energy Trainer', price: 900 }),
      makeCard({ name: 'Fire Energy', price: 1 }),
    ]);
    assert.deepEqual(namesFound(index, 'energy fire'), ['Fire Energy', 'The Fire Energy Trainer']);
  });

  it('ranks a word that is in the name before the same word as a set code', () => {
    const index = indexOf([
      makeCard({ name: 'Mewtwo', set: { rowId: 2, code: 'EX' }, price: 900 }),
      makeCard({ name: 'Mewtwo ex', price: 1 }),
    ]);
    assert.deepEqual(namesFound(index, 'mewtwo ex'), ['Mewtwo ex', 'Mewtwo']);
  });

  it('ranks every infix of a Japanese word alike, wherever it stands', () => {
    const index = indexOf([
      makeCard({ name: 'ふしぎなアメ', price: 1 }),
      makeCard({ name: 'ふしぎアメダマ', price: 900 }),
      makeCard({ name: 'ふしぎな アメ', price: 1 }),
    ]);
    const [whole, ...parts] = namesFound(index, 'アメ');
    assert.equal(whole, 'ふしぎな アメ');
    assert.deepEqual(parts, ['ふしぎアメダマ', 'ふしぎなアメ']);
  });

  it('ranks oversized cards after all equal matches, even if they cost more', () => {
    const jumbos = { rowId: 2, code: 'PR', name: 'Jumbo Cards' };
    const index = indexOf([
      makeCard({ name: 'Charizard (CoroCoro Promo) (Jumbo)', set: jumbos, price: 900 }),
      makeCard({ name: 'Charizard (Stamped)' }),
      makeCard({ name: 'Charizard', set: jumbos, price: 800 }),
      makeCard({ name: 'Charizard', number: '4', price: 1 }),
      makeCard({ name: 'Charizard V', price: 1 }),
      makeCard({ name: 'Mew (Jumbo)', price: 800 }),
    ]);
    assert.deepEqual(namesFound(index, 'charizard'), [
      'Charizard',
      'Charizard',
      'Charizard (Stamped)',
      'Charizard (CoroCoro Promo) (Jumbo)',
      'Charizard V',
    ]);
    assert.equal(index.search(query('charizard')).cards[0]?.number, '4', 'older names, too');
    assert.deepEqual(namesFound(index, 'jumbo'), [
      'Charizard (CoroCoro Promo) (Jumbo)',
      'Mew (Jumbo)',
    ]);
    const dearest = index.search(query('charizard', { sort: 'price_desc' })).cards[0];
    assert.equal(dearest?.name, 'Charizard (CoroCoro Promo) (Jumbo)', 'the price alone counts');
  });

  it('does not depend on the order in which cards were added when a name has no words', () => {
    const number = 'TG12/TG30';
    const [mew, dash] = [makeCard({ name: 'mew', number }), makeCard({ name: '-', number })];
    const other = makeCard({ name: 'mew', number: '4/102' });
    const search = (...cards: Card[]) => indexOf(cards).search(query('TG12 &'));
    assert.deepEqual(search(dash, mew, other), search(mew, dash, other));
  });

  it('orders equally relevant cards by market price, highest first, unpriced last, then by id', () => {
    const index = indexOf([
      makeCard({ name: 'Abra', number: '1', rowId: 91 }),
      makeCard({ name: 'Abra', number: '2', rowId: 92, price: 100 }),
      makeCard({ name: 'Abra', number: '4', rowId: 94, price: 0 }),
      makeCard({ name: 'Abra', number: '3', rowId: 93, price: 500 }),
      makeCard({ name: 'Abra', number: '0', rowId: 90 }),
    ]);
    const { cards } = index.search(query('abra'));
    assert.deepEqual(
      cards.map((card) => card.number),
      ['3', '2', '4', '0', '1'],
    );
  });
});

describe('sorts', () => {
  const jungle = { rowId: 2, code: 'JU', releaseDate: '1999-06-16' };
  const index = indexOf([
    makeCard({ name: 'Card Z', number: '57/62', set: jungle, price: 30 }),
    makeCard({ name: 'Card A', number: '9/102', price: 20 }),
    makeCard({ name: 'Card M', number: '10/102', price: 70 }),
    makeCard({ name: 'Card L', set: { rowId: 3, code: 'UNK', releaseDate: null } }),
  ]);
  const EXPECTED: Readonly<Record<SearchSort, string>> = {
    relevance: 'MZAL',
    price_desc: 'MZAL',
    price_asc: 'AZML',
    name: 'ALMZ',
    newest: 'ZAML',
    number: 'AMZL',
  };

  for (const sort of SEARCH_SORTS) {
    it(`order the cards by ${sort}`, () => {
      const letters = namesFound(index, 'card', { sort }).map((name) => name.at(-1));
      assert.equal(letters.join(''), EXPECTED[sort]);
    });
  }
});

describe('pages', () => {
  const cards = Array.from({ length: 25 }, (_, i) => makeCard({ name: 'Abra', price: 100 + i }));

  it('show every match once even if prices change between them', () => {
    const index = indexOf(cards);
    const found: Card[] = [];
    for (let offset = 0; offset < 25; offset += 10) {
      const { cards: page, total } = index.search(query('abra', { limit: 10, offset }));
      assert.equal(total, 25);
      found.push(...page);
      for (const [i, card] of cards.entries()) setPrice(index, card, (i * 7919) % 1000);
    }
    assert.equal(new Set(found.map((card) => card.id)).size, 25);
  });

  it('begin in the order of current prices with each first page', () => {
    const index = indexOf(cards);
    const first = () => index.search(query('abra', { limit: 1 })).cards[0];
    const dearest = first();
    const cheapest = cards.find((card) => card !== dearest);
    assert.ok(cheapest);
    setPrice(index, cheapest, 1_000_000);
    assert.equal(first(), cheapest);
  });

  it('are the same when a later page is requested without the first', () => {
    const whole = indexOf(cards).search(query('abra', { limit: 25 })).cards;
    const { cards: page } = indexOf(cards).search(query('abra', { limit: 10, offset: 10 }));
    assert.deepEqual(page, whole.slice(10, 20));
  });

  it('past the end are empty and still give the total', () => {
    const { cards: page, total } = indexOf(cards).search(query('abra', { offset: 500 }));
    assert.deepEqual([page.length, total], [0, 25]);
  });

  it('after the first come from the cached results, even after a commit', () => {
    const named = (name: string) => Array.from({ length: 20 }, () => makeCard({ name }));
    const found = [...named('Abra'), ...named('Abra Cadabra')];
    const index = indexOf(found);
    index.search(query('abra', { limit: 20 }));
    for (const card of named('Abra Cadabra')) index.add(card);
    index.commit();
    const { cards: page, total } = index.search(query('abra', { limit: 50, offset: 20 }));
    assert.equal(total, 40);
    assert.deepEqual(new Set(page), new Set(found.slice(20)));
  });

  it('have every match of thousands once, in the first order, whatever changes meanwhile', () => {
    const many = Array.from({ length: 5000 }, (_, i) => {
      return makeCard({ name: 'Abra', price: 1 + ((i * 7919) % 3000) });
    });
    const expected = indexOf(many).search(query('abra', { limit: 5000 })).cards;
    assert.equal(new Set(expected.map(({ id }) => id)).size, 5000);
    const prices = expected.map((card) => Number(card.printings[0]?.prices.market));
    assert.deepEqual(
      prices,
      prices.toSorted((a, b) => b - a),
    );
    const index = indexOf(many);
    const found = [...index.search(query('abra', { limit: 1000 })).cards];
    for (const [i, card] of many.entries()) setPrice(index, card, i);
    const added = makeCard({ name: 'Abra' });
    index.add({ ...added, id: `a-${added.id}` });
    index.commit();
    for (let offset = 1000; offset < 5000; offset += 1000) {
      found.push(...index.search(query('abra', { limit: 1000, offset })).cards);
    }
    assert.deepEqual(
      found.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
  });

  it('from cached results show the newest version of a card', () => {
    const index = indexOf(cards);
    index.search(query('abra', { limit: 24 }));
    const [last] = indexOf(cards).search(query('abra', { limit: 1, offset: 24 })).cards;
    assert.ok(last);
    const renamed = { ...last, name: 'Kadabra' };
    index.add(renamed);
    index.commit();
    const { cards: page } = index.search(query('abra', { limit: 24, offset: 24 }));
    assert.deepEqual(page, [renamed]);
  });
});

function setPrice(index: SearchIndex, card: Card, cents: number): void {
  const [printing] = card.printings;
  assert.ok(printing);
  index.updatePrice({ ...card, printings: [{ ...printing, prices: pricesOf(cents) }] });
}

describe('a commit', () => {
  it('makes all added cards visible at once, and not before', () => {
    const index = new SearchIndex();
    index.add(makeCard({ name: 'Abra' }));
    index.add(makeCard({ name: 'Abra', number: '12' }));
    assert.equal(index.search(query('abra')).total, 0);
    assert.equal(index.search(query('12')).total, 0);
    index.commit();
    assert.equal(index.search(query('abra')).total, 2);
    assert.equal(index.search(query('12')).total, 1);
  });

  it('replaces the older version of a card, which searches find until then', () => {
    const old = makeCard({ name: 'Abra', number: '12' });
    const index = indexOf([old]);
    index.add({ ...old, name: 'Zubat', number: '13' });
    assert.deepEqual(namesFound(index, 'abra'), ['Abra']);
    assert.deepEqual(namesFound(index, 'zubat'), []);
    index.commit();
    for (const q of ['abra', '12']) assert.deepEqual(namesFound(index, q), [], q);
    for (const q of ['zubat', '13']) assert.deepEqual(namesFound(index, q), ['Zubat'], q);
  });

  it('replaces the other fields of a card whose name, number and code stay the same', () => {
    const old = makeCard({ name: 'Abra', rarity: 'Rare', price: 100 });
    const index = indexOf([old, makeCard({ name: 'Abra', rarity: 'Rare', price: 50 })]);
    const rare = () => index.search(query('abra', { rarity: 'rare' })).cards;
    const newer = { ...old, rarity: 'Common', image: 'https://pictures.example/abra.jpg' };
    index.add(newer);
    assert.deepEqual([rare().length, rare()[0]], [2, old]);
    index.commit();
    assert.equal(rare().length, 1);
    assert.deepEqual(index.search(query('abra')).cards[0], newer);
    assert.equal(index.search(query('abra')).total, 2);
  });

  it('makes only the last of several versions of a card visible', () => {
    const old = makeCard({ name: 'Abra' });
    const pictured = { ...old, image: 'https://pictures.example/abra.jpg' };
    const renamed = { ...old, name: 'Zubat' };
    for (const versions of [
      [pictured, renamed],
      [renamed, pictured],
      [renamed, { ...renamed, name: 'Golbat' }, pictured],
      [pictured, renamed, { ...renamed, number: '4' }],
    ]) {
      const index = indexOf([old]);
      for (const version of versions) index.add(version);
      index.commit();
      const found = ['abra', 'zubat', 'golbat'].flatMap((q) => index.search(query(q)).cards);
      assert.deepEqual(found, versions.slice(-1));
    }
  });

  it('makes a word correctable once no card has it', () => {
    const old = makeCard({ name: 'Abrax' });
    const index = indexOf([old, makeCard({ name: 'Abram' })]);
    index.add({ ...old, name: 'Zubat' });
    index.commit();
    assert.deepEqual(namesFound(index, 'abrax'), ['Abram']);
  });

  it('makes a compound correctable once no card has its words', () => {
    const old = makeCard({ name: 'Fire Ball' });
    const others = ['Fire Wall', 'Snow Ball', 'Firebell'].map((name) => makeCard({ name }));
    const index = indexOf([old, ...others]);
    assert.deepEqual(namesFound(index, 'fireball'), ['Fire Ball']);
    index.add({ ...old, name: 'Zubat' });
    index.commit();
    assert.deepEqual(namesFound(index, 'fireball'), ['Firebell']);
  });

  it('without added cards changes nothing', () => {
    const index = indexOf([makeCard({ name: 'Abra' })]);
    index.commit();
    assert.equal(index.search(query('abra')).total, 1);
  });
});
