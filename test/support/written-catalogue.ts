import type { GameSlug } from '../../src/domain/games.ts';
import { CardMatcher, type FoundCard, type Unmatched } from '../../src/ingest/identity/match.ts';
import type { CardReference } from '../../src/sources/contract/feed.ts';
import { EMPTY_REFERENCE } from '../../src/sources/kit/observations.ts';
import type {
  Identities,
  KnownCard,
  KnownExternalId,
} from '../../src/store/catalogue/identities.ts';
import type { StoredSet } from '../../src/store/catalogue/records.ts';

/** A handwritten catalogue, to test which of its cards a reference means. */

/** A set with its cards, one per line: `Charizard | 004/102 | Holo Rare`. */
export interface WrittenSet {
  readonly game: GameSlug;
  readonly code: string;
  readonly name: string;
  readonly cards: readonly string[];
}

/** The fields of a reference from a source. All others are empty. */
export type PartialReference = Partial<Omit<CardReference, 'game'>> & { readonly game?: GameSlug };

export class WrittenCatalogue {
  readonly identities: Identities;
  readonly #game: GameSlug;
  readonly #matcher: CardMatcher;
  readonly #names: ReadonlyMap<number, string>;

  /**
   * @param keys The external ids: for each source, ids mapped to cards in the notation of `find`.
   */
  constructor(
    sets: readonly WrittenSet[],
    keys: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  ) {
    const [first] = sets;
    if (!first) throw new RangeError('a catalogue has a set');
    this.#game = first.game;
    this.identities = { ...contentsOf(sets), externalIds: new Map() };
    this.#names = new Map(this.identities.cards.map((card) => [card.rowId, card.id]));
    const ids = new Map([...this.#names].map(([id, name]) => [name, id]));
    const externalIds = Object.entries(keys).map(([source, some]) => {
      return [source, externalIdsOf(some, ids)] as const;
    });
    this.#matcher = new CardMatcher(
      { ...this.identities, externalIds: new Map(externalIds) },
      'shop',
    );
  }

  answer(given: PartialReference): FoundCard | Unmatched {
    return this.#matcher.find(reference({ game: this.#game, ...given }));
  }

  /** Returns the matching card, such as `BS Charizard 004/102`, or why there is none. */
  find(given: PartialReference): string {
    const answer = this.answer(given);
    return 'reason' in answer ? answer.reason : (this.#names.get(answer.card) ?? 'no card');
  }
}

/** Returns a reference from the source `shop`, which has its own external ids. */
export function reference(given: PartialReference & { readonly game: GameSlug }): CardReference {
  return { ...EMPTY_REFERENCE, externalId: 'not known before', name: '', ...given };
}

function contentsOf(written: readonly WrittenSet[]): Pick<Identities, 'sets' | 'cards'> {
  const sets: StoredSet[] = [];
  const cards: KnownCard[] = [];
  for (const { game, code, name, cards: lines } of written) {
    const setRowId = sets.length + 1;
    const set = { rowId: setRowId, id: name, game, code, name, releaseDate: null, revision: 1 };
    sets.push(set);
    for (const line of lines) {
      const [title = '', number = '', rarity = ''] = line.split('|').map((part) => part.trim());
      const fitting = [code, title, number].filter((part) => part !== '').join(' ');
      const clashes = cards.filter((card) => card.id.startsWith(fitting)).length;
      cards.push({
        rowId: cards.length + 1,
        id: clashes === 0 ? fitting : `${fitting} (${clashes + 1})`,
        setRowId,
        name: title,
        number: number || null,
        rarity: rarity || null,
      });
    }
  }
  return { sets, cards };
}

function externalIdsOf(
  keys: Readonly<Record<string, string>>,
  ids: ReadonlyMap<string, number>,
): KnownExternalId[] {
  return Object.entries(keys).map(([externalId, name]) => {
    const cardRowId = ids.get(name);
    if (cardRowId === undefined) throw new RangeError(`there is no card "${name}"`);
    return { externalId, cardRowId };
  });
}
