import { withoutBrackets, withoutNumber } from '../../domain/card-name.ts';
import { compareNumbers, numberForms, totalOf } from '../../domain/collector-number.ts';
import {
  areIncomparable,
  type ComparableName,
  compareNames,
  readName,
} from '../../domain/naming/comparable-name.ts';
import type { GameRules } from '../../domain/naming/game-rules.ts';
import { foldText, foldWords, withoutZeros } from '../../domain/text.ts';
import { editDistance } from '../../lib/edit-distance.ts';

/**
 * Decides whether a source's id still means the same card. Sources correct their spelling all the
 * time. But an id may also return with the name of another card: rows are shifted, two ids are
 * swapped, or a retired id is reused.
 */

/** The properties that identify a card of a source. */
export interface Identity {
  /** Row id of our set. */
  readonly setRowId: number;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
}

/** A known card, and its source's current description under the same id. */
export interface Claim {
  readonly known: Identity;
  readonly claimed: Identity;
}

/**
 * Returns the claims that now mean another card. `residents` contains the cards of the claims'
 * sets: a card whose new description matches another card's has taken its place.
 *
 * @param claims All claims that differ in name, number, rarity or set.
 */
export function findOtherCards<C extends Claim>(
  rules: GameRules,
  claims: readonly C[],
  residents: readonly Identity[],
): C[] {
  const places = new Places(residents);
  const swapped = swappedNames(claims);
  return claims.filter((claim) => {
    if (swapped.has(claim) || places.isTaken(claim)) return true;
    return !isSpeltOtherwise(rules, claim, places);
  });
}

/**
 * The key of a card's place in its set. The exact spelling distinguishes `Unown (!)` from `Unown
 * (?)`.
 */
function keysOf({ setRowId, name, number, rarity }: Identity, withRarity: boolean): string[] {
  const place = [setRowId, withRarity ? rarity : ''];
  const folded = [foldText(name), numberForms(number, '').join('+')];
  return [[name, number ?? ''], folded].map((parts) => JSON.stringify([...place, ...parts]));
}

/** The occupied places of a set's cards. */
class Places {
  readonly #keys = new Set<string>();
  readonly #numbers = new Map<string, number>();

  constructor(residents: readonly Identity[]) {
    for (const one of residents) {
      for (const withRarity of [false, true]) {
        for (const key of keysOf(one, withRarity)) this.#keys.add(key);
      }
      for (const form of new Set(numberForms(one.number, ''))) {
        const key = `${one.setRowId} ${form}`;
        this.#numbers.set(key, (this.#numbers.get(key) ?? 0) + 1);
      }
    }
  }

  /** Whether another card has the claimed name and number, and the rarity if only that changed. */
  isTaken({ known, claimed }: Claim): boolean {
    const isSame = keysOf(known, false).some((key) => keysOf(claimed, false).includes(key));
    const own = keysOf(known, isSame);
    return keysOf(claimed, isSame).some((key) => this.#keys.has(key) && !own.includes(key));
  }

  /** Whether no card of the set has this number. */
  isFreeNumber({ setRowId, number }: Identity): boolean {
    return numberForms(number, '').every((form) => !this.#numbers.has(`${setRowId} ${form}`));
  }
}

/** Returns the claims of pairs of cards that have each other's names. */
function swappedNames(claims: readonly Claim[]): Set<Claim> {
  const byMove = new Set<string>();
  const moveOf = (from: Identity, to: Identity) => {
    return JSON.stringify([from.setRowId, foldText(from.name), foldText(to.name)]);
  };
  for (const { known, claimed } of claims) byMove.add(moveOf(known, claimed));
  return new Set(
    claims.filter(({ known, claimed }) => {
      const isRenamed = foldText(known.name) !== foldText(claimed.name);
      return isRenamed && byMove.has(moveOf({ ...claimed, setRowId: known.setRowId }, known));
    }),
  );
}

/** Whether a claim only corrects the spelling of its card's name or number. */
function isSpeltOtherwise(rules: GameRules, { known, claimed }: Claim, places: Places): boolean {
  const names = compareSpelling(rules, known, claimed);
  if (names === 'other') return false;
  if (isSameNumber(known.number, claimed.number)) return true;
  if (names !== 'same' || known.setRowId !== claimed.setRowId) return false;
  return isCorrection(known.number, claimed.number) && places.isFreeNumber(claimed);
}

/** Whether two numbers differ only in their last digits: `OP01-016` and `OP01-061`. */
function isCorrection(one: string | null, other: string | null): boolean {
  const [shape, otherShape] = [one, other].map((number) => {
    return numberForms(number, '').map((form) => form.replace(/\d+(?=\D*$)/, '#'));
  });
  return haveSameTotal(one, other) && String(shape) === String(otherShape);
}

function isSameNumber(one: string | null, other: string | null): boolean {
  return compareNumbers(one, other) !== 'other' && haveSameTotal(one, other);
}

function haveSameTotal(one: string | null, other: string | null): boolean {
  const [total, otherTotal] = [totalOf(one ?? ''), totalOf(other ?? '')];
  return total === '' || otherTotal === '' || total === otherTotal;
}

/**
 * Compares two names of cards. `alike` means that one has an additional word, or that they differ
 * by typing errors.
 */
function compareSpelling(
  rules: GameRules,
  known: Identity,
  claimed: Identity,
): 'same' | 'alike' | 'other' {
  const [one, other] = [known, claimed].map(({ name, number }) => {
    return readName(rules, number === null ? name : withoutNumber(name, number), null);
  }) as [ComparableName, ComparableName];
  if (areIncomparable(one, other)) return 'alike';
  if (compareNames(one, other) !== 'other') return 'same';
  if (haveTypos(one.full, other.full)) return 'alike';
  // Another subtitle or colour makes another card.
  if (one.title === other.title && one.rest !== '' && other.rest !== '') return 'other';
  return areAlike(wordsOf(known), wordsOf(claimed)) ? 'alike' : 'other';
}

/** Names of at least these lengths may have one typing error, or two. */
const LENGTH_FOR_ONE_TYPO = 3;
const LENGTH_FOR_TWO_TYPOS = 8;

/** Whether two folded texts differ only by a few typing errors. */
function haveTypos(text: string, other: string): boolean {
  const length = Math.min(text.length, other.length);
  const limit = length < LENGTH_FOR_ONE_TYPO ? 0 : length < LENGTH_FOR_TWO_TYPOS ? 1 : 2;
  return editDistance(text, other, limit) <= limit;
}

/** Returns the words of a name, without its brackets and its number. */
function wordsOf({ name, number }: Identity): Set<string> {
  const forms = numberForms(number, '');
  const words = foldWords(withoutBrackets(name));
  return new Set(words.filter((word) => !forms.includes(withoutZeros(word))));
}

/** Whether one name has all words of the other, or both share most words, or only typos differ. */
function areAlike(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (words.isSubsetOf(others) || others.isSubsetOf(words)) return true;
  const shared = words.intersection(others).size;
  if (shared * 2 > Math.max(words.size, others.size)) return true;
  return haveTypos([...words].join(''), [...others].join(''));
}
