import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { contentsOf } from '../../scripts/make-starter.ts';
import { type Day, dayOf } from '../../src/domain/day.ts';
import { GAME_SLUGS, GAMES, type GameSlug } from '../../src/domain/games.ts';
import { hasPrice } from '../../src/domain/price.ts';
import { importSnapshot, type SnapshotSummary } from '../../src/ingest/drivers/snapshot.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { formatSets, openStarter, parseSets } from '../../src/sources/starter.ts';
import { openStore, type Store } from '../../src/store/connect.ts';

const STARTER = new URL('../../data/starter/', import.meta.url);

describe('the starter catalogue', () => {
  let groups: Group[] = [];

  before(async () => {
    groups = await readGroups(STARTER);
  });

  test('has sets of every game and 4,000 cards, in at most 4 MB', async () => {
    for (const { slug } of GAMES) {
      const sets = new Set(groups.filter((g) => g.set.game === slug).map((g) => g.set.externalId));
      assert.ok(sets.size >= 1, `${slug} has ${sets.size} sets`);
    }
    assert.ok(groups.flatMap(cardsOf).length >= 4000);
    assert.ok((await bytesOf(STARTER)) < 4_000_000);
  });

  test('has no price newer than its snapshot', async () => {
    const { observedAt, groupCount, games } = await openStarter(STARTER);
    assert.equal(Math.max(...groups.map((group) => group.observedAt)), observedAt);
    assert.equal(groups.length, groupCount);
    assert.deepEqual(games, GAME_SLUGS);
    const beforeToday = groups.every(({ listings, observedAt: moment }) => {
      return listings.every(({ earlierDays }) =>
        earlierDays?.every(({ day }) => day < dayOf(moment)),
      );
    });
    assert.ok(beforeToday, 'the earlier days of a listing are before its newest');
  });

  test('has daily history of Magic and Lorcana cards', () => {
    const historyDays = (slug: GameSlug) => {
      const listings = groups.filter((g) => g.set.game === slug).flatMap((g) => g.listings);
      return Math.max(...listings.map((listing) => listing.earlierDays?.length ?? 0));
    };
    assert.ok(historyDays('mtg') >= 9);
    assert.ok(historyDays('lorcana') >= 131);
  });

  test('has prices 60 days apart of 500 cards, and of 60 days of 170', () => {
    const daysOf = ({ set, observedAt, listings }: Group) =>
      listings.map(({ externalId, earlierDays = [], prices }) => ({
        card: `${set.externalId} ${externalId}`,
        days: [
          ...earlierDays.filter(hasPrice).map(({ day }) => day),
          ...(hasPrice(prices) ? [dayOf(observedAt)] : []),
        ],
      }));
    const histories = groups.flatMap(daysOf);
    const cardsWith = (isLong: (days: readonly Day[]) => boolean) => {
      return new Set(histories.filter(({ days }) => isLong(days)).map(({ card }) => card)).size;
    };
    const span = (days: readonly Day[]) => Math.max(...days) - Math.min(...days);
    assert.ok(cardsWith((days) => span(days) >= 60) >= 500);
    assert.ok(cardsWith(({ length }) => length >= 60) >= 170);
  });

  test('has facts of most games, without texts', () => {
    const described = groups.flatMap((group) => {
      return cardsOf(group).flatMap(({ facts }) =>
        facts ? [{ game: group.set.game, facts }] : [],
      );
    });
    const counts = Map.groupBy(described, ({ game }) => game)
      .entries()
      .map(([game, { length }]) => `${game} ${length}`);
    const expected = ['pokemon 2982', 'yugioh 140', 'onepiece 442', 'swu 252', 'fab 29'];
    assert.deepEqual([...counts], expected);
    assert.ok(described.every(({ facts }) => !('text' in facts) && !('attacks' in facts)));
  });

  test('has another external id for every card', () => {
    const ids = groups.flatMap((group) =>
      cardsOf(group).map(({ externalId }) => `${group.idSpace} ${externalId}`),
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  for (const game of GAMES) {
    test(`${game.slug}.jsonl is what the script writes, with the counts of the README`, async () => {
      const file = `${game.slug}.jsonl`;
      const text = await readFile(new URL(file, STARTER), 'utf8');
      const made = parseSets(game.slug, file, text);
      assert.equal(formatSets(made), text);
      const { sets, cards, products, ...rest } = contentsOf(game, made, text.length);
      const { printings, prices, history } = rest;
      const counts = [sets, cards, products, printings, prices, history].map((n) => {
        return n.toLocaleString('en');
      });
      const readme = await readFile(new URL('README.md', STARTER), 'utf8');
      const row = `| \`${game.slug}\` | ${counts.join(' | ')} |`;
      assert.ok(readme.includes(row), `the README lacks ${row}`);
    });
  }
});

describe('loading the starter catalogue', () => {
  let folder = '';
  let store: Store;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'starter-test-'));
    store = await openStore(join(folder, 'cards.db'));
  });

  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  test('fills an empty database, and changes nothing the second time', async () => {
    const groups = await readGroups(STARTER);
    const days = groups.flatMap(({ listings }) =>
      listings.map(({ earlierDays }) => earlierDays?.length ?? 0),
    );
    const first = await load(store);
    const listed = groups.flatMap(cardsOf);
    const products = listed.filter(({ product }) => product !== undefined).length;
    assert.deepEqual([first.cardsAdded, first.products], [listed.length - products, products]);
    assert.equal(first.setsAdded, new Set(groups.map(({ set }) => set.externalId)).size);
    assert.equal(first.prices, days.length);
    const jumps = await store.db.selectFrom('quarantine').select('observation').execute();
    const isWhole = (json: string | null) => !('amounts' in JSON.parse(json ?? '{}'));
    const quarantined = jumps.filter(({ observation }) => isWhole(observation)).length;
    assert.ok(quarantined <= 1, `${quarantined} prices of the starter catalogue are quarantined`);
    assert.equal(
      first.historyAdded,
      days.reduce((sum, count) => sum + count + 1, -quarantined),
    );
    const second = await load(store);
    const { setsAdded, cardsAdded, cardsChanged, printingsAdded, pricesChanged } = second;
    assert.deepEqual([setsAdded, cardsAdded, cardsChanged, printingsAdded, pricesChanged], NOTHING);
    assert.deepEqual([second.historyAdded, second.historyCorrected], [0, 0]);
  });

  test('keeps its facts apart from those of other sources, which come first', async () => {
    const rows = await store.db.selectFrom('card_facts').select('facts').execute();
    assert.ok(rows.length > 3800, `${rows.length}`);
    assert.ok(rows.every(({ facts }) => facts.startsWith('{"starter":{')));
  });
});

const NOTHING = [0, 0, 0, 0, 0];

const SET =
  '{"set":"1","ids":"tcgcsv","code":"A","name":"A","releaseDate":null,' +
  '"observedAt":"2026-01-28T20:05:12Z"}';
const card = (prices: string) => {
  return `{"card":"2","name":"B","number":null,"rarity":null,"image":null,"prices":${prices}}`;
};

describe('a starter catalogue that is not of the format', () => {
  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['is cut off', [SET, '{"card":'], /line 2: .*JSON/],
    ['has a card before the first set', [card('{}')], /line 1: a card before the first set/],
    ['has a line of another kind', [SET, '{"name":"B"}'], /line 2: neither a set nor a card/],
    ['has a price of nothing', [SET, card('{"Foil":{"2026-01-28":[0]}}')], /line 2: neither/],
    ['has a printing without a day', [SET, card('{"Foil":{}}')], /line 2: neither/],
    [
      'has a day that there is not',
      [SET, card('{"Foil":{"2026-02-30":[5]}}')],
      /2026-02-30 is not/,
    ],
    ['has a moment that there is not', [SET.replace('01-28T', '13-28T')], /is not a moment/],
  ];

  for (const [what, lines, message] of wrong) {
    test(`${what}: the message names file and line`, async () => {
      await withFiles({ 'pokemon.jsonl': lines.join('\n') }, async (folder) => {
        await assert.rejects(openStarter(folder), (error: Error) => {
          assert.equal(error.name, 'OperatorError');
          assert.match(error.message, /pokemon\.jsonl, line \d/);
          assert.match(error.message, message);
          return true;
        });
      });
    });
  }

  test('is empty', async () => {
    await withFiles({}, async (folder) => {
      await assert.rejects(openStarter(folder), { message: /holds no starter catalogue/ });
    });
  });
});

test('a printing that was last observed without a price has none now, and keeps its history', async () => {
  const lines = [SET, card('{"Foil":{"2026-01-27":[500,null,600],"2026-01-28":[]}}')];
  await withFiles({ 'mtg.jsonl': lines.join('\n') }, async (folder) => {
    const [group] = await readGroups(folder);
    const day = dayOf(Date.parse('2026-01-27'));
    assert.equal(group?.observedAt, Date.parse('2026-01-28T20:05:12Z'));
    assert.deepEqual(group.listings, [
      {
        externalId: '2',
        printing: 'Foil',
        prices: { market: null, low: null, mid: null, high: null },
        earlierDays: [{ day, market: 500, low: null, mid: 600, high: null }],
      },
    ]);
  });
});

function cardsOf(group: Group) {
  return group.cards === 'unchanged' ? [] : group.cards;
}

async function readGroups(folder: URL | string): Promise<Group[]> {
  const groups: Group[] = [];
  for await (const outcome of (await openStarter(folder)).groups(() => undefined)) {
    assert.equal(outcome.kind, 'read');
    if (outcome.kind === 'read') groups.push(outcome.group);
  }
  return groups;
}

async function load(store: Store): Promise<SnapshotSummary> {
  return importSnapshot(store, await openStarter(STARTER), { clock: () => Date.now() });
}

async function bytesOf(folder: URL): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(
    files.map(async (name) => (await stat(new URL(name, folder))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function withFiles(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'starter-test-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
