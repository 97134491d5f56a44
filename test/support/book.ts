import type { GameSlug } from '../../src/domain/games.ts';
import { CardBook, type FoundCard, type Unmatched } from '../../src/ingest/identity/match.ts';
import type { CardReference } from '../../src/sources/contract/feed.ts';
import { EMPTY_REFERENCE } from '../../src/sources/kit/observations.ts';
import type { Identities, KnownCard, KnownExternalId } from '../../src/store/identities.ts';
import type { SetRow } from '../../src/store/schema.ts';

/** A catalogue written down by hand, and whom sources mean of its cards. */

/** A set with its cards, a line each: `Charizard | 004/102 | Holo Rare`. */
export interface WrittenSet {
  readonly game: GameSlug;
  readonly code: string;
  readonly name: string;
  readonly cards: readonly string[];
}

/** What a source tells; of nothing else it tells anything. */
export type Told = Partial<Omit<CardReference, 'game'>> & { readonly game?: GameSlug };

export class WrittenCatalogue {
  readonly identities: Identities;
  readonly #game: GameSlug;
  readonly #book: CardBook;
  readonly #names: ReadonlyMap<number, string>;

  /** `keys` are what sources call cards: by the source, then by the key, as `ids` calls them. */
  constructor(
    sets: readonly WrittenSet[],
    keys: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  ) {
    const [first] = sets;
    if (!first) throw new RangeError('a catalogue has a set');
    this.#game = first.game;
    this.identities = { ...rowsOf(sets), keys: new Map() };
    this.#names = new Map(this.identities.cards.map((card) => [card.id, card.public_id]));
    const ids = new Map([...this.#names].map(([id, name]) => [name, id]));
    const rows = Object.entries(keys).map(([source, some]) => {
      return [source, keyRows(some, ids)] as const;
    });
    this.#book = new CardBook({ ...this.identities, keys: new Map(rows) }, 'shop');
  }

  answer(told: Told): FoundCard | Unmatched {
    return this.#book.find(reference({ game: this.#game, ...told }));
  }

  /** The card that is meant, such as `BS Charizard 004/102`, or why there is none. */
  find(told: Told): string {
    const answer = this.answer(told);
    return 'reason' in answer ? answer.reason : (this.#names.get(answer.card) ?? 'no card');
  }
}

/** A reference of a source `shop`, whose keys are its own. */
export function reference(told: Told & { readonly game: GameSlug }): CardReference {
  return { ...EMPTY_REFERENCE, externalId: 'not known before', name: '', ...told };
}

function rowsOf(sets: readonly WrittenSet[]): Pick<Identities, 'sets' | 'cards'> {
  const rows: SetRow[] = [];
  const cards: KnownCard[] = [];
  for (const { game, code, name, cards: lines } of sets) {
    const set = { id: rows.length + 1, game, code, name, release_date: null, revision: 1 };
    rows.push(set);
    for (const line of lines) {
      const [title = '', number = '', rarity = ''] = line.split('|').map((part) => part.trim());
      const id = cards.length + 1;
      const wished = [code, title, number].filter((part) => part !== '').join(' ');
      const clashes = cards.filter((card) => card.public_id.startsWith(wished)).length;
      cards.push({
        id,
        public_id: clashes === 0 ? wished : `${wished} (${clashes + 1})`,
        set_id: set.id,
        name: title,
        number: number || null,
        rarity: rarity || null,
      });
    }
  }
  return { sets: rows, cards };
}

function keyRows(
  keys: Readonly<Record<string, string>>,
  ids: ReadonlyMap<string, number>,
): KnownExternalId[] {
  return Object.entries(keys).map(([key, name]) => {
    const card_id = ids.get(name);
    if (card_id === undefined) throw new RangeError(`there is no card "${name}"`);
    return { key, card_id };
  });
}
