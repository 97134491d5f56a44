/** Matches real files with all real cards. The files are not part of the repository. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { isOversized, withoutBrackets, withSizeInBrackets } from '../../src/domain/card-name.ts';
import { GAME_SLUGS, rulesOf } from '../../src/domain/games.ts';
import { IndexedSet, SetFinder } from '../../src/ingest/identity/candidate-sets.ts';
import { CardMatcher, type FoundCard, type Unmatched } from '../../src/ingest/identity/match.ts';
import type { CardReference, OpenFeed } from '../../src/sources/contract/feed.ts';
import { openFabCube } from '../../src/sources/fab-cube/read.ts';
import { EMPTY_REFERENCE } from '../../src/sources/kit/observations.ts';
import { openPokemonTcg } from '../../src/sources/pokemontcg.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { openSwuDb } from '../../src/sources/swu-db.ts';
import { parseGroups } from '../../src/sources/tcgcsv/adapt.ts';
import { findCsvFiles, openTcgcsvCsv } from '../../src/sources/tcgcsv-csv/read.ts';
import { openYgoprodeck } from '../../src/sources/ygoprodeck.ts';
import {
  type Identities,
  type KnownCard,
  readIdentities,
} from '../../src/store/catalogue/identities.ts';
import type { StoredSet } from '../../src/store/catalogue/records.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { readFeed } from '../support/feeds.ts';
import { importTree } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const CHECKED = new URL('pricecharting-checked.tsv', import.meta.url).pathname;
const BULK = 'scryfall/default-cards-2026-01-28.json.gz';

type Answer = FoundCard | Unmatched;

let database: TestDatabase;
let store: Store;
let identities: Identities;
let sets: ReadonlyMap<number, StoredSet>;
let matcher: CardMatcher;

before(async () => {
  database = await createDatabase('SQLite');
  store = await openStore(database.location);
  await importTree(store, join(DATA, 'tcgcsv'));
  identities = await readIdentities(store.db, GAME_SLUGS, ['tcgcsv']);
  sets = new Map(identities.sets.map((set) => [set.rowId, set]));
  matcher = await CardMatcher.open(store, GAME_SLUGS, 'a source that is new');
});

after(async () => {
  await store.close();
  await database.remove();
});

async function referencesOf(
  open: OpenFeed,
  file: string,
  files: Readonly<Record<string, string>> = {},
): Promise<CardReference[]> {
  const { items } = await readFeed(open, join(DATA, file), { files });
  assert.ok(items.length > 0);
  return items.map(({ card }) => card);
}

/** Matches all references, and reports how many were found by what. */
function findAll(context: TestContext, references: readonly CardReference[]): Answer[] {
  const answers = references.map((reference) => matcher.find(reference));
  const kinds = Map.groupBy(answers, (one) => ('reason' in one ? one.reason : `by ${one.by}`));
  const counts = [...kinds].map(([kind, some]) => `${some.length} ${kind}`);
  context.diagnostic(`${references.length} references: ${counts.join(', ')}`);
  return answers;
}

function isFound(answer: Answer): answer is FoundCard {
  return 'card' in answer;
}

function shareFound(answers: readonly Answer[]): number {
  return answers.filter(isFound).length / answers.length;
}

function withoutIds(reference: CardReference): CardReference {
  return { ...reference, externalIds: {} };
}

describe('PriceCharting', () => {
  test('at least 97 cards in 100 are found, and the others are ambiguous', async (context) => {
    const references = await referencesOf(openPriceCharting, 'pricecharting/pokemon-cards.csv');
    const answers = findAll(context, references);
    assert.ok(shareFound(answers) >= 0.97, `${shareFound(answers)}`);
    const cards = answers.filter(isFound).map(({ card }) => card);
    assert.equal(new Set(cards).size, cards.length, 'two references are matched with one card');
    // It prices these as Master Ball foils, and calls them what the plain cards are called.
    const missed = references.filter((_, at) => !isFound(answers[at] ?? assert.fail()));
    assert.deepEqual([...new Set(missed.map(({ setName }) => setName))], ['Prismatic Evolutions']);
    assert.ok(answers.every((answer) => isFound(answer) || answer.reason === 'ambiguous'));
  });

  test('the 200 pairs that were checked by hand are the same', async () => {
    const references = await referencesOf(openPriceCharting, 'pricecharting/pokemon-cards.csv');
    const found = new Map(
      references.map((reference) => {
        const { setName, name, number } = reference;
        return [[setName, name, number].join('\t'), matcher.find(reference)];
      }),
    );
    const ids = new Map(identities.cards.map((card) => [card.rowId, card.id]));
    const checked = readFileSync(CHECKED, 'utf8').trim().split('\n');
    assert.equal(checked.length, 200);
    const pairs = checked.map((line) => {
      const described = line.split('\t').slice(0, 3).join('\t');
      const answer = found.get(described);
      return `${described}\t${answer && 'card' in answer ? ids.get(answer.card) : answer?.reason}`;
    });
    assert.deepEqual(pairs, checked);
  });
});

describe('Scryfall', () => {
  test('every card that is printed on paper is found', async (context) => {
    assert.equal(shareFound(findAll(context, await referencesOf(openScryfall, BULK))), 1);
  });

  test('nearly every card is found without ids, and it is the same one', async (context) => {
    await agreeWithIds(context, await referencesOf(openScryfall, BULK), 0.998);
  });
});

describe('the-fab-cube', () => {
  const files = {
    cards: join(DATA, 'fab-cube/card.csv'),
    sets: join(DATA, 'fab-cube/set.csv'),
    'set-printings': join(DATA, 'fab-cube/set-printing.csv'),
  };

  test('set, number and name find the same cards as the ids', async (context) => {
    const references = await referencesOf(openFabCube, 'fab-cube/card-printing.csv', files);
    assert.ok(shareFound(findAll(context, references)) > 0.9);
    // Arts have the name and number of the card, and our list does not name them.
    await agreeWithIds(context, references, 0.75);
  });
});

/** Asserts that references without ids are matched with the same cards as with them. */
async function agreeWithIds(
  context: TestContext,
  references: readonly CardReference[],
  share: number,
): Promise<void> {
  const byId = references.map((reference) => matcher.find(reference));
  const described = findAll(context, references.map(withoutIds));
  assert.ok(shareFound(described) >= share, `${shareFound(described)}`);
  const wrong = references.filter((_, at) => {
    const [one, other] = [byId[at], described[at]];
    return one && other && isFound(one) && isFound(other) && one.card !== other.card;
  });
  assert.deepEqual(wrong, []);
}

test('every card of SWU-DB is found', async (context) => {
  const references = await referencesOf(openSwuDb, 'swu-db');
  assert.equal(shareFound(findAll(context, references)), 1);
});

test('at least 95 in 100 printings of YGOPRODeck are found', async (context) => {
  const references = await referencesOf(openYgoprodeck, 'ygoprodeck/cardinfo.json.gz');
  const answers = findAll(context, references);
  assert.ok(shareFound(answers) >= 0.95, `${shareFound(answers)}`);
  assert.ok(answers.every((answer) => isFound(answer) || answer.reason === 'ambiguous'));
});

test('every card of pokemon-tcg-data is found that is not ambiguous', async (context) => {
  const files = { sets: join(DATA, 'pokemontcg-data/sets.en.json') };
  const sets = ['base1', 'swsh12', 'sv1', 'sv3pt5'].map((id) => `cards.en.${id}.json`);
  const references = await Promise.all(
    sets.map((set) => referencesOf(openPokemonTcg, `pokemontcg-data/${set}`, files)),
  );
  const all = references.flat();
  const answers = findAll(context, all);
  const missed = all.filter((_, at) => !isFound(answers[at] ?? assert.fail()));
  // TCGplayer's list lacks the Machamp that came with starter decks, and has a second Ditto.
  assert.deepEqual(missed.map(({ name }) => name).sort(), ['Ditto', 'Machamp']);
});

test('the sets of pokemon-tcg-data are matched with sets of the same time', () => {
  const rules = rulesOf('pokemon');
  const ours = identities.sets.filter(({ game }) => game === 'pokemon');
  const finder = new SetFinder(
    rules,
    ours.map((row) => new IndexedSet(row, rules)),
  );
  const missed: string[] = [];
  for (const { name, ptcgoCode, releaseDate } of readSets()) {
    const given = { game: 'pokemon', externalId: '', name: '', setName: name } as const;
    const [meant] = finder.find({ ...EMPTY_REFERENCE, ...given, setCode: ptcgoCode ?? null }).sets;
    if (!meant) missed.push(name);
    const released = meant?.row.releaseDate ?? UNDATED;
    const days = Math.abs(Date.parse(releaseDate) - Date.parse(released)) / 86_400_000;
    assert.ok(released === UNDATED || days < 100, `${name} is not ${meant?.row.name}`);
  }
  assert.deepEqual(missed, ['Pokémon Futsal Collection', 'Scarlet & Violet Energies']);
});

/** The list has its own date for sets without one. */
const UNDATED = '2025-06-25';

interface RawSet {
  readonly name: string;
  readonly ptcgoCode?: string;
  readonly releaseDate: string;
}

function readSets(): RawSet[] {
  const text = readFileSync(join(DATA, 'pokemontcg-data/sets.en.json'), 'utf8');
  return JSON.parse(text) as RawSet[];
}

describe('the cards of the catalogue', () => {
  const cardsKnown = () => identities.cards.filter(({ isProduct }) => !isProduct);
  const described = (card: KnownCard): CardReference => {
    const set = sets.get(card.setRowId) ?? assert.fail();
    const { name, number, rarity, rowId } = card;
    const given = { game: set.game, name, number, rarity, setName: set.name, setCode: set.code };
    return { ...EMPTY_REFERENCE, ...given, externalId: String(rowId) };
  };

  test('are found by their own description', (context) => {
    let ambiguous = 0;
    const cards = cardsKnown();
    for (const card of cards) {
      const answer = matcher.find(described(card));
      if ('card' in answer) assert.equal(answer.card, card.rowId, card.id);
      else assert.equal(answer.reason, 'ambiguous', card.id);
      ambiguous += 'card' in answer ? 0 : 1;
    }
    // Cards of one name, number and rarity, which differ in their ids alone, or in their foils.
    context.diagnostic(`${ambiguous} of ${cards.length} are ambiguous`);
    assert.ok(ambiguous < 0.01 * cards.length, `${ambiguous}`);
  });

  test('that are oversized are found only where they are meant', () => {
    const products = new Map(
      identities.externalIds.get('tcgcsv')?.map((row) => [row.cardRowId, row.externalId]),
    );
    const jumbos = cardsKnown().filter(({ name }) => isOversized(name));
    assert.equal(jumbos.length, 301);
    for (const card of jumbos) {
      const tcgplayer = products.get(card.rowId) ?? assert.fail();
      const name = withoutBrackets(withSizeInBrackets(card.name));
      const plain = { ...described(card), name, setCode: null, setName: null };
      for (const setName of [null, 'XY Promos', 'Base Set', 'A set that we do not have']) {
        const meant = matcher.find({ ...plain, setName, externalIds: { tcgplayer } });
        assert.ok(!('card' in meant) || meant.card !== card.rowId, `${card.id} ${setName}`);
      }
      const jumbo = matcher.find({ ...plain, variant: 'Jumbo', externalIds: { tcgplayer } });
      assert.ok('card' in jumbo && jumbo.card === card.rowId, card.id);
    }
  });

  /** Returns what distinguishes a card; sources differ in the rarities of Pokémon. */
  const essence = ({ setRowId, name, number, rarity }: KnownCard) => {
    const isComparable = sets.get(setRowId)?.game !== 'pokemon';
    return { setRowId, name, number, rarity: isComparable ? rarity : null };
  };

  test('are not found in place of missing ones, except for those that are alike', (context) => {
    const known = cardsKnown();
    const missing = new Set(known.filter((_, at) => at % 7 === 0));
    const cards = known.filter((card) => !missing.has(card));
    const rest = new CardMatcher({ ...identities, cards }, 'a source that is new');
    const byId = new Map(cards.map((card) => [card.rowId, card]));
    let alike = 0;
    for (const card of missing) {
      const answer = rest.find(described(card));
      if (!('card' in answer)) continue;
      const like = byId.get(answer.card) ?? assert.fail();
      assert.deepEqual(essence(like), essence(card));
      alike += 1;
    }
    context.diagnostic(`${missing.size} missing, and one that is alike was found for ${alike}`);
  });
});

test('the descriptions of a later list find the cards of its ids', async (context) => {
  const { files } = await findCsvFiles(join(DATA, 'tcgcsv-csv/3'));
  const raw = parseGroups(readFileSync(join(DATA, 'tcgcsv/tcgplayer/3/groups')));
  const groups = new Map(raw.rows.map((group) => [group.groupId, group]));
  const later = openTcgcsvCsv({ files, groups }, { sets: new Map(), now: Date.now() });
  const references: CardReference[] = [];
  for await (const outcome of later.groups(() => undefined)) {
    assert.ok(outcome.kind === 'read' && outcome.group.cards !== 'unchanged');
    const { game, name: setName, code: setCode } = outcome.group.set;
    for (const { image, product, ...card } of outcome.group.cards) {
      if (product !== undefined) continue;
      references.push({
        ...EMPTY_REFERENCE,
        ...card,
        game,
        setName,
        setCode,
        externalIds: { tcgplayer: card.externalId },
      });
    }
  }
  await agreeWithIds(context, references, 1);
});
