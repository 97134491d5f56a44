import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseDay, startOfDay } from '../../src/domain/day.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import { openScryfall, SCRYFALL_REMOTE } from '../../src/sources/scryfall/read.ts';
import { FeedFolder, feedOptions, MODIFIED, readFeed } from '../support/feeds.ts';

const FIXTURE = readFileSync('test/fixtures/scryfall/default-cards.json', 'utf8');
const LINES = FIXTURE.trim().split('\n').slice(1, -1);
const CARDS = JSON.parse(FIXTURE) as readonly Record<string, unknown>[];
const ITEM_COUNT = 9;

const read = (content: string | Uint8Array, name = 'default-cards.json') => {
  return readFeed(openScryfall, new FeedFolder().write(name, content));
};

async function itemsNamed(...names: string[]): Promise<FeedItem[]> {
  const { items } = await read(FIXTURE);
  return items.filter(({ card }) => names.includes(card.name));
}

/** Returns the prices of an item: `tcgplayer Normal 88`. */
function priced({ observations }: FeedItem): string[] {
  return observations.map(
    ({ marketplace, printing, prices }) => `${marketplace} ${printing} ${prices.market}`,
  );
}

/** Returns a bulk file with some fields of the fixture's first card replaced. */
function withCard(change: Record<string, unknown>): string {
  return `[\n${JSON.stringify({ ...CARDS[0], ...change })},\n${LINES.slice(1).join('\n')}\n]\n`;
}

describe('scryfall', () => {
  test('yields cards with shared ids and prices of TCGplayer and Cardmarket', async () => {
    const [web] = await itemsNamed('Web');
    const nothing = { low: null, mid: null, high: null };
    const rest = { observedAt: MODIFIED, conditions: {}, graded: {} };
    assert.deepEqual(web, {
      card: {
        externalId: '00012bd8-ed68-4978-a22d-f450c8a6e048',
        game: 'mtg',
        name: 'Web',
        number: '229',
        setCode: '3ED',
        setName: 'Revised Edition',
        rarity: 'Rare',
        variant: null,
        externalIds: {
          scryfall: '00012bd8-ed68-4978-a22d-f450c8a6e048',
          tcgplayer: '1485',
          cardmarket: '5724',
        },
        printings: ['Normal'],
        image:
          'https://cards.scryfall.io/large/front/0/0/00012bd8-ed68-4978-a22d-f450c8a6e048.jpg?1626100528',
        releaseDate: '1994-04-01',
      },
      observations: [
        {
          printing: 'Normal',
          marketplace: 'tcgplayer',
          currency: 'USD',
          prices: { market: 88, ...nothing },
          ...rest,
        },
        {
          printing: 'Normal',
          marketplace: 'cardmarket',
          currency: 'EUR',
          prices: { market: 45, ...nothing },
          ...rest,
        },
      ],
      facts: {
        types: ['Creature'],
        subtypes: ['Human', 'Advisor'],
        colors: ['Red'],
        cost: '3',
        manaCost: '{2}{R}',
        text:
          'When this creature enters, search your library for a creature card with power 2 or less, reveal it, put it into your hand, then shuffle.\n' +
          '“Find the brave {T}.”',
        artist: 'Mitsuaki Sagiri',
        legalities: { legacy: 'legal', modern: 'legal', commander: 'legal' },
      },
    });
  });

  test('has an observation for each finish of each marketplace that lists the card', async () => {
    const [tutor] = await itemsNamed('Mystical Tutor');
    assert.ok(tutor);
    assert.deepEqual(priced(tutor), [
      'tcgplayer Normal 1280',
      'tcgplayer Foil 1786',
      'cardmarket Normal 941',
      'cardmarket Foil 1402',
    ]);
    const [crossbow, token] = await itemsNamed('Crossbow Infantry', 'Soldier');
    assert.ok(crossbow && token);
    assert.deepEqual(priced(crossbow), ['tcgplayer Foil 105']);
    assert.deepEqual([crossbow.card.number, crossbow.card.printings], ['12★', ['Foil']]);
    assert.deepEqual(priced(token), []);
  });

  test('reports that a marketplace no longer has a price; zero is not a price', async () => {
    const [vault] = await itemsNamed("Lim-Dûl's Vault");
    assert.ok(vault);
    assert.deepEqual(priced(vault), ['tcgplayer Normal null', 'tcgplayer Foil 2150']);
  });

  test('makes two cards of an entry whose etched finish is a separate product', async () => {
    const [plain, etched, ...others] = await itemsNamed('Imperial Recruiter');
    assert.ok(plain && etched && others.length === 0);
    assert.deepEqual(plain.card.printings, ['Normal', 'Foil']);
    assert.deepEqual(priced(plain), [
      'tcgplayer Normal 1255',
      'tcgplayer Foil 1496',
      'cardmarket Normal 877',
      'cardmarket Foil null',
    ]);
    const { externalId, variant, externalIds, printings } = etched.card;
    assert.equal(externalId, `${plain.card.externalId}/etched`);
    assert.deepEqual(
      [variant, externalIds, printings],
      ['Foil Etched', { tcgplayer: '240345' }, ['Foil']],
    );
    assert.deepEqual(priced(etched), ['tcgplayer Foil 1410', 'cardmarket Foil null']);
  });

  test('takes a card that is only etched for the product of its etched finish', async () => {
    const [sword, ...others] = await itemsNamed('Sword of the Animist');
    assert.ok(sword && others.length === 0);
    const { externalId, externalIds, variant, printings } = sword.card;
    assert.deepEqual([variant, printings], ['Foil Etched', ['Foil']]);
    assert.deepEqual(externalIds, {
      scryfall: externalId,
      tcgplayer: '509876',
      cardmarket: '721098',
    });
    assert.deepEqual(priced(sword), ['tcgplayer Foil 929', 'cardmarket Foil 790']);
  });

  test('makes a printing of an etched finish without a separate product', async () => {
    const change = {
      finishes: ['nonfoil', 'etched'],
      prices: { usd: '1', usd_foil: null, usd_etched: '2.5', eur: null, eur_foil: null },
    };
    const { items } = await read(withCard(change));
    assert.ok(items[0]);
    assert.deepEqual(items[0].card.printings, ['Normal', 'Etched']);
    assert.deepEqual(priced(items[0]).slice(0, 2), [
      'tcgplayer Normal 100',
      'tcgplayer Etched 250',
    ]);
  });

  test('passes on a price of a finish that the card does not have', async () => {
    const prices = { ...(CARDS[0]?.prices as object), usd_foil: '99.00' };
    const { items } = await read(withCard({ prices }));
    assert.ok(items[0]);
    assert.deepEqual(items[0].card.printings, ['Normal']);
    assert.ok(priced(items[0]).includes('tcgplayer Foil 9900'));
  });

  test('takes the picture of the first side of a card that has two', async () => {
    const [delver] = await itemsNamed('Delver of Secrets // Insectile Aberration');
    assert.match(delver?.card.image ?? '', /\/large\/front\/a\/9\//);
  });

  test('gives the release date of a set only where all of its cards share it', async () => {
    const [web, vault] = await itemsNamed('Web', "Lim-Dûl's Vault");
    assert.deepEqual([web?.card.releaseDate, vault?.card.releaseDate], ['1994-04-01', null]);
    const { items } = await read(withCard({ released_at: 'soon' }));
    assert.equal(items[0]?.card.releaseDate, null);
  });

  test('names oversized cards so', async () => {
    const { items } = await read(withCard({ oversized: true }));
    assert.match(items[0]?.card.name ?? '', / \(Oversized\)$/);
  });

  test('leaves out digital cards, and counts them', async () => {
    const { skipped, items } = await read(FIXTURE);
    assert.deepEqual(skipped, { 'digital card': 2 });
    assert.equal(items.length, ITEM_COUNT);
  });
});

describe('a bulk file of Scryfall', () => {
  const layouts: readonly (readonly [string, string])[] = [
    ['has one card a line, as Scryfall writes it', FIXTURE],
    ['has no line end at its end', FIXTURE.trimEnd()],
    ['has line ends of Windows', FIXTURE.replaceAll('\n', '\r\n')],
    ['has its last bracket behind the last card', FIXTURE.replace('\n]', ']')],
    ['has empty lines', FIXTURE.replaceAll('\n', '\n\n')],
    ['begins with a byte order mark', `\ufeff${FIXTURE}`],
    ['is JSON lines', `${LINES.map((line) => line.replace(/,$/, '')).join('\n')}\n`],
    ['is JSON lines without the last line end', LINES.join('\n').replaceAll('},\n', '}\n')],
    ['is one long line', JSON.stringify(CARDS)],
    ['has many lines for each card', JSON.stringify(CARDS, null, 2)],
    ['is one long line behind spaces', `\n  ${JSON.stringify(CARDS)}\n\n`],
  ];
  for (const [what, text] of layouts) {
    test(`is read when it ${what}`, async () => {
      const { items } = await read(FIXTURE);
      for (const content of [text, gzipSync(text)]) {
        const other = await read(content);
        assert.deepEqual(other.broken, []);
        assert.deepEqual(other.items, items);
        assert.equal(other.done.at(-1), other.feed.total);
      }
    });
  }

  test('is read in batches with progress', async () => {
    const many = Array.from({ length: 900 }, (_, index) => {
      return JSON.stringify({ ...CARDS[0], id: `card-${index}` });
    });
    const { items, done } = await read(`[\n${many.join(',\n')}\n]\n`);
    assert.equal(items.length, 900);
    assert.ok(done.length >= 4);
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
    );
  });

  test('names a broken line and continues', async () => {
    const lines = [...LINES];
    lines[1] = '{"object":"card","id":"1", "name": ';
    lines[3] = JSON.stringify({
      ...CARDS[3],
      prices: { ...(CARDS[3]?.prices as object), usd: 'x' },
    });
    lines[4] = JSON.stringify({ ...CARDS[4], collector_number: 7 });
    const { items, broken } = await read(`[\n${lines.join('\n')}\n]\n`);
    assert.equal(items.length, ITEM_COUNT - 3);
    assert.deepEqual(broken, [
      { name: 'line 3', reason: 'not valid JSON' },
      { name: 'line 5', reason: 'prices.usd "x" cannot be a price' },
      { name: 'line 6', reason: 'collector_number must be string, but is 7' },
    ]);
  });

  test('names a broken card by its position where it is not in lines', async () => {
    const cards = CARDS.with(1, { object: 'card' });
    const { items, broken } = await read(JSON.stringify(cards));
    assert.equal(items.length, ITEM_COUNT - 1);
    assert.equal(broken[0]?.name, 'card 2');
  });

  test('is refused as a whole when it breaks off anywhere', async () => {
    const lines = LINES.map((line) => line.replace(/,$/, '')).join('\n');
    for (const text of [FIXTURE, JSON.stringify(CARDS), lines]) {
      for (const share of [0.01, 0.3, 0.5, 0.8, 0.999]) {
        const half = Buffer.from(text).subarray(0, Buffer.byteLength(text) * share);
        await assert.rejects(read(half), {
          name: 'OperatorError',
          message: /cannot be read as Scryfall's default_cards: it breaks off in the middle\.$/,
        });
      }
    }
    const packed = gzipSync(FIXTURE);
    await assert.rejects(read(packed.subarray(0, packed.length / 2)), {
      name: 'OperatorError',
      message: /breaks off/,
    });
  });

  const other: readonly (readonly [string, string, RegExp])[] = [
    ['nothing', '', /: it is empty\.$/],
    ['spaces', ' \n\n', /: it is not a list of objects\.$/],
    ['an empty list', '[\n]\n', /: it has no records\.$/],
    ['a page for people', '<!doctype html>', /: it is not a list of objects\.$/],
    ['a list of texts', '["a", "b"]', /: card 1: must be object, but is "a"\.$/],
    [
      'the listing of bulk files',
      '{"object":"list","data":[]}',
      /: line 1: it is a list, not a card\.$/,
    ],
    [
      'rulings',
      '[\n{"object":"ruling"},\n{"object":"ruling"}\n]',
      /: line 2: it is a ruling, not a card\.$/,
    ],
    ['more behind its end', `${FIXTURE}[]`, /: it continues after its end\.$/],
  ];
  for (const [what, text, message] of other) {
    test(`is refused when it is ${what}`, async () => {
      await assert.rejects(read(text), { name: 'OperatorError', message });
    });
  }

  test('is refused before its end when the shape of all cards has changed', async () => {
    const renamed = LINES.join('\n').replaceAll('"usd":', '"usd_market":');
    const many = Array.from({ length: 50 }, () => `${renamed},`).join('\n');
    await assert.rejects(read(`[\n${many}\n{"cut`), {
      name: 'OperatorError',
      message: /default_cards: line 2: prices.* usd.*\.$/,
    });
  });

  const moments: readonly (readonly [string, string])[] = [
    ['default-cards-2026-01-19.json.gz', '2026-01-19T00:00:00.000Z'],
    ['default-cards-20260128220837.json', '2026-01-28T22:08:37.000Z'],
    ['default-cards-20260128.jsonl', '2026-01-28T00:00:00.000Z'],
    ['default-cards-20261328.json', new Date(MODIFIED).toISOString()],
    ['default-cards.json', new Date(MODIFIED).toISOString()],
  ];
  for (const [name, moment] of moments) {
    test(`named ${name} is as of ${moment}`, async () => {
      const { feed, items } = await read(FIXTURE, name);
      assert.equal(new Date(feed.observedAt).toISOString(), moment);
      assert.equal(items[0]?.observations[0]?.observedAt, feed.observedAt);
    });
  }

  test('is as of the day that the operator gives', async () => {
    const observedAt = startOfDay(parseDay('2026-01-20') ?? assert.fail());
    const location = new FeedFolder().write('default-cards-20260128220837.json', FIXTURE);
    const feed = await openScryfall(location, feedOptions({ observedAt }));
    assert.equal(feed.observedAt, observedAt);
  });

  test('is refused when its moment is in the future', async () => {
    const refused = { name: 'OperatorError', message: /in the future.*--observed YYYY-MM-DD/ };
    await assert.rejects(read(FIXTURE, 'default-cards-20990101000000.json'), refused);
    const location = new FeedFolder().write('bulk', FIXTURE, Date.parse('2099-01-01'));
    await assert.rejects(openScryfall(location, feedOptions()), refused);
  });
});

test('the listing of Scryfall may have JSON lines only', () => {
  const { content } = SCRYFALL_REMOTE;
  if (content.kind !== 'listing') assert.fail('not a listing');
  const entry = { type: 'default_cards', updated_at: '2026-08-11T09:05:01.000+00:00' };
  const address = 'https://data.scryfall.io/default-cards/default-cards-20260811090501.jsonl.gz';
  const listing = (more: object) => Buffer.from(JSON.stringify({ data: [{ ...entry, ...more }] }));
  assert.equal(content.parse(listing({ jsonl_download_uri: address })).main.path, address);
  assert.throws(() => content.parse(listing({})), { name: 'OperatorError' });
});

describe('all_cards of scryfall', () => {
  const all = () => readFeed(openScryfall, 'test/fixtures/scryfall/all-cards.json');

  test('gives the names of cards in other languages, by their set and number', async () => {
    const { translations } = await all();
    assert.deepEqual(
      translations.map(({ card, language, name }) => {
        const { setCode, number, name: english } = card as Exclude<typeof card, string>;
        return [setCode, number, english, language, name].join(' | ');
      }),
      [
        'MH2 | 138 | Ragavan, Nimble Pilferer | de | Ragavan, flinker Langfinger',
        'MH2 | 138 | Ragavan, Nimble Pilferer | fr | Ragavan, chapardeur agile',
        'MH2 | 138 | Ragavan, Nimble Pilferer | ja | 敏捷なこそ泥、ラガバン',
        '9ED | 347 | Forest | de | Wald',
        '9ED | 347 | Forest | zhs | 树林',
        'DBL | 47 | Delver of Secrets // Insectile Aberration | it | Scavatore di Segreti // Aberrazione Insettoide',
      ],
    );
  });

  test('has prices only of English cards, and of those that exist in no other language', async () => {
    const { items, skipped, broken } = await all();
    assert.deepEqual(
      items.map(({ card }) => card.name),
      ['Ragavan, Nimble Pilferer', 'Liliana, Dreadhorde General'],
    );
    assert.deepEqual(skipped, {
      'card without its printed name': 1,
      'card in an unknown language': 1,
    });
    assert.deepEqual(broken, []);
  });
});
