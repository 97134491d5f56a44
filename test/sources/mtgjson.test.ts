import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseDay, startOfDay } from '../../src/domain/day.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import { openMtgjson } from '../../src/sources/mtgjson/read.ts';
import { FeedFolder, feedOptions, readFeed } from '../support/feeds.ts';

const PRICES = readFileSync('test/fixtures/mtgjson/AllPrices.json', 'utf8');
const TODAY = readFileSync('test/fixtures/mtgjson/AllPricesToday.json', 'utf8');
const IDENTIFIERS = readFileSync('test/fixtures/mtgjson/AllIdentifiers.json', 'utf8');
const SET_LIST = readFileSync('test/fixtures/mtgjson/SetList.json', 'utf8');
const WEB = '00010d56-fe38-5e35-8aed-518019aa36a5';

interface Content {
  readonly meta?: unknown;
  readonly data: Record<string, unknown>;
}

type Bytes = string | Uint8Array;

function read(prices: Bytes, identifiers: Bytes = IDENTIFIERS, products?: Bytes) {
  const folder = new FeedFolder();
  const files = {
    identifiers: folder.write('AllIdentifiers.json', identifiers),
    ...(products && { products: folder.write('SetList.json', products) }),
  };
  return readFeed(openMtgjson, folder.write('AllPrices.json', prices), { files });
}

async function offerOf(name: string, prices: Bytes = PRICES): Promise<FeedItem> {
  const { items } = await read(prices);
  return items.find(({ card }) => card.name === name) ?? assert.fail(`no ${name}`);
}

function dayOf(text: string) {
  return parseDay(text) ?? assert.fail(text);
}

/** Returns the newest prices of an item: `tcgplayer Normal 88`, with listings in brackets. */
function priced({ observations }: FeedItem): string[] {
  return observations.map(({ marketplace, printing, prices }) => {
    const price = prices.market === null ? `(${prices.low})` : String(prices.market);
    return `${marketplace} ${printing} ${price}`;
  });
}

/** Returns the fixture with other prices of its first card. */
function withPaper(paper: unknown): string {
  const content = JSON.parse(PRICES) as Content;
  return JSON.stringify({ ...content, data: { ...content.data, [WEB]: { paper } } });
}

describe('mtgjson', () => {
  test('yields what a shop pays on the day of its price', async () => {
    const paid = ({ observations }: FeedItem) => {
      return observations.map(({ marketplace, trade }) => [marketplace, trade?.buylist]);
    };
    const shop = (buylist: unknown) => {
      const retail = { normal: { '2026-01-28': 1.19 } };
      return withPaper({ cardkingdom: { retail, buylist, currency: 'USD' } });
    };
    const today = await offerOf('Web', shop({ normal: { '2026-01-27': 0.2, '2026-01-28': 0.1 } }));
    assert.deepEqual(paid(today), [['cardkingdom', 10]]);
    const before = await offerOf('Web', shop({ normal: { '2026-01-27': 0.2 } }));
    assert.deepEqual(paid(before), [['cardkingdom', undefined]]);
    assert.deepEqual(paid(await offerOf('Web', shop({}))), [['cardkingdom', undefined]]);
    const { broken } = await read(shop({ normal: { '2026-01-28': '0.1' } }));
    assert.match(broken[0]?.reason ?? '', /a price of cardkingdom is not a number/);
  });

  test('yields the prices of the newest day and of earlier days', async () => {
    const web = await offerOf('Web');
    assert.deepEqual(web.card, {
      externalId: WEB,
      game: 'mtg',
      name: 'Web',
      number: '229',
      setCode: '3ED',
      setName: null,
      rarity: 'Rare',
      variant: null,
      externalIds: {
        tcgplayer: '1485',
        scryfall: '00012bd8-ed68-4978-a22d-f450c8a6e048',
        cardmarket: '5724',
      },
      printings: ['Normal'],
      image: null,
      releaseDate: null,
    });
    const nothing = { low: null, mid: null, high: null };
    assert.deepEqual(web.observations[0], {
      printing: 'Normal',
      marketplace: 'tcgplayer',
      currency: 'USD',
      observedAt: startOfDay(dayOf('2026-01-28')),
      prices: { market: 88, ...nothing },
      conditions: {},
      graded: {},
      earlierDays: [
        { day: dayOf('2026-01-26'), market: 90, ...nothing },
        { day: dayOf('2026-01-27'), market: 89, ...nothing },
      ],
    });
  });

  test('takes the price of a shop for a listing, and never for the market price', async () => {
    assert.deepEqual(priced(await offerOf('Web')), [
      'tcgplayer Normal 88',
      'cardkingdom Normal (119)',
      'cardmarket Normal 45',
    ]);
  });

  test('has euros from Cardmarket only', async () => {
    const { observations } = await offerOf('Web');
    assert.deepEqual(
      observations.map(({ currency }) => currency),
      ['USD', 'USD', 'EUR'],
    );
    const { broken } = await read(withPaper({ tcgplayer: { currency: 'EUR', retail: {} } }));
    assert.deepEqual(broken, [{ name: WEB, reason: 'the prices of tcgplayer are in EUR' }]);
  });

  test('makes two cards of an entry whose etched finish is a separate product', async () => {
    const { items } = await read(PRICES);
    const [plain, etched] = items.filter(({ card }) => card.name === 'Imperial Recruiter');
    assert.ok(plain && etched);
    assert.deepEqual(priced(plain), [
      'tcgplayer Normal 1255',
      'tcgplayer Foil 1496',
      'cardkingdom Normal (1499)',
      'cardkingdom Foil (1899)',
    ]);
    assert.deepEqual(etched.card.externalIds, { tcgplayer: '240345' });
    assert.deepEqual(priced(etched), ['tcgplayer Foil 1410', 'cardkingdom Foil (1799)']);
    const sword = await offerOf('Sword of the Animist');
    assert.equal(sword.card.externalIds.tcgplayer, '509876');
    assert.deepEqual(priced(sword), ['tcgplayer Foil 929']);
  });

  test('keeps the last day of a price that ended', async () => {
    const { observations } = await offerOf('Delver of Secrets // Insectile Aberration');
    const [normal, foil] = observations;
    assert.deepEqual(
      [normal?.observedAt, foil?.observedAt],
      [startOfDay(dayOf('2026-01-28')), startOfDay(dayOf('2026-01-27'))],
    );
    assert.deepEqual(
      normal?.earlierDays?.map(({ day }) => day),
      [dayOf('2026-01-26')],
    );
  });

  test('counts a card with two faces once', async () => {
    const { items, skipped } = await read(PRICES);
    const delvers = items.filter(({ card }) => card.name.startsWith('Delver'));
    assert.equal(delvers.length, 1);
    assert.equal(skipped['other face'], 1);
  });

  test('gives the names of cards in other languages, of the first face only', async () => {
    const { translations } = await read(PRICES);
    const told = translations.map(({ card, language, name }) => {
      return [typeof card === 'string' ? card : card.name, language, name].join(' | ');
    });
    assert.ok(told.includes('Web | de | Kaiserlicher Anwerber'), told.join('\n'));
    assert.equal(new Set(told).size, told.length);
  });

  test('leaves out the foil of a card that has two products for it', async () => {
    assert.deepEqual(priced(await offerOf('Jaws, Relentless Predator')), ['tcgplayer Normal 2200']);
  });

  test('counts what it leaves out', async () => {
    const { skipped, broken } = await read(PRICES);
    assert.deepEqual(broken, []);
    assert.deepEqual(skipped, {
      'other face': 1,
      'foil of one of two products': 1,
      'no paper card': 1,
      'no price': 1,
      'not in the identifiers': 1,
    });
  });

  test('reads tokens, which have no rarity', async () => {
    const { card } = await offerOf('Soldier');
    assert.deepEqual([card.rarity, card.externalIds.tcgplayer], [null, undefined]);
  });

  test('names oversized cards so', async () => {
    const { data, ...rest } = JSON.parse(IDENTIFIERS) as { data: Record<string, object> };
    const web = { ...data[WEB], isOversized: true };
    const { items } = await read(
      PRICES,
      JSON.stringify({ ...rest, data: { ...data, [WEB]: web } }),
    );
    assert.ok(items.some(({ card }) => card.name === 'Web (Oversized)'));
  });

  test('yields the same cards from the prices of one day, without history', async () => {
    const all = await read(PRICES);
    const today = await read(TODAY);
    assert.equal(today.feed.observedAt, startOfDay(dayOf('2026-01-28')));
    assert.deepEqual(
      today.items.map(({ card }) => card),
      all.items.map(({ card }) => card),
    );
    assert.ok(
      today.items.every(({ observations }) =>
        observations.every(({ earlierDays }) => earlierDays === undefined),
      ),
    );
  });

  const bad: readonly (readonly [string, unknown, string])[] = [
    ['text', { '2026-01-28': '1.00' }, 'a price of tcgplayer is not a number'],
    ['negative', { '2026-01-28': -1 }, '"-1" cannot be a price'],
    ['absurd', { '2026-01-28': 1e9 }, '"1000000000" cannot be a price'],
    ['of no day', { soon: 1 }, '"soon" is not a day YYYY-MM-DD'],
    ['of a day to come', { '2099-01-01': 1 }, '2099-01-01 is in the future'],
    ['no object', 1, 'paper.tcgplayer.retail.normal must be object, but is 1'],
  ];
  for (const [what, normal, reason] of bad) {
    test(`names a card with a price that is ${what}, and continues`, async () => {
      const { items, broken } = await read(withPaper({ tcgplayer: { retail: { normal } } }));
      assert.deepEqual(broken, [{ name: WEB, reason }]);
      assert.equal(items.length, 6);
    });
  }

  test('takes a price of zero for an unknown one', async () => {
    const normal = { '2026-01-27': 2, '2026-01-28': 0 };
    const web = await offerOf(
      'Web',
      withPaper({ tcgplayer: { currency: 'USD', retail: { normal } } }),
    );
    assert.deepEqual(priced(web), ['tcgplayer Normal 200']);
    assert.equal(web.observations[0]?.observedAt, startOfDay(dayOf('2026-01-27')));
  });
});

describe('files of MTGJSON', () => {
  test('are read however they are written, packed or not', async () => {
    const { items } = await read(PRICES);
    const { meta, data } = JSON.parse(PRICES) as Content;
    for (const prices of [
      gzipSync(PRICES),
      JSON.stringify({ meta, data }, null, 4),
      // The date may stand behind all prices.
      JSON.stringify({ data, meta }),
      JSON.stringify({ $schema: ['x'], data, meta, more: { data: {} } }),
    ]) {
      const other = await read(prices, gzipSync(IDENTIFIERS));
      assert.deepEqual(other.items, items);
      assert.equal(other.done.at(-1), other.feed.total);
    }
  });

  test('are recognised only if both are the same', async () => {
    const digest = async (prices: string, identifiers: string) => {
      return (await read(prices, identifiers)).feed.file?.digest;
    };
    const known = await digest(PRICES, IDENTIFIERS);
    assert.equal(await digest(PRICES, IDENTIFIERS), known);
    assert.notEqual(await digest(`${PRICES}\n`, IDENTIFIERS), known);
    assert.notEqual(await digest(PRICES, `${IDENTIFIERS}\n`), known);
  });

  test('need the identifiers of their cards', async () => {
    const location = new FeedFolder().write('AllPrices.json', PRICES);
    await assert.rejects(openMtgjson(location, feedOptions()), {
      name: 'OperatorError',
      message: /Also pass its AllIdentifiers: --identifiers /,
    });
    const files = { identifiers: '/no/such/file' };
    await assert.rejects(openMtgjson(location, feedOptions({ files })), {
      name: 'OperatorError',
      message: /\/no\/such\/file cannot be read/,
    });
  });

  test('are refused as a whole when they break off anywhere', async () => {
    for (const share of [0.2, 0.5, 0.9, 0.999]) {
      const cut = (text: string) => Buffer.from(text).subarray(0, Buffer.byteLength(text) * share);
      const refused = { name: 'OperatorError', message: /: it breaks off in the middle\.$/ };
      await assert.rejects(read(cut(PRICES)), refused);
      await assert.rejects(read(PRICES, cut(IDENTIFIERS)), refused);
    }
  });

  test('name broken cards, and leave out their prices', async () => {
    const { meta, data } = JSON.parse(IDENTIFIERS) as Content;
    const card = { ...(data[WEB] as object), number: 229 };
    const { items, broken, skipped } = await read(
      PRICES,
      JSON.stringify({ meta, data: { ...data, [WEB]: card } }),
    );
    assert.deepEqual(broken, [{ name: WEB, reason: 'number must be string, but is 229' }]);
    assert.equal(skipped['not in the identifiers'], 2);
    assert.equal(items.length, 6);
  });

  const meta = '"meta":{"date":"2026-01-28"}';
  const wrong: readonly (readonly [string, string, string, RegExp])[] = [
    ['have no date', '{"data":{}}', IDENTIFIERS, /AllPricesToday: it has no meta\.date\.$/],
    ['have a date that is none', '{"meta":{"date":"now"}}', IDENTIFIERS, /it has no meta\.date\.$/],
    ['are of a time to come', '{"meta":{"date":"2099-01-01"}}', IDENTIFIERS, /in the future/],
    ['are empty', '', IDENTIFIERS, /it breaks off in the middle\.$/],
    ['hold nothing', `{${meta}}`, IDENTIFIERS, /AllPrices or AllPricesToday: it has no records\.$/],
    ['are a list', '[1]', IDENTIFIERS, /it has no meta\.date\.$/],
    ['are identifiers', IDENTIFIERS, IDENTIFIERS, /no price is of a card in .*AllIdentifiers/],
    ['have prices for identifiers', PRICES, PRICES, /MTGJSON's AllIdentifiers: .* must have/],
    ['know none of the cards', TODAY, IDENTIFIERS.replaceAll('-5', '-6'), /no price is of a card/],
  ];
  for (const [what, prices, identifiers, message] of wrong) {
    test(`that ${what} are refused`, async () => {
      await assert.rejects(read(prices, identifiers), { name: 'OperatorError', message });
    });
  }

  test('are refused before their end when the shape of all cards has changed', async () => {
    const data = Array.from({ length: 200 }, (_, index) => `"${index}":{"paper":[]}`);
    await assert.rejects(read(`{${meta},"data":{${data.join(',')},"cut`), {
      name: 'OperatorError',
      message: /AllPricesToday: 0: paper must be object\.$/,
    });
  });

  test('yields what is in products, also in those that come later', async () => {
    const { contained, skipped, broken } = await read(PRICES, IDENTIFIERS, SET_LIST);
    assert.deepEqual(broken, []);
    assert.deepEqual(
      contained.map(({ externalIds }) => externalIds),
      [{ tcgplayer: '700001' }, { tcgplayer: '700002' }, { tcgplayer: '700003' }],
    );
    const booster = { kind: 'product', name: 'Seventh Edition Booster Pack', setCode: '7ED' };
    const [box, pack, gift] = contained.map(({ contents }) => contents);
    assert.deepEqual(box, {
      items: [{ ...booster, count: 36, tcgplayerId: '700002' }],
      choices: [],
    });
    assert.deepEqual(pack?.items, [{ kind: 'pack', count: 1, name: 'draft', setCode: '7ED' }]);
    const web = { name: 'Web', setCode: '3ED', number: '229', isFoil: true, tcgplayerId: '1485' };
    assert.deepEqual(gift?.items, [
      { ...booster, count: 2, tcgplayerId: '700002' },
      { kind: 'deck', count: 1, name: 'Decay', setCode: '7ED' },
      { kind: 'card', count: 1, ...web },
      { kind: 'other', count: 2, name: 'Spindown' },
      { kind: 'other', count: 1, name: 'Dividers' },
    ]);
    const deck = (name: string) => [{ kind: 'deck', count: 1, name, setCode: '7ED' }];
    assert.deepEqual(gift?.choices, [[deck('Armada'), deck('Bomber')]]);
    assert.equal(skipped['product of unknown contents'], 1);
    assert.equal(skipped['product without an id of TCGplayer'], 1);
  });

  test('reads the products of AllPrintings, and reports malformed ones by name', async () => {
    const { data } = JSON.parse(SET_LIST) as { readonly data: readonly object[] };
    const [first, second] = data as readonly { readonly sealedProduct?: readonly object[] }[];
    const broken = { uuid: 'b6', name: 'Tin', identifiers: {}, contents: { other: ['Spindown'] } };
    const sealedProduct = [...(first?.sealedProduct ?? []), broken];
    const printings = { data: { '7ED': { ...first, cards: [], sealedProduct }, PAST: second } };
    const { contained, broken: named } = await read(PRICES, IDENTIFIERS, JSON.stringify(printings));
    assert.equal(contained.length, 3);
    assert.deepEqual(named, [
      { name: 'Tin', reason: 'contents.other.0 must be object, but is "Spindown"' },
    ]);
  });

  test('refuses a file of products that has none', async () => {
    await assert.rejects(read(PRICES, IDENTIFIERS, PRICES), {
      message:
        /SetList\.json cannot be read as MTGJSON's SetList or AllPrintings: it has no records/,
    });
  });
});
