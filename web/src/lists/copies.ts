import { formatGrade, type Grade } from '../../../src/domain/grade-names.ts';
import { CONDITION_NAMES, type Condition } from '../../../src/domain/price.ts';
import type { CardBody, PrintingBody } from '../api/responses.ts';
import { gradeRows } from '../cards/price-rows.ts';

/** The copies of a card that a reader can pick, and their prices. */

/** One copy of a card. It has a condition or a grade, or neither. */
export interface Copy {
  /** Null if the card has no printings. */
  readonly printing: string | null;
  readonly condition: Condition | null;
  readonly grade: Grade | null;
}

/** A copy that the reader has picked, with the prices of its card. */
export interface PickedCopy extends Copy {
  readonly card: CardBody;
}

/** A choice of a picker. Its price is null if no source reports it. */
export interface CopyOption<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly price: number | null;
}

/** Returns the printing of a copy; undefined if the card has no such printing. */
export function printingOf({ printings }: CardBody, { printing }: Copy): PrintingBody | undefined {
  return printings.find(({ name }) => name === printing);
}

/** Returns every condition of a printing, the best first. */
export function conditionOptions(printing: PrintingBody | undefined): CopyOption<Condition>[] {
  const conditions = Object.entries(CONDITION_NAMES) as [Condition, string][];
  return conditions.map(([name, label]) => {
    return { name, label, price: printing?.prices.conditions[name] ?? null };
  });
}

/** Returns the grades of a printing with prices, and always `picked`. */
export function gradeOptions(
  printing: PrintingBody | undefined,
  picked: Grade | null,
): CopyOption<Grade>[] {
  const priced = printing ? gradeRows(printing.prices.allGrades) : [];
  const options = priced.map(({ name, label, amount }): CopyOption<Grade> => {
    return { name: name as Grade, label, price: amount };
  });
  if (picked === null || options.some(({ name }) => name === picked)) return options;
  return [...options, { name: picked, label: formatGrade(picked), price: null }];
}

/** The price of a picked copy, or a sentence that says why there is none. */
interface PriceOfCopy {
  readonly price: number | null;
  readonly noPrice?: string;
}

/** Returns the price of exactly that copy: its grade's or condition's, or the market price. */
export function priceOfCopy(picked: PickedCopy): PriceOfCopy {
  const { card, condition, grade } = picked;
  const printing = printingOf(card, picked);
  if (!printing) return { price: null, noPrice: 'The card has no such printing.' };
  if (grade !== null) {
    const option = gradeOptions(printing, grade).find(({ name }) => name === grade);
    return priceOr(option?.price, `No source prices a ${formatGrade(grade)} of this printing.`);
  }
  if (condition === null) {
    return priceOr(printing.prices.market, 'No source reports a market price.');
  }
  const name = CONDITION_NAMES[condition].toLowerCase();
  const noPrice = `No source prices a ${name} copy of this printing.`;
  return priceOr(printing.prices.conditions[condition], noPrice);
}

function priceOr(price: number | null | undefined, noPrice: string): PriceOfCopy {
  return price === null || price === undefined ? { price: null, noPrice } : { price };
}
