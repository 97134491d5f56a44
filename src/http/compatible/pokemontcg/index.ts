import { type Static, Type } from 'typebox';
import { ApiError } from '../../../domain/errors.ts';
import { compareText } from '../../../domain/text.ts';
import { valuesAt } from '../../../search/index.ts';
import { defineEndpoint, type Resources } from '../../v1/endpoint.ts';
import { shown } from '../../validation.ts';
import { type CompatibleInterface, UNDOCUMENTED } from '../interface.ts';
import { type Contents, contentsOf, type Entry, findCard, readWhole } from './contents.ts';
import { type Listed, ListQuery, listPage, Page, SelectQuery, selected } from './list.ts';
import type { SetView } from './set.ts';

const ADDRESS = '/compatible/pokemontcg/v2';

const IdPath = Type.Object({ id: Type.String() });
const One = Type.Object({ data: Type.Any() });
const Values = Type.Object({ data: Type.Array(Type.String()) });

const CARD_FIELDS = [
  ...['id', 'name', 'supertype', 'subtypes', 'level', 'hp', 'types', 'evolvesFrom', 'evolvesTo'],
  ...['rules', 'ancientTrait', 'abilities', 'attacks', 'weaknesses', 'resistances', 'retreatCost'],
  ...['convertedRetreatCost', 'set', 'number', 'artist', 'rarity', 'flavorText', 'legalities'],
  ...['nationalPokedexNumbers', 'regulationMark', 'images', 'tcgplayer', 'cardmarket'],
];

const SET_FIELDS = [
  ...['id', 'name', 'series', 'printedTotal', 'total', 'legalities', 'ptcgoCode', 'releaseDate'],
  ...['updatedAt', 'images'],
];

function listedCards(resources: Resources, { entries }: Contents): Listed<Entry> {
  return {
    fields: new Set(CARD_FIELDS),
    keywords: new Set(['id', 'number', 'set.id', 'set.ptcgoCode']),
    wordFields: ['name', 'subtypes', 'types', 'rarity', 'set.name', 'set.series'],
    briefFields: new Set([
      ...['id', 'name', 'supertype', 'subtypes', 'hp', 'types', 'set', 'number', 'rarity'],
      'nationalPokedexNumbers',
    ]),
    entries,
    brief: ({ brief }) => brief,
    read: (some) => readWhole(resources, some),
  };
}

function listedSets({ sets }: Contents): Listed<SetView> {
  const fields = new Set(SET_FIELDS);
  return {
    fields,
    keywords: new Set(['id', 'ptcgoCode']),
    wordFields: ['name', 'series'],
    briefFields: fields,
    entries: sets,
    brief: (set) => set,
    read: async (some) => [...some],
  };
}

/** Answers depend only on their URL and the publication. */
const KEPT = { errors: [], isCacheable: () => true } as const;

const cards = defineEndpoint({
  ...KEPT,
  method: 'GET',
  path: `${ADDRESS}/cards`,
  schema: { ...UNDOCUMENTED, querystring: ListQuery, response: { 200: Page } },
  async answer(resources, { query }) {
    return listPage(listedCards(resources, await contentsOf(resources)), query);
  },
});

const card = defineEndpoint({
  ...KEPT,
  method: 'GET',
  path: `${ADDRESS}/cards/:id`,
  schema: { ...UNDOCUMENTED, params: IdPath, querystring: SelectQuery, response: { 200: One } },
  async answer(resources, { params: { id }, query }) {
    return oneOf(await findCard(resources, id), id, query);
  },
});

const sets = defineEndpoint({
  ...KEPT,
  method: 'GET',
  path: `${ADDRESS}/sets`,
  schema: { ...UNDOCUMENTED, querystring: ListQuery, response: { 200: Page } },
  async answer(resources, { query }) {
    return listPage(listedSets(await contentsOf(resources)), query);
  },
});

const set = defineEndpoint({
  ...KEPT,
  method: 'GET',
  path: `${ADDRESS}/sets/:id`,
  schema: { ...UNDOCUMENTED, params: IdPath, querystring: SelectQuery, response: { 200: One } },
  async answer(resources, { params: { id }, query }) {
    const { sets: all } = await contentsOf(resources);
    return oneOf(
      all.find((one) => one.id === id),
      id,
      query,
    );
  },
});

function oneOf(record: object | undefined, id: string, query: Static<typeof SelectQuery>) {
  if (!record) throw new ApiError('NOT_FOUND', `Nothing has the id ${shown(id)}.`);
  return { data: selected(record, query) };
}

/** An endpoint that lists the distinct values of a field. */
function valuesEndpoint(path: string, field: string) {
  return defineEndpoint({
    ...KEPT,
    method: 'GET',
    path: `${ADDRESS}/${path}`,
    schema: { ...UNDOCUMENTED, response: { 200: Values } },
    async answer(resources) {
      const { entries } = await contentsOf(resources);
      const values = entries.flatMap(({ brief }) => valuesAt(brief, [field]).map(String));
      return { data: [...new Set(values)].sort(compareText) };
    },
  });
}

/**
 * The interface of the Pokémon TCG API (docs/compatibility.md), over the cards that have its ids.
 */
export const pokemonTcg: CompatibleInterface = {
  address: ADDRESS,
  endpoints: [
    ...[cards, card, sets, set],
    // Many programs call the lists in this form.
    ...[cards, sets].map((list) => ({ ...list, path: `${list.path}/` })),
    valuesEndpoint('types', 'types'),
    valuesEndpoint('subtypes', 'subtypes'),
    valuesEndpoint('supertypes', 'supertype'),
    valuesEndpoint('rarities', 'rarity'),
  ],
  errorForm: ({ message, status: code }) => ({ error: { message, code } }),
};
