import type { Printing } from './card.ts';
import { ANY_GRADER, formatGrade, type Grade } from './grade-names.ts';
import { gradeOf, isGrade, partsOfGrade } from './grades.ts';
import { type LanguageCode, languageName } from './languages.ts';
import { type Cents, formatCents } from './money.ts';
import { CONDITION_NAMES, type Condition, estimateConditions } from './price.ts';

/** A condition or a grade. */
export type CopyName = Condition | Grade;

/** The copy of a card that somebody means. A grade takes precedence over a condition. */
export interface NamedCopy {
  readonly condition: Condition | null;
  readonly grade: Grade | null;
  /** Undefined for the language of the card in the catalogue. */
  readonly language?: LanguageCode;
  /**
   * A sentence: why its words are not a condition or grade. Undefined if they are, or if there are
   * none.
   */
  readonly unclear?: string;
}

/** A copy without any details. */
export const PLAIN_COPY: NamedCopy = { condition: null, grade: null };

/** Whether details of a copy include a condition, a grade or something unclear. */
export function isNamed({ condition, grade, unclear }: NamedCopy): boolean {
  return condition !== null || grade !== null || unclear !== undefined;
}

/** Returns a condition or grade for people; empty text if neither is named. */
export function formatCopy({ condition, grade }: NamedCopy): string {
  if (grade !== null) return formatGrade(grade);
  return condition === null ? '' : CONDITION_NAMES[condition];
}

/** Returns the name of a condition or grade for people. */
export function formatCopyName(copy: CopyName): string {
  return isGrade(copy) ? formatGrade(copy) : CONDITION_NAMES[copy];
}

/**
 * The price of one copy, in the currency of its printing, or a sentence that says why there is
 * none.
 */
export type CopyPrice =
  | { readonly price: Cents; readonly isEstimated: boolean }
  | { readonly price: null; readonly noPrice: string };

/**
 * Returns the price of a copy: of its grade, otherwise of its condition, otherwise the market
 * price. Never the price of another copy.
 *
 * @param estimates Whether the operator has turned on estimates of conditions.
 */
export function priceOfCopy(
  printing: Pick<Printing, 'prices' | 'money'> | null | undefined,
  { condition, grade, language, unclear }: NamedCopy,
  estimates: boolean,
): CopyPrice {
  if (unclear !== undefined) return without(unclear);
  if (!printing && language) return without(noPriceIn(language));
  if (!printing) return without('The card has no such printing.');
  const { market, conditions, graded } = printing.prices;
  const inDollars = printing.money?.dollars.prices ?? printing.prices;
  if (grade !== null) return found(graded[grade]) ?? without(whyUngraded(grade, inDollars.graded));
  if (condition === null) return found(market) ?? without('No source reports a market price.');
  const estimated = estimates ? estimateConditions(conditions, market)[condition] : undefined;
  const name = CONDITION_NAMES[condition].toLowerCase();
  return (
    found(conditions[condition]) ??
    found(estimated, true) ??
    without(`No source prices a ${name} copy of this printing.${marketNote(inDollars.market)}`)
  );
}

/** Explains that no price in a language is known. */
export function noPriceIn(language: LanguageCode): string {
  return `No price of a ${languageName(language)} copy is known.`;
}

function found(price: Cents | null | undefined, isEstimated = false): CopyPrice | undefined {
  return price === null || price === undefined ? undefined : { price, isEstimated };
}

function without(noPrice: string): CopyPrice {
  return { price: null, noPrice };
}

function marketNote(market: Cents | null): string {
  if (market === null) return '';
  return ` Its market price, for any condition, is ${formatCents(market)}.`;
}

/**
 * Mentions the price of the same grade from an unknown company, because a source may have only
 * that.
 */
function whyUngraded(grade: Grade, graded: Printing['prices']['graded']): string {
  const none = `No source prices a ${formatGrade(grade)} of this printing.`;
  const parts = partsOfGrade(grade);
  if (!parts || parts.label !== undefined) return none;
  const grader = { slug: ANY_GRADER, name: '' };
  const any = graded[gradeOf({ ...parts, grader })];
  if (any === undefined) return none;
  return `${none} A ${parts.number} of any company is at ${formatCents(any)}.`;
}
