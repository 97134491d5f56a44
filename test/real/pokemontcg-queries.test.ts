/**
 * Judges queries of the Pokémon TCG API by its data files, which are not part of the repository.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { openPokemonTcg } from '../../src/sources/pokemontcg.ts';
import { openStore } from '../../src/store/connect.ts';
import { type Caller, Service } from '../support/app.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { feedOptions } from '../support/feeds.ts';
import { importTree } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const FOLDER = join(DATA, 'pokemontcg-data');
const FILES = ['base1', 'swsh12', 'sv1', 'sv3pt5'];
const NOW = Date.UTC(2026, 0, 29, 12);

/** Cards of the files that the catalogue does not have, or has twice. */
const UNMATCHED = ['base1-8', 'sv3pt5-132'];

type ByFormat = Readonly<Record<string, string | undefined>>;

interface RawSet {
  readonly id: string;
  readonly name: string;
  readonly series: string;
  readonly ptcgoCode?: string;
  readonly releaseDate: string;
  readonly legalities: ByFormat;
}

/** A card of the files, with its set. */
interface Raw {
  readonly id: string;
  readonly name: string;
  readonly supertype: string;
  readonly number: string;
  readonly set: RawSet;
  readonly legalities: ByFormat;
  readonly subtypes?: readonly string[];
  readonly hp?: string;
  readonly types?: readonly string[];
  readonly level?: string;
  readonly evolvesFrom?: string;
  readonly evolvesTo?: readonly string[];
  readonly rules?: readonly string[];
  readonly rarity?: string;
  readonly artist?: string;
  readonly flavorText?: string;
  readonly regulationMark?: string;
  readonly retreatCost?: readonly string[];
  readonly convertedRetreatCost?: number;
  readonly nationalPokedexNumbers?: readonly number[];
  readonly abilities?: readonly { readonly name: string; readonly type: string; text: string }[];
  readonly weaknesses?: readonly { readonly type: string }[];
  readonly resistances?: readonly { readonly type: string }[];
  readonly attacks?: readonly {
    readonly name: string;
    readonly text: string;
    readonly damage: string;
    readonly cost: readonly string[];
    readonly convertedEnergyCost: number;
  }[];
}

function readJson<Item>(name: string): Item[] {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
}

function readCards(): Raw[] {
  const sets = new Map(readJson<RawSet>('sets.en.json').map((set) => [set.id, set]));
  return FILES.flatMap((id) => {
    const set = sets.get(id) ?? assert.fail(id);
    return readJson<Omit<Raw, 'set'>>(`cards.en.${id}.json`).map((card) => ({ ...card, set }));
  });
}

const CARDS = readCards().filter(({ id }) => !UNMATCHED.includes(id));

/** A query with what it says, in a form that no parser reads. */
interface Query {
  readonly q: string;
  readonly is: (card: Raw) => boolean;
}

type Texts = (card: Raw) => readonly (string | undefined)[];

function wordsOf(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
  return ` ${(plain.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}

function quoted(value: string): string {
  return /^[\w.-]+$/.test(value) ? value : `"${value}"`;
}

/** The field has words next to each other. */
function has(field: string, texts: Texts, value: string): Query {
  const wanted = wordsOf(value);
  return {
    q: `${field}:${quoted(value)}`,
    is: (card) => texts(card).some((text) => text !== undefined && wordsOf(text).includes(wanted)),
  };
}

/** The field is this text. */
function equals(field: string, texts: Texts, value: string): Query {
  const wanted = wordsOf(value);
  return {
    q: `!${field}:${quoted(value)}`,
    is: (card) => texts(card).some((text) => text !== undefined && wordsOf(text) === wanted),
  };
}

function matches(q: string, texts: Texts, pattern: RegExp): Query {
  return {
    q,
    is: (card) => {
      return texts(card).some((text) =>
        wordsOf(text ?? '')
          .split(' ')
          .some((word) => pattern.test(word)),
      );
    },
  };
}

/** The field has a number in a range. */
function between(
  field: string,
  numbers: (card: Raw) => readonly (number | string | undefined)[],
  [open, low, high, close]: readonly [string, number | '*', number | '*', string],
): Query {
  const isIn = (number: number) => {
    const isAbove = low === '*' || number > low || (open === '[' && number === low);
    const isBelow = high === '*' || number < high || (close === ']' && number === high);
    return Number.isFinite(number) && isAbove && isBelow;
  };
  return {
    q: `${field}:${open}${low} TO ${high}${close}`,
    is: (card) => numbers(card).some((number) => number !== undefined && isIn(Number(number))),
  };
}

const any = (...parts: readonly Query[]): Query => ({
  q: `(${parts.map(({ q }) => q).join(' OR ')})`,
  is: (card) => parts.some(({ is }) => is(card)),
});
const all = (...parts: readonly Query[]): Query => ({
  q: parts.map(({ q }) => q).join(' '),
  is: (card) => parts.every(({ is }) => is(card)),
});
const not = ({ q, is }: Query): Query => ({ q: `-${q}`, is: (card) => !is(card) });

const name: Texts = (card) => [card.name];
const subtypes: Texts = (card) => card.subtypes ?? [];
const types: Texts = (card) => card.types ?? [];
const rarity: Texts = (card) => [card.rarity];
const hp = (card: Raw) => [card.hp];
const pokedex = (card: Raw) => card.nationalPokedexNumbers ?? [];
const attackNames: Texts = (card) => (card.attacks ?? []).map((attack) => attack.name);
const attackCosts = (card: Raw) => (card.attacks ?? []).map((one) => one.convertedEnergyCost);

/** The examples of its documentation, and of programs that use it. */
const DOCUMENTED: readonly Query[] = [
  has('name', name, 'charizard'),
  has('name', name, 'venusaur v'),
  all(has('name', name, 'charizard'), has('subtypes', subtypes, 'mega')),
  all(
    has('name', name, 'charizard'),
    any(has('subtypes', subtypes, 'mega'), has('subtypes', subtypes, 'vmax')),
  ),
  all(has('subtypes', subtypes, 'mega'), not(has('types', types, 'water'))),
  matches('name:char*', name, /^char/),
  matches('name:char*der', name, /^char.*der$/),
  matches('name:*chu', name, /chu$/),
  matches('name:"pika*"', name, /^pika/),
  equals('name', name, 'charizard'),
  between('nationalPokedexNumbers', pokedex, ['[', 1, 151, ']']),
  between('hp', hp, ['[', '*', 100, ']']),
  between('hp', hp, ['[', 150, '*', ']']),
  { q: 'set.id:sm1', is: () => false },
  { q: 'set.id:sv1', is: ({ set }) => set.id === 'sv1' },
  has('attacks.name', attackNames, 'Spelunk'),
  has('legalities.standard', (card) => [card.legalities.standard], 'banned'),
  all(
    has('set.name', ({ set }) => [set.name], 'generations'),
    has('subtypes', subtypes, 'mega'),
  ),
  has('set.legalities.standard', ({ set }) => [set.legalities.standard], 'legal'),
  between('attacks.convertedEnergyCost', attackCosts, ['[', 3, 5, ']']),
  has('attacks.cost', (card) => (card.attacks ?? []).flatMap(({ cost }) => cost), 'fire'),
  { q: '-rules:*', is: ({ rules }) => rules === undefined },
  { q: 'abilities:*', is: ({ abilities }) => abilities !== undefined },
  { q: 'abilities.name:*', is: ({ abilities }) => abilities !== undefined },
  { q: 'id:base1-4', is: ({ id }) => id === 'base1-4' },
  { q: '(id:base1-4 OR id:sv1-1)', is: ({ id }) => id === 'base1-4' || id === 'sv1-1' },
  { q: 'number:4', is: ({ number }) => number === '4' },
  { q: 'set.ptcgoCode:SIT', is: ({ set }) => set.ptcgoCode === 'SIT' },
  all(
    has('supertype', (card) => [card.supertype], 'pokemon'),
    not(has('types', types, 'fire')),
  ),
];

function unique(texts: Texts): string[] {
  return [...new Set(CARDS.flatMap(texts).flatMap((text) => text ?? []))].sort();
}

/** Every n-th of the values of a field, so that all parts of the alphabet are among them. */
function some(texts: Texts, count: number): string[] {
  const values = unique(texts);
  const step = Math.max(1, values.length / count);
  return Array.from({ length: Math.min(count, values.length) }, (_, i) => {
    return values[Math.floor(i * step)] ?? '';
  });
}

const each = (field: string, texts: Texts, count: number) => [
  ...some(texts, count).map((value) => has(field, texts, value)),
  ...some(texts, count).map((value) => equals(field, texts, value)),
];

const SIMPLE: readonly Query[] = [
  ...each('name', name, 30),
  ...each('subtypes', subtypes, 20),
  ...each('types', types, 12),
  ...each('rarity', rarity, 20),
  ...each('artist', (card) => [card.artist], 12),
  ...each('set.name', ({ set }) => [set.name], 4),
  ...each('set.series', ({ set }) => [set.series], 4),
  ...each('evolvesFrom', (card) => [card.evolvesFrom], 8),
  ...each('evolvesTo', (card) => card.evolvesTo ?? [], 8),
  ...each('attacks.name', attackNames, 12),
  ...each('weaknesses.type', (card) => (card.weaknesses ?? []).map(({ type }) => type), 6),
  ...each('resistances.type', (card) => (card.resistances ?? []).map(({ type }) => type), 4),
  ...each('abilities.type', (card) => (card.abilities ?? []).map(({ type }) => type), 4),
  ...each('regulationMark', (card) => [card.regulationMark], 4),
  ...each('supertype', (card) => [card.supertype], 3),
  ...each('level', (card) => [card.level], 5),
  ...['sleep', 'flip a coin', 'damage', 'opponent'].map((value) => {
    return has('attacks.text', (card) => (card.attacks ?? []).map(({ text }) => text), value);
  }),
  ...['fire', 'sea', 'it is'].map((value) => has('flavorText', (card) => [card.flavorText], value)),
  ...['supporter', 'v rule'].map((value) => has('rules', (card) => card.rules ?? [], value)),
  ...(
    [
      ['[', 60],
      ['{', 60],
      ['[', 120],
      ['{', 330],
    ] as const
  ).flatMap(([open, low]) => [
    between('hp', hp, [open, low, '*', ']']),
    between('hp', hp, [open, low, 200, open === '[' ? ']' : '}']),
  ]),
  between('nationalPokedexNumbers', pokedex, ['{', 6, 9, '}']),
  between('nationalPokedexNumbers', pokedex, ['[', 9, 6, ']']),
  between('convertedRetreatCost', (card) => [card.convertedRetreatCost], ['[', 3, '*', ']']),
  between('attacks.convertedEnergyCost', attackCosts, ['[', 0, 0, ']']),
  between('attacks.damage', (card) => (card.attacks ?? []).flatMap(({ damage }) => damage || []), [
    ...(['[', 200, '*', ']'] as const),
  ]),
  between('number', (card) => [card.number], ['[', 200, 250, '}']),
  ...['2022/11/11', '2023', '1999-01-09'].map((day): Query => {
    const first = day.replaceAll('-', '/');
    return { q: `set.releaseDate:[${day} TO *]`, is: ({ set }) => set.releaseDate >= first };
  }),
  ...['fire', 'water'].map((type): Query => {
    const cost = has(
      'attacks.cost',
      (card) => (card.attacks ?? []).flatMap((one) => one.cost),
      type,
    );
    return { ...cost, q: `attacks.cost:(${type} OR ${type})` };
  }),
];

/** A sequence of numbers that is the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield Math.floor(state / 2 ** 8);
  }
}

function combined(count: number): Query[] {
  const random = numbers(7);
  const pick = () => {
    const one = SIMPLE[random.next().value % SIMPLE.length] ?? assert.fail();
    return random.next().value % 4 === 0 ? not(one) : one;
  };
  return Array.from({ length: count }, (_, i) => {
    if (i % 3 === 0) return all(pick(), pick());
    if (i % 3 === 1) return all(any(pick(), pick(), pick()), not(any(pick(), pick())));
    return any(all(any(pick(), pick()), pick()), pick());
  });
}

const QUERIES = [...DOCUMENTED, ...SIMPLE, ...combined(150)];

describe('the Pokémon TCG API', () => {
  let database: TestDatabase;
  let service: Service;
  let caller: Caller;

  before(async () => {
    database = await createDatabase('SQLite');
    const store = await openStore(database.location);
    await importTree(store, join(DATA, 'tcgcsv'));
    const feed = await openPokemonTcg(FOLDER, feedOptions({ observedAt: NOW }));
    await importFeed(store, feed, { clock: () => NOW });
    await store.close();
    service = await Service.open(database.location);
    caller = await service.caller();
  });

  after(async () => {
    await service.close();
    await database.remove();
  });

  const idsOf = async (q: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const query = new URLSearchParams({ ...(q && { q }), select: 'id', page: String(page) });
      const answer = await caller.get(`/compatible/pokemontcg/v2/cards?${query}`);
      assert.equal(answer.statusCode, 200, `${q}: ${answer.body}`);
      const { data, totalCount } = answer.json<{ data: { id: string }[]; totalCount: number }>();
      ids.push(...data.map(({ id }) => id));
      if (data.length === 0 || ids.length >= totalCount) return ids.sort();
    }
  };

  test('serves every card of the files that the catalogue has', async () => {
    assert.deepEqual(await idsOf(''), CARDS.map(({ id }) => id).sort());
  });

  test(`finds the same cards as the data files by ${QUERIES.length} queries`, async () => {
    assert.ok(QUERIES.length >= 300, `${QUERIES.length}`);
    assert.ok(new Set(QUERIES.map(({ q }) => q)).size > 0.98 * QUERIES.length);
    let found = 0;
    for (const { q, is } of QUERIES) {
      const expected = CARDS.filter(is).map(({ id }) => id);
      const ids = await idsOf(q);
      assert.deepEqual(ids, expected.sort(), q);
      if (ids.length > 0) found += 1;
    }
    assert.ok(found > 0.8 * QUERIES.length, `only ${found} find anything`);
  });
});
