import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { formatDay } from '../../src/domain/day.ts';
import { GAME_SLUGS } from '../../src/domain/games.ts';
import type { Observation } from '../../src/domain/observation.ts';
import { CONDITIONS, type DayPrices, NO_PRICES } from '../../src/domain/price.ts';
import type { FeedItem, FeedOptions } from '../../src/sources/contract/feed.ts';
import { BadRecord } from '../../src/sources/io/json.ts';
import { adaptCard, parseCard } from '../../src/sources/justtcg/adapt.ts';
import { openJustTcg } from '../../src/sources/justtcg/read.ts';
import { FeedFolder, feedOptions, readFeed } from '../support/feeds.ts';
import { NOW } from '../support/tcgcsv.ts';

const ANSWER = 'test/fixtures/justtcg/cards.json';
const OBSERVED = Date.parse('2026-01-28T20:00:00Z');

async function read(location: string, options: Partial<FeedOptions> = {}) {
  return readFeed(openJustTcg, location, options);
}

async function readText(text: string | Uint8Array) {
  return read(new FeedFolder().write('cards.json', text));
}

function itemOf(items: readonly FeedItem[], name: string): FeedItem {
  return items.find(({ card }) => card.name === name) ?? assert.fail(`no ${name}`);
}

/** Makes a card with one variant, with some fields replaced. */
function cardWith(variant: object = {}, card: object = {}) {
  const plain = {
    condition: 'Near Mint',
    printing: 'Normal',
    language: 'English',
    price: 1.5,
    lastUpdated: OBSERVED / 1000,
  };
  const named = { id: 'abra', name: 'Abra', game: 'Pokemon', set: 'Base Set', number: '43/102' };
  return {
    ...named,
    rarity: 'Common',
    tcgplayerId: '1',
    variants: [{ ...plain, ...variant }],
    ...card,
  };
}

function adapt(card: unknown) {
  return adaptCard(parseCard(card), { now: NOW, games: null });
}

/** Returns the items of a card, none when it is broken. */
function itemsOf(card: unknown): readonly FeedItem[] {
  try {
    return adapt(card).items;
  } catch (error) {
    assert.ok(error instanceof BadRecord, String(error));
    return [];
  }
}

function assertPossible({ conditions, observedAt }: Observation): void {
  assert.ok(observedAt > 0 && observedAt < NOW + 2 * 86_400_000);
  for (const [condition, cents] of Object.entries(conditions)) {
    assert.ok((CONDITIONS as readonly string[]).includes(condition));
    assert.ok(Number.isInteger(cents) && cents > 0);
  }
}

describe('a response of JustTCG', () => {
  test('has the prices of each printing and language by condition, as of the newest one', async () => {
    const { card, observations } = itemOf((await read(ANSWER)).items, 'Charizard');
    assert.deepEqual(card, {
      externalId: 'pokemon-base-set-charizard-holo-rare',
      game: 'pokemon',
      name: 'Charizard',
      number: '004/102',
      setCode: null,
      setName: 'Base Set',
      rarity: 'Holo Rare',
      variant: null,
      externalIds: { tcgplayer: '42382' },
      printings: null,
      image: null,
      releaseDate: null,
    });
    const current = observations.map(({ earlierCopies: _, ...observation }) => observation);
    assert.deepEqual(current, [
      {
        printing: 'Holofoil',
        marketplace: 'justtcg',
        currency: 'USD',
        observedAt: OBSERVED,
        prices: NO_PRICES,
        conditions: {
          near_mint: 45_386,
          lightly_played: 35_200,
          moderately_played: 26_050,
          heavily_played: 19_000,
          damaged: 12_001,
        },
        graded: {},
      },
      {
        printing: 'Holofoil (German)',
        marketplace: 'justtcg',
        currency: 'USD',
        observedAt: OBSERVED,
        prices: NO_PRICES,
        conditions: { near_mint: 30_000 },
        graded: {},
      },
    ]);
  });

  test('has the earlier prices of each condition, day by day', async () => {
    const { observations } = itemOf((await read(ANSWER)).items, 'Charizard');
    const { near_mint = [], damaged = [] } = observations[0]?.earlierCopies ?? {};
    const days = (all: readonly DayPrices[]) =>
      all.map(({ day, market }) => [formatDay(day), market]);
    assert.deepEqual(days(near_mint), [['2026-01-27', 45_386]]);
    assert.deepEqual(days(damaged), [
      ['2026-01-26', 12_001],
      ['2026-01-27', 12_001],
    ]);
  });

  test('has neither a market price nor earlier days of one', async () => {
    const { items } = await read(ANSWER);
    for (const observation of items.flatMap(({ observations }) => observations)) {
      assert.deepEqual([observation.prices, observation.earlierDays], [NO_PRICES, undefined]);
    }
  });

  test('may have more ids and fewer facts', async () => {
    const { card, observations } = itemOf((await read(ANSWER)).items, 'Black Lotus');
    assert.deepEqual(card.externalIds, {
      tcgplayer: '1042',
      scryfall: 'bd8fa327-dd41-4737-8f19-2cf5eb1f7cdd',
    });
    assert.deepEqual([card.setName, card.number, card.rarity], ['Alpha Edition', null, null]);
    assert.deepEqual(
      observations.map(({ conditions }) => conditions),
      [{ moderately_played: 950_000 }],
    );
  });

  test('is read in the language of its game, without sealed products and other games', async () => {
    const { items, skipped, broken } = await read(ANSWER);
    const pikachu = itemOf(items, 'Pikachu');
    assert.equal(pikachu.card.game, 'pokemonjp');
    assert.deepEqual(
      pikachu.observations.map(({ printing }) => printing),
      ['Normal', 'Master Ball Pattern'],
    );
    assert.deepEqual([items.length, broken], [4, []]);
    assert.deepEqual(skipped, {
      'sealed product': 1,
      'not of a game of ours': 1,
    });
    const lorcana = await read(ANSWER, { games: ['lorcana'] });
    assert.equal(lorcana.items.length, 1);
    assert.equal(lorcana.skipped['card of another game'], 3);
  });

  test('is as of the day in its name or its modification time; prices have their own moments', async () => {
    const folder = new FeedFolder();
    const content = readFileSync(ANSWER);
    const { feed, items } = await read(folder.write('justtcg-2026-01-30.json', content));
    assert.equal(feed.observedAt, Date.parse('2026-01-30'));
    assert.equal(itemOf(items, 'Charizard').observations[0]?.observedAt, OBSERVED);
    const future = folder.write('cards.json', content, 2 * NOW);
    await assert.rejects(openJustTcg(future, feedOptions()), /in the future/);
  });
});

describe('responses of JustTCG', () => {
  const text = readFileSync(ANSWER, 'utf8');
  const page = JSON.parse(text) as { data: object[] };
  const one = (card: object) => JSON.stringify({ data: [card] });
  const forms: readonly (readonly [string, string | Uint8Array])[] = [
    ['as one, in many lines', text],
    ['as one, in one line', JSON.stringify(page)],
    ['packed', gzipSync(text)],
    ['with a byte order mark', `\ufeff${text}`],
    ['one a line', page.data.map(one).join('\n')],
    ['one a line, with empty lines and ends of other systems', page.data.map(one).join('\r\n\r\n')],
    ['in an array', `[\n${page.data.map(one).join(',\n')}\n]`],
    ['in an array in one line', `[${page.data.map(one).join(',')}]`],
    ['as a card a line', page.data.map((card) => JSON.stringify(card)).join('\n')],
    ['as an array of cards', JSON.stringify(page.data, null, 2)],
  ];
  for (const [form, content] of forms) {
    test(`give the same items ${form}`, async () => {
      const [expected, found] = [await read(ANSWER), await readText(content)];
      assert.deepEqual(found.items, expected.items);
      assert.deepEqual([found.skipped, found.broken], [expected.skipped, expected.broken]);
    });
  }

  test('may be very long, as one in one line or one a line', async () => {
    const padding = 'x'.repeat(500);
    const cards = Array.from({ length: 5000 }, (_, id) => {
      return cardWith({ padding, more: padding }, { id: `card-${id}` });
    });
    const whole = JSON.stringify({ data: cards });
    assert.ok(whole.length > 4 * 1024 * 1024);
    assert.equal((await readText(`${whole}\n\n`)).items.length, 5000);
    const lines = `${whole}\n${' '.repeat(300_000)}\n${JSON.stringify({ data: [cardWith()] })}`;
    assert.equal((await readText(lines)).items.length, 5001);
  });

  test('report their progress', async () => {
    const cards = Array.from({ length: 5000 }, (_, id) => cardWith({}, { id: `card-${id}` }));
    const lines = cards.map((card) => JSON.stringify(card)).join('\n');
    for (const content of [lines, JSON.stringify({ data: cards }, null, 1)]) {
      const { feed, items, done } = await readText(content);
      assert.equal(items.length, 5000);
      assert.ok(done.length >= 10 && (done[0] ?? 0) < feed.total);
      assert.equal(done.at(-1), feed.total);
    }
  });

  test('may have broken cards among them, which are named', async () => {
    const cards = [
      cardWith({}, { id: 'a' }),
      cardWith({ price: -1 }, { id: 'b', name: 'Bellsprout' }),
      cardWith({}, { id: 5, name: 'Cubone' }),
      'oops',
      cardWith({}, { id: 'd' }),
    ];
    const { items, broken } = await readText(JSON.stringify({ data: cards }, null, 1));
    assert.deepEqual(
      items.map(({ observations }) => observations.length),
      [1, 0, 1],
    );
    assert.deepEqual(
      broken.map(({ name }) => name),
      ['Bellsprout', 'Cubone', 'record 4'],
    );
    const lines = `${one(cardWith())}\n{"data":[\n${one(cardWith({}, { id: 'z' }))}\n`;
    const cut = await readText(lines);
    assert.equal(cut.items.length, 2);
    assert.deepEqual(cut.broken, [
      { name: 'line 2', reason: 'not valid JSON; it may be incomplete' },
    ]);
  });

  test('are not published when their file breaks off', async () => {
    await assert.rejects(readText(text.slice(0, 3000)), {
      name: 'OperatorError',
      message: /has no responses of JustTCG: it breaks off in the middle/,
    });
  });

  const refused: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['nothing', '', /breaks off/],
    ['no cards', '{"data":[]}', /it has no records/],
    ['an error', '{"error":"Invalid API key","code":"INVALID_API_KEY"}', /id/],
    ['a page of the web', '<!doctype html>\n<p>Log in', /neither an object nor an array/],
    ['other things', '[1,2,3]', /has no responses of JustTCG/],
    ['other things in many lines', '{"a":1}\n{"b":2}', /id/],
    ['Latin-1', Buffer.from('{"data":[{"name":"Pok\xe9mon"}]}', 'latin1'), /UTF-8|id/],
  ];
  for (const [what, content, message] of refused) {
    test(`are refused when the file holds ${what}`, async () => {
      await assert.rejects(readText(content), { name: 'OperatorError', message });
    });
  }
});

describe('a card of JustTCG', () => {
  test('has no price where the API gives nothing or zero', () => {
    for (const price of [null, undefined, 0]) {
      const { items } = adapt(cardWith({ price, lastUpdated: null }));
      assert.deepEqual(items[0]?.observations, []);
    }
  });

  test('has no price in a condition with two different prices', () => {
    const near = cardWith().variants[0];
    const worn = { ...near, condition: 'Damaged', price: 1 };
    const twice = cardWith({}, { variants: [near, { ...near, price: 2 }, worn, worn] });
    const { items, skipped } = adapt(twice);
    assert.deepEqual(items[0]?.observations[0]?.conditions, { damaged: 100 });
    assert.deepEqual(skipped, ['contradictory price']);
  });

  test('is left out when its language is not known, or has a separate game', () => {
    assert.deepEqual(adapt(cardWith({ language: 'Japanese' })), {
      items: [],
      skipped: ['variant in another language'],
    });
    assert.deepEqual(adapt(cardWith({ language: 'Klingon' })).skipped, [
      'variant in another language',
    ]);
    for (const language of [null, 'English', 'French']) {
      assert.equal(adapt(cardWith({ language })).items[0]?.observations.length, 1);
    }
  });

  /** The fault of a card, or of its only printing. */
  function faultOf(card: object): string {
    try {
      const { items, broken = [] } = adapt(card);
      assert.deepEqual(items[0]?.observations, []);
      return broken.join();
    } catch (error) {
      assert.ok(error instanceof BadRecord);
      return error.message;
    }
  }

  const bad: readonly (readonly [object, RegExp])[] = [
    [{ price: -1 }, /"-1" cannot be a price/],
    [{ price: 1e12 }, /cannot be a price/],
    [{ price: '5' }, /variants/],
    [{ condition: 'Mint' }, /"Mint" is not a condition/],
    [{ condition: 'constructor' }, /is not a condition/],
    [{ lastUpdated: null }, /cannot have been observed at null/],
    [{ lastUpdated: OBSERVED }, /cannot have been observed/],
    [{ lastUpdated: NOW / 1000 + 3 * 86_400 }, /cannot have been observed/],
    [{ lastUpdated: -5 }, /cannot have been observed/],
    [{ printing: '' }, /variants/],
    [{ printing: 'x'.repeat(1_000_000) }, /variants/],
  ];
  for (const [change, message] of bad) {
    test(`with ${JSON.stringify(change).slice(0, 50)} is broken`, () => {
      assert.match(faultOf(cardWith(change)), message);
    });
  }

  test('has only whole cents of known conditions, for any response', () => {
    const variant = fc.record({
      condition: fc.constantFrom('Near Mint', 'Damaged', 'Sealed', 'Mint', 'toString'),
      printing: fc.constantFrom('Normal', 'Foil'),
      language: fc.constantFrom('English', 'Japanese', null),
      price: fc.oneof(fc.double(), fc.constant(null), fc.integer({ min: 0, max: 100 })),
      lastUpdated: fc.oneof(fc.constant(OBSERVED / 1000), fc.double(), fc.constant(null)),
    });
    const card = fc.record({
      game: fc.constantFrom('Pokemon', 'pokemon-japan', 'Chess', '__proto__'),
      variants: fc.array(variant, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(card, (change) => {
        for (const { card: reference, observations } of itemsOf(cardWith({}, change))) {
          assert.ok(GAME_SLUGS.includes(reference.game));
          observations.forEach(assertPossible);
        }
      }),
    );
  });
});
