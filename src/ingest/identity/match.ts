import { isOversized, nameInSet } from '../../domain/card-name.ts';
import { compareNumbers } from '../../domain/collector-number.ts';
import { type GameSlug, rulesOf } from '../../domain/games.ts';
import {
  areIncomparable,
  compareNames,
  isSpecialIssue,
  readName,
  shareWord,
  withoutArts,
  withoutPrintings,
} from '../../domain/naming/comparable-name.ts';
import type { GameRules } from '../../domain/naming/game-rules.ts';
import { foldWords } from '../../domain/text.ts';
import type { CardReference, IdSpace } from '../../sources/contract/feed.ts';
import {
  type Identities,
  type KnownCard,
  readIdentities,
} from '../../store/catalogue/identities.ts';
import type { Store } from '../../store/connect.ts';
import { type CandidateSets, IndexedSet, NO_SETS, SetFinder } from './candidate-sets.ts';
import { type DescriptionMatch, findByDescription } from './choose-card.ts';
import { ID_SPACE_OWNERS, ID_SPACES } from './external-ids.ts';

/** The card of ours that a reference means (docs/glossary.md#reference). */
export interface FoundCard {
  /** Its row id. */
  readonly card: number;
  /** The row id of its set. */
  readonly set: number;
  readonly name: string;
  readonly number: string | null;
  /** How it was found; `own id` is the source's own external id. */
  readonly by: 'own id' | IdSpace | 'name and number' | 'name';
}

export type UnmatchedReason =
  /** No set has this name or code. */
  | 'unknown set'
  /** The set exists, but not the card. */
  | 'unknown card'
  /** The card exists, but not this variant: another art, or a stamped or oversized card. */
  | 'unknown variant'
  /** Several cards may be meant. */
  | 'ambiguous'
  /** Its ids point to cards that are clearly different, or to more than one. */
  | 'contradictory';

export interface Unmatched {
  readonly reason: UnmatchedReason;
  /** The public ids of a few cards that come close, in alphabetical order. */
  readonly candidates: readonly string[];
}

/** The most near matches to name. */
const MOST_CANDIDATES = 5;

/** A card that one of a reference's ids points to. */
interface Candidate {
  readonly by: FoundCard['by'];
  readonly card: KnownCard;
}

/** Finds the cards that a source's references mean, among our cards at the time of opening. */
export class CardMatcher {
  readonly #source: string;
  /** By row id. */
  readonly #sets = new Map<number, IndexedSet>();
  readonly #setFinders = new Map<GameSlug, SetFinder>();
  /** Cards by external id, by the source that owns the id. */
  readonly #byExternalId = new Map<string, Map<string, KnownCard>>();

  /** `source` is the source of the references. */
  constructor({ sets, cards, externalIds }: Identities, source: string) {
    this.#source = source;
    for (const set of sets) this.#sets.set(set.rowId, new IndexedSet(set, rulesOf(set.game)));
    const byRowId = new Map<number, KnownCard>();
    for (const stored of cards) {
      const set = this.#sets.get(stored.setRowId);
      const card = set ? named(stored, set) : stored;
      byRowId.set(card.rowId, card);
      // Products are found only by ids.
      if (!card.isProduct) set?.cards.push(card);
    }
    for (const [owner, ids] of externalIds) {
      const known = new Map<string, KnownCard>();
      for (const { externalId, cardRowId } of ids) {
        const card = byRowId.get(cardRowId);
        if (card) known.set(externalId, card);
      }
      this.#byExternalId.set(owner, known);
    }
    for (const [game, some] of Map.groupBy(this.#sets.values(), ({ row }) => row.game)) {
      this.#setFinders.set(game, new SetFinder(rulesOf(game), some));
    }
  }

  /** Reads the cards of `games`, with the external ids that `source` has for them. */
  static async open(
    store: Store,
    games: readonly GameSlug[],
    source: string,
  ): Promise<CardMatcher> {
    const owners = [source, ...Object.values(ID_SPACE_OWNERS)];
    return new CardMatcher(await readIdentities(store.db, games, owners), source);
  }

  /**
   * Finds the card that a reference means: by the source's own id if it is known, by an id that
   * sources share, or by its set, number and name. Doubtful references stay unmatched.
   */
  find(given: CardReference): FoundCard | Unmatched {
    const reference = withSize(given);
    const candidates = this.#candidatesById(reference);
    if (candidates.length === 0) return resultOf(this.#findByDescription(reference));
    const agreeing = candidates.filter(({ card }) => this.#compare(reference, card) === 'agrees');
    const only = onlyOne(agreeing);
    if (only && !this.#isDoubtful(reference, only.card)) return found(only);
    return this.#decide(reference, candidates, agreeing);
  }

  /** Returns the row id of the card with one of the source's own ids, or undefined. */
  own(externalId: string): number | undefined {
    return this.#byExternalId.get(this.#source)?.get(externalId)?.rowId;
  }

  /** Returns the row id of the card with an id that sources share, or undefined. */
  owner(idSpace: IdSpace, externalId: string): number | undefined {
    return this.#byExternalId.get(ID_SPACE_OWNERS[idSpace])?.get(externalId)?.rowId;
  }

  /** Returns the cards of the reference's game that its ids point to. */
  #candidatesById({ game, externalId, externalIds }: CardReference): Candidate[] {
    const candidates: Candidate[] = [];
    const add = (by: Candidate['by'], owner: string, id: string) => {
      const card = this.#byExternalId.get(owner)?.get(id);
      if (card && this.#sets.get(card.setRowId)?.row.game === game) candidates.push({ by, card });
    };
    add('own id', this.#source, externalId);
    for (const idSpace of ID_SPACES) {
      const id = externalIds[idSpace];
      if (id !== undefined) add(idSpace, ID_SPACE_OWNERS[idSpace], id);
    }
    return candidates;
  }

  /** Decides between the cards that a reference's ids point to and the card it describes. */
  #decide(
    reference: CardReference,
    candidates: readonly Candidate[],
    agreeing: readonly Candidate[],
  ): FoundCard | Unmatched {
    const described = this.#findByDescription(reference);
    const cards = candidates.map(({ card }) => card);
    if (described.kind === 'found') {
      const same = agreeing.find(({ card }) => card === described.card);
      if (same) return found(same);
      const isOther = ({ card }: Candidate) => this.#compare(reference, card) === 'other name';
      if (candidates.every(isOther)) return found(described);
      return unmatched('contradictory', [described.card, ...cards]);
    }
    const only = onlyOne(agreeing);
    if (!only || this.#isOtherIssue(reference, only.card)) {
      return unmatched('contradictory', cards);
    }
    return found(only);
  }

  #compare(reference: CardReference, card: KnownCard) {
    return compareWithCard(rulesOf(reference.game), reference, card);
  }

  /** Whether a card has the name and number of a reference, but another set or variant. */
  #isDoubtful(reference: CardReference, card: KnownCard): boolean {
    const { sets } = this.#candidateSets(reference);
    if (sets.length > 0 && !sets.some(({ row }) => row.rowId === card.setRowId)) return true;
    return differsInVariant(rulesOf(reference.game), reference, card);
  }

  /** Whether one of the two is a special issue that the other is clearly not. */
  #isOtherIssue(reference: CardReference, card: KnownCard): boolean {
    if (lacksSize(reference, card)) return true;
    const setName = this.#sets.get(card.setRowId)?.row.name ?? '';
    return lacksSpecialIssue(rulesOf(reference.game), reference, card, setName);
  }

  #candidateSets(reference: CardReference): CandidateSets {
    return this.#setFinders.get(reference.game)?.find(reference) ?? NO_SETS;
  }

  #findByDescription(reference: CardReference): DescriptionMatch {
    const { sets, impliedVariants } = this.#candidateSets(reference);
    const rules = rulesOf(reference.game);
    const name = readName(rules, reference.name, reference.variant);
    const variants = name.variants.filter((phrase) => !impliedVariants?.test(phrase));
    return findByDescription({ reference, name: { ...name, variants }, rules }, sets);
  }
}

/** Returns a card with the name that imports give it now. Older imports omitted its size. */
function named(card: KnownCard, { row }: IndexedSet): KnownCard {
  const name = nameInSet(row.name, card.name);
  return name === card.name ? card : { ...card, name };
}

/** Returns the first candidate if all mean one card. */
function onlyOne(candidates: readonly Candidate[]): Candidate | undefined {
  const [first] = candidates;
  return candidates.every(({ card }) => card === first?.card) ? first : undefined;
}

function resultOf(described: DescriptionMatch): FoundCard | Unmatched {
  return described.kind === 'found' ? found(described) : unmatched(described.kind, described.near);
}

function found({ card, by }: Candidate): FoundCard {
  const { rowId, setRowId, name, number } = card;
  return { card: rowId, set: setRowId, name, number, by };
}

function unmatched(reason: UnmatchedReason, near: readonly KnownCard[]): Unmatched {
  const candidates = [...new Set(near.map(({ id }) => id))].sort();
  return { reason, candidates: candidates.slice(0, MOST_CANDIDATES) };
}

/*
 * Finds evidence against a card that an id of a reference points to. Sources misuse ids: several
 * promos share the id of one, or a card has its neighbour's id.
 */

/** Compares the name and number of a reference with the card that its id points to. */
export function compareWithCard(
  rules: GameRules,
  reference: CardReference,
  card: KnownCard,
): 'agrees' | 'other name' | 'other number' {
  const numbers =
    reference.number === card.number ? 'same' : compareNumbers(reference.number, card.number);
  const names = reference.name === card.name ? 'whole' : compareName(rules, reference, card);
  if (names === 'other' && (numbers !== 'same' || !shareWord(reference.name, card.name))) {
    return 'other name';
  }
  return numbers === 'other' ? 'other number' : 'agrees';
}

function compareName(rules: GameRules, { name, variant }: CardReference, card: KnownCard) {
  const [one, other] = [readName(rules, name, variant), readName(rules, card.name, null)];
  return areIncomparable(one, other) ? 'unknown' : compareNames(one, other);
}

/**
 * Whether the two have different variants, or the card is a special issue and the reference is not.
 */
export function differsInVariant(
  rules: GameRules,
  { name, variant }: CardReference,
  card: KnownCard,
): boolean {
  if (variant === null && name === card.name) return false;
  const [own = [], ours = []] = [
    readName(rules, name, variant),
    readName(rules, card.name, null),
  ].map(({ variants }) => withoutArts(rules, withoutPrintings(variants)));
  if (own.some((phrase) => !ours.includes(phrase))) return true;
  return ours.some((phrase) => isSpecialIssue(phrase) && !own.includes(phrase));
}

/** Words of variants that a card of ours or its set always has in its name. */
const ALWAYS_NAMED = new Set(['staff', 'serial', 'serialized', 'jumbo', 'metal', 'sealed']);

/** Whether a reference is a special issue and our card, in the set with this name, is not. */
export function lacksSpecialIssue(
  rules: GameRules,
  { name, variant }: CardReference,
  card: KnownCard,
  setName: string,
): boolean {
  const own = wordsOf(readName(rules, name, variant).variants);
  const ours = wordsOf([...readName(rules, card.name, null).variants, setName]);
  return own.some((word) => ALWAYS_NAMED.has(word) && !ours.includes(word));
}

/** Whether our card is oversized, and the reference does not say so. */
export function lacksSize({ name, variant }: CardReference, card: KnownCard): boolean {
  return name !== '' && isOversized(card.name) && !isOversized(withVariant(name, variant));
}

/** Returns a reference whose card name says that it is oversized if the name of its set does. */
export function withSize(reference: CardReference): CardReference {
  const { name, variant, setName } = reference;
  if (setName === null || name === '' || isOversized(withVariant(name, variant))) return reference;
  const sized = nameInSet(setName, name);
  return sized === name ? reference : { ...reference, name: sized };
}

function withVariant(name: string, variant: string | null): string {
  return variant === null ? name : `${name} (${variant})`;
}

function wordsOf(phrases: readonly string[]): string[] {
  return phrases.flatMap(foldWords);
}
