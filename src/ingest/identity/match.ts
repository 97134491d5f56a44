import type { GameSlug } from '../../domain/games.ts';
import type { CardReference, IdSpace } from '../../sources/contract/feed.ts';
import type { Store } from '../../store/connect.ts';
import { type Identities, type KnownCard, readIdentities } from '../../store/identities.ts';
import { compareWithClaim, differsInVariant, missesIssue } from './claims.ts';
import { type Description, findDescribed } from './describe.ts';
import { readName } from './reading.ts';
import { rulesOf } from './rules.ts';
import { BookSet, type MeantSets, NO_SETS, SetNames } from './sets.ts';

/** Which of our cards a source means: found here, for all sources. */

export interface FoundCard {
  /** Its row id. */
  readonly card: number;
  readonly name: string;
  readonly number: string | null;
  /** By what it was found. */
  readonly by: 'key' | IdSpace | 'name and number' | 'name';
}

export type UnmatchedReason =
  /** We have no set of this name or code. */
  | 'unknown set'
  /** The set is ours, but no such card of it. */
  | 'unknown card'
  /** The card is ours, but not in this variant: another art, a stamped or oversized one. */
  | 'unknown variant'
  /** Several of our cards may be meant. */
  | 'ambiguous'
  /** Its ids are those of cards that are clearly others, or of more than one. */
  | 'contradictory';

export interface Unmatched {
  readonly reason: UnmatchedReason;
  /** The public ids of a few cards that come close, in alphabetical order. */
  readonly candidates: readonly string[];
}

/** Whose keys an id is, in what we remember of sources. */
export const OWNER_OF: Readonly<Record<IdSpace, string>> = {
  tcgplayer: 'tcgcsv',
  scryfall: 'scryfall',
  cardmarket: 'cardmarket',
};

const MOST_CANDIDATES = 5;

/** A card that a reference claims to be by a key or an id. */
interface Claim {
  readonly by: FoundCard['by'];
  readonly card: KnownCard;
}

/** The cards of some games, by all that sources tell them by. It is as of when it was opened. */
export class CardBook {
  readonly #source: string;
  readonly #sets = new Map<number, BookSet>();
  readonly #names = new Map<GameSlug, SetNames>();
  /** Cards by key, by whose key it is. */
  readonly #keys = new Map<string, Map<string, KnownCard>>();

  /** `source` is the one whose references are looked up. */
  constructor({ sets, cards, externalIds }: Identities, source: string) {
    this.#source = source;
    for (const row of sets) this.#sets.set(row.id, new BookSet(row, rulesOf(row.game)));
    const byId = new Map<number, KnownCard>();
    for (const card of cards) {
      byId.set(card.id, card);
      this.#sets.get(card.set_id)?.cards.push(card);
    }
    for (const [keeper, rows] of externalIds) {
      const known = new Map<string, KnownCard>();
      for (const { external_id, card_id } of rows) {
        const card = byId.get(card_id);
        if (card) known.set(external_id, card);
      }
      this.#keys.set(keeper, known);
    }
    for (const [game, some] of Map.groupBy(this.#sets.values(), ({ row }) => row.game)) {
      this.#names.set(game, new SetNames(rulesOf(game), some));
    }
  }

  /** Reads the cards of `games`, with what `source` has called them before. */
  static async open(store: Store, games: readonly GameSlug[], source: string): Promise<CardBook> {
    const keepers = [source, ...Object.values(OWNER_OF)];
    return new CardBook(await readIdentities(store.db, games, keepers), source);
  }

  /**
   * The card that a reference means: by the source's own key if it is known, by an id that is
   * shared, or else by its set, number and name. Whatever leaves a doubt is unmatched.
   */
  find(reference: CardReference): FoundCard | Unmatched {
    const claims = this.#claims(reference);
    if (claims.length === 0) return this.#answer(this.#describe(reference));
    const agreeing = claims.filter(({ card }) => this.#compare(reference, card) === 'agrees');
    const only = onlyOne(agreeing);
    if (only && !this.#isDoubtful(reference, only.card)) return found(only);
    return this.#weigh(reference, claims, agreeing);
  }

  /** The row id of the card of ours that has a shared id, if there is one. */
  owner(kind: IdSpace, id: string): number | undefined {
    return this.#keys.get(OWNER_OF[kind])?.get(id)?.id;
  }

  #claims({ game, externalId, externalIds }: CardReference): Claim[] {
    const claims: Claim[] = [];
    const claim = (by: Claim['by'], keeper: string, id: string) => {
      const card = this.#keys.get(keeper)?.get(id);
      if (card && this.#sets.get(card.set_id)?.row.game === game) claims.push({ by, card });
    };
    claim('key', this.#source, externalId);
    for (const by of Object.keys(OWNER_OF) as IdSpace[]) {
      const id = externalIds[by];
      if (id !== undefined) claim(by, OWNER_OF[by], id);
    }
    return claims;
  }

  /** Decides between what the ids of a reference say and what it says itself. */
  #weigh(
    reference: CardReference,
    claims: readonly Claim[],
    agreeing: readonly Claim[],
  ): FoundCard | Unmatched {
    const described = this.#describe(reference);
    const cards = claims.map(({ card }) => card);
    if (described.kind === 'found') {
      const same = agreeing.find(({ card }) => card === described.card);
      if (same) return found(same);
      const isOther = (claim: Claim) => this.#compare(reference, claim.card) === 'other name';
      if (claims.every(isOther)) return found(described);
      return unmatched('contradictory', [described.card, ...cards]);
    }
    const only = onlyOne(agreeing);
    if (!only || this.#missesIssue(reference, only.card)) return unmatched('contradictory', cards);
    return found(only);
  }

  #compare(reference: CardReference, card: KnownCard) {
    return compareWithClaim(rulesOf(reference.game), reference, card);
  }

  /** Whether a card has the name and number of a reference, but something speaks against it. */
  #isDoubtful(reference: CardReference, card: KnownCard): boolean {
    const { sets } = this.#setsOf(reference);
    if (sets.length > 0 && !sets.some(({ row }) => row.id === card.set_id)) return true;
    return differsInVariant(rulesOf(reference.game), reference, card);
  }

  #missesIssue(reference: CardReference, card: KnownCard): boolean {
    const set = this.#sets.get(card.set_id)?.row.name ?? '';
    return missesIssue(rulesOf(reference.game), reference, card, set);
  }

  #setsOf(reference: CardReference): MeantSets {
    return this.#names.get(reference.game)?.find(reference) ?? NO_SETS;
  }

  #describe(reference: CardReference): Description {
    const { sets, told } = this.#setsOf(reference);
    const rules = rulesOf(reference.game);
    const name = readName(rules, reference.name, reference.variant);
    const variants = name.variants.filter((phrase) => !told?.test(phrase));
    return findDescribed({ reference, name: { ...name, variants }, rules }, sets);
  }

  #answer(described: Description): FoundCard | Unmatched {
    return described.kind === 'found'
      ? found(described)
      : unmatched(described.kind, described.near);
  }
}

/** The first of these if all are of one card. */
function onlyOne(claims: readonly Claim[]): Claim | undefined {
  const [first] = claims;
  return claims.every(({ card }) => card === first?.card) ? first : undefined;
}

function found({ card, by }: Claim): FoundCard {
  return { card: card.id, name: card.name, number: card.number, by };
}

function unmatched(reason: UnmatchedReason, near: readonly KnownCard[]): Unmatched {
  const candidates = [...new Set(near.map(({ public_id }) => public_id))].sort();
  return { reason, candidates: candidates.slice(0, MOST_CANDIDATES) };
}
