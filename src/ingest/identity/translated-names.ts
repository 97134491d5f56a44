import type { LanguageCode } from '../../domain/languages.ts';
import { foldText } from '../../domain/text.ts';
import type { Translation } from '../../sources/contract/feed.ts';
import { cardsById, namesOfCards, upsertCardNames } from '../../store/catalogue/catalogue.ts';
import type { StoredName } from '../../store/catalogue/records.ts';
import type { Transaction } from '../../store/connect.ts';
import type { ImportRun } from '../run.ts';
import type { CardMatcher } from './match.ts';

type Names = Map<LanguageCode, string>;

/** Cards written in one transaction. */
const AT_ONCE = 2000;

/**
 * Collects a feed's names of cards in other languages until the whole feed has been read. A card
 * keeps the first name in each language.
 */
export class TranslatedNames {
  readonly #cards: CardMatcher;
  /** By row id of the card. */
  readonly #names = new Map<number, Names>();
  #unknown = 0;

  constructor(cards: CardMatcher) {
    this.#cards = cards;
  }

  /** The number of names that match no card of ours. */
  get unknown(): number {
    return this.#unknown;
  }

  add({ card: described, language, name }: Translation): void {
    const card = this.#find(described);
    if (card === undefined) {
      this.#unknown += 1;
      return;
    }
    const names = this.#names.get(card) ?? new Map();
    if (!names.has(language)) names.set(language, name);
    this.#names.set(card, names);
  }

  #find(described: Translation['card']): number | undefined {
    if (typeof described === 'string') return this.#cards.own(described);
    const found = this.#cards.find(described);
    return 'reason' in found ? undefined : found.card;
  }

  /** Writes the names that are new or have changed. */
  async write(run: ImportRun): Promise<void> {
    const all = [...this.#names];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE);
      await run.store.db.transaction().execute((transaction) => writeNames(run, transaction, some));
    }
  }
}

async function writeNames(
  { store, publication }: ImportRun,
  transaction: Transaction,
  some: readonly (readonly [card: number, names: Names])[],
): Promise<void> {
  const { revision } = publication;
  const rowIds = some.map(([card]) => card);
  const known = new Set((await namesOfCards(transaction, rowIds)).map(keyOf));
  const cards = await cardsById(transaction, rowIds);
  const changed = some.flatMap(([cardRowId, names]) => {
    const own = foldText(cards.get(cardRowId)?.name ?? '');
    const given = [...names].map(([language, name]) => ({ cardRowId, language, name, revision }));
    // Many names are the same in every language: `Pikachu`.
    return given.filter((one) => !known.has(keyOf(one)) && foldText(one.name) !== own);
  });
  if (changed.length === 0) return;
  await publication.begin(transaction);
  await upsertCardNames(store, transaction, changed);
}

function keyOf({ cardRowId, language, name }: Omit<StoredName, 'revision'>): string {
  return `${cardRowId} ${language} ${name}`;
}
