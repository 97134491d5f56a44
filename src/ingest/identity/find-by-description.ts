import { numberForms } from '../../domain/collector-number.ts';
import { compareNames } from '../../domain/naming/comparable-name.ts';
import type { KnownCard } from '../../store/catalogue/identities.ts';
import type { IndexedSet } from './candidate-sets.ts';
import { chooseByName, chooseByNumber, type ParsedReference } from './choose-card.ts';
import type { IndexedCard } from './set-index.ts';

/** What became of finding a card by its description. */
export type DescriptionMatch =
  | { readonly kind: 'found'; readonly card: KnownCard; readonly by: 'name and number' | 'name' }
  | {
      readonly kind: 'unknown set' | 'unknown card' | 'unknown variant' | 'ambiguous';
      /** The cards that come close. */
      readonly near: readonly KnownCard[];
    };

/** Finds a card of these sets by the number, name and variant that a source gives. */
export function findByDescription(
  wanted: ParsedReference,
  sets: readonly IndexedSet[],
): DescriptionMatch {
  if (sets.length === 0) return { kind: 'unknown set', near: [] };
  const { number } = wanted.reference;
  if (number === null || numberForms(number, '').length === 0) return findByName(wanted, sets);
  const candidates = sets.flatMap(({ index }) => index.withNumber(number));
  const chosen = chooseByNumber(wanted, candidates);
  if (chosen.length > 0) return matchOf(chosen, 'name and number');
  if (candidates.some(({ name }) => compareNames(wanted.name, name) !== 'other')) {
    return { kind: 'unknown variant', near: cardsOf(candidates) };
  }
  const byTitle = candidatesByTitle(wanted, sets);
  return (
    findUnnumbered(wanted, number, byTitle) ?? {
      kind: 'unknown card',
      near: cardsOf([...candidates, ...byTitle]),
    }
  );
}

function findByName(wanted: ParsedReference, sets: readonly IndexedSet[]): DescriptionMatch {
  const candidates = candidatesByTitle(wanted, sets);
  const chosen = chooseByName(wanted, candidates);
  if (chosen.length > 0) return matchOf(chosen, 'name');
  const kind = candidates.length === 0 ? 'unknown card' : 'unknown variant';
  return { kind, near: cardsOf(candidates) };
}

/**
 * Finds a card whose number we do not know by its name, if it is the only one of that name in its
 * set. A number such as `38b` shows that there are several.
 */
function findUnnumbered(
  wanted: ParsedReference,
  number: string,
  candidates: readonly IndexedCard[],
): DescriptionMatch | undefined {
  const [only, ...others] = candidates;
  if (!only || others.length > 0 || only.card.number !== null) return undefined;
  if (!/^\W*\d+$/.test(number)) return undefined;
  const chosen = chooseByName(wanted, candidates);
  return chosen.length === 0 ? undefined : matchOf(chosen, 'name');
}

function candidatesByTitle(
  { name }: ParsedReference,
  sets: readonly IndexedSet[],
): readonly IndexedCard[] {
  return sets.flatMap(({ index }) => index.withTitle(name.title));
}

function matchOf(chosen: readonly IndexedCard[], by: 'name and number' | 'name'): DescriptionMatch {
  const [one, ...others] = chosen;
  return one && others.length === 0
    ? { kind: 'found', card: one.card, by }
    : { kind: 'ambiguous', near: cardsOf(chosen) };
}

function cardsOf(indexed: readonly IndexedCard[]): KnownCard[] {
  return indexed.map(({ card }) => card);
}
