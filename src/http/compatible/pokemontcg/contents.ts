import type { Catalog } from '../../../catalog/catalog.ts';
import type { Card, CardSet } from '../../../domain/card.ts';
import { numberSortKey } from '../../../domain/collector-number.ts';
import { partsOfPokemonTcgId } from '../../../domain/pokemontcg.ts';
import type { Resources } from '../../v1/endpoint.ts';
import { type BriefView, briefView, cardView, type Share } from './card.ts';
import { compareKeys } from './record.ts';
import { type SetView, setView } from './set.ts';

/** The id space of the Pokémon TCG API, and the source under whose name its facts are stored. */
const SOURCE = 'pokemontcg';

/** The part of a card that is in memory. */
export interface Entry {
  readonly card: Card;
  readonly brief: BriefView;
}

/** The served contents of a publication. */
export interface Contents {
  /** By set, then by number. */
  readonly entries: readonly Entry[];
  /** The sets that have cards, oldest first. */
  readonly sets: readonly SetView[];
}

interface Loaded {
  /** The id of the publication. */
  readonly publication: string;
  readonly contents: Promise<Contents>;
}

const LOADED = new WeakMap<Catalog, Loaded>();

/** Returns the served contents of the current publication. Its first call reads all facts. */
export function contentsOf(resources: Resources): Promise<Contents> {
  const { catalog } = resources;
  const { id: publication } = catalog.publication;
  const known = LOADED.get(catalog);
  if (known?.publication === publication) return known.contents;
  const contents = load(resources);
  LOADED.set(catalog, { publication, contents });
  contents.catch(() => LOADED.delete(catalog));
  return contents;
}

/** Returns the whole card with an id; undefined if there is none. */
export async function findCard(resources: Resources, id: string): Promise<object | undefined> {
  const card = resources.catalog.cardByExternalId({ space: SOURCE, id });
  const [entry] = card ? await describe(resources, [card], await sharedParts(resources)) : [];
  if (entry?.brief.id !== id) return undefined;
  const [whole] = await readWhole(resources, [entry]);
  return whole;
}

/** Returns the whole cards of entries. */
export async function readWhole(
  { catalog, sourceFacts }: Resources,
  entries: readonly Entry[],
): Promise<object[]> {
  const facts = await sourceFacts.ofCards(
    SOURCE,
    entries.map(({ card }) => card.rowId),
  );
  return entries.map(({ card, brief }) => {
    const described = { card, set: brief.set, named: brief, facts: facts.get(card.rowId) ?? {} };
    return cardView(described, catalog.externalIds(card));
  });
}

/** Cards read in one tick of the event loop. */
const AT_ONCE = 500;

async function load(resources: Resources): Promise<Contents> {
  const { catalog } = resources;
  const cards = catalog.cardsWithIdIn(SOURCE);
  const shared = await sharedParts(resources);
  const entries: Entry[] = [];
  for (let from = 0; from < cards.length; from += AT_ONCE) {
    entries.push(...(await describe(resources, cards.slice(from, from + AT_ONCE), shared)));
  }
  const sets = [...new Set(entries.map(({ brief }) => brief.set))].sort(compareSets);
  const bySet = Map.groupBy(entries, ({ brief }) => brief.set);
  return { entries: sets.flatMap((set) => byNumber(bySet.get(set) ?? [])), sets };
}

/** Describes the cards for which the source has facts. */
async function describe(
  { sourceFacts }: Resources,
  cards: readonly Card[],
  { setOf, share }: Shared,
): Promise<Entry[]> {
  const facts = await sourceFacts.ofCards(
    SOURCE,
    cards.map(({ rowId }) => rowId),
  );
  return cards.flatMap((card) => {
    const { named, ...own } = facts.get(card.rowId) ?? {};
    if (!named) return [];
    const set = setOf(partsOfPokemonTcgId(named.id)[0], card.set);
    return [{ card, brief: briefView({ card, named, facts: own, set }, share) }];
  });
}

/** The parts that the views of many cards share, each in memory once. */
interface Shared {
  /** Returns the view of a set by its id; `set` is the card's set in the catalogue. */
  setOf(id: string, set: CardSet): SetView;
  readonly share: Share;
}

async function sharedParts({ sourceFacts }: Resources): Promise<Shared> {
  const facts = await sourceFacts.ofSets(SOURCE);
  const sets = new Map<string, SetView>();
  const parts = new Map<string, unknown>();
  return {
    setOf(id, set) {
      const view = sets.get(id) ?? setView(id, facts.get(id), set);
      sets.set(id, view);
      return view;
    },
    share<Part>(part: Part) {
      const text = JSON.stringify(part) ?? '';
      const known = parts.get(text) ?? part;
      parts.set(text, known);
      return known as Part;
    },
  };
}

function compareSets(a: SetView, b: SetView): number {
  return compareKeys(a.releaseDate, b.releaseDate, 1) || compareKeys(a.id, b.id, 1);
}

function byNumber(entries: readonly Entry[]): Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: numberSortKey(entry.brief.number) }));
  return keyed.sort((a, b) => compareKeys(a.key, b.key, 1)).map(({ entry }) => entry);
}
