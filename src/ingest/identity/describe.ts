import type { KnownCard } from '../../store/identities.ts';
import { chooseByName, chooseByNumber, type ReadReference } from './choose.ts';
import { numberForms } from './numbers.ts';
import { compareNames } from './reading.ts';
import type { ReadCard } from './set-cards.ts';
import type { BookSet } from './sets.ts';

/** Finds a card by what a source says of it: its set, its number, its name, its variant. */

export type Description =
  | { readonly kind: 'found'; readonly card: KnownCard; readonly by: 'name and number' | 'name' }
  | {
      readonly kind: 'unknown set' | 'unknown card' | 'unknown variant' | 'ambiguous';
      readonly near: readonly KnownCard[];
    };

/** The card that is described among those of these sets, or why it is none or cannot be told. */
export function findDescribed(wanted: ReadReference, sets: readonly BookSet[]): Description {
  if (sets.length === 0) return { kind: 'unknown set', near: [] };
  const { number } = wanted.reference;
  if (number === null || numberForms(number, '').length === 0) return byName(wanted, sets);
  const cards = sets.flatMap(({ index }) => index.numbered(number));
  const chosen = chooseByNumber(wanted, cards);
  if (chosen.length > 0) return outcome(chosen, 'name and number');
  if (cards.some(({ name }) => compareNames(wanted.name, name) !== 'other')) {
    return { kind: 'unknown variant', near: cards.map(({ card }) => card) };
  }
  return byNameUnnumbered(wanted, number, sets) ?? unknown(cards, titled(wanted, sets));
}

function byName(wanted: ReadReference, sets: readonly BookSet[]): Description {
  const cards = titled(wanted, sets);
  const chosen = chooseByName(wanted, cards);
  if (chosen.length > 0) return outcome(chosen, 'name');
  return cards.length === 0
    ? unknown([], [])
    : { kind: 'unknown variant', near: cards.map(({ card }) => card) };
}

/**
 * A card whose number we do not know, by its name, if no other of its set has that name. A
 * number such as `38b` says that there are several of it.
 */
function byNameUnnumbered(
  wanted: ReadReference,
  number: string,
  sets: readonly BookSet[],
): Description | undefined {
  const cards = titled(wanted, sets);
  if (cards.length !== 1 || cards[0]?.card.number !== null || !/^\W*\d+$/.test(number)) return;
  const chosen = chooseByName(wanted, cards);
  return chosen.length === 0 ? undefined : outcome(chosen, 'name');
}

function titled({ name }: ReadReference, sets: readonly BookSet[]): ReadCard[] {
  return sets.flatMap(({ index }) => index.titled(name.title));
}

function outcome(chosen: readonly ReadCard[], by: 'name and number' | 'name'): Description {
  const [one, ...others] = chosen;
  return one && others.length === 0
    ? { kind: 'found', card: one.card, by }
    : { kind: 'ambiguous', near: chosen.map(({ card }) => card) };
}

function unknown(...near: readonly (readonly ReadCard[])[]): Description {
  return { kind: 'unknown card', near: near.flat().map(({ card }) => card) };
}
