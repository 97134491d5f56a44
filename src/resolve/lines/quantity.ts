/** The most cards that a line may stand for. */
const MOST = 9999;

/** A line taken apart: how many cards it stands for, and the rest of it. */
export interface Counted {
  readonly rest: string;
  /** Undefined where the line gives none. */
  readonly quantity?: number;
  /** What is wrong with the quantity. */
  readonly refusal?: string;
}

/** `4 `, `4x `, `x4 `, `(4) `, `[4] ` in front; the sign and the fraction are read to be refused. */
const IN_FRONT =
  /^(?:[x×]([+-]?\d{1,12}(?:\.\d{1,3})?)|[([]([+-]?\d{1,12})x?[)\]]|([+-]?\d{1,12}(?:\.\d{1,3})?)[x×]?)\s+(?=\S)/i;

/** `4xOP01-001`: without a space, only before a code. */
const BEFORE_CODE = /^(\d{1,4})[x×](?=[A-Z]{1,5}\d?\d?-?\d)/;

const BEHIND = /\s(?:[x×](\d{1,12})|(\d{1,4})[x×]|[([](\d{1,2})x?[)\]])$/i;

/** Names of sets and listings begin with such numbers: `500 Years in the Future`, `1999`. */
const YEARS = /^(?:\d{3}|(?:19|20)\d\d)$/;

/** Reads the quantity in front of a line or, where there is none, behind it. */
export function readQuantity(line: string): Counted {
  const front = IN_FRONT.exec(line) ?? BEFORE_CODE.exec(line);
  if (front) {
    const text = front[1] ?? front[2] ?? front[3] ?? '';
    if (!YEARS.test(text) || /[x×]/i.test(front[0])) {
      return checked(text, line.slice(front[0].length).replace(/^\|\s*/, ''));
    }
  }
  const behind = BEHIND.exec(line);
  if (!behind) return { rest: line };
  return checked(behind[1] ?? behind[2] ?? behind[3] ?? '', line.slice(0, behind.index));
}

function checked(text: string, rest: string): Counted {
  const quantity = Number(text);
  const refusal = refuseQuantity(quantity);
  return refusal === undefined ? { rest, quantity } : { rest, refusal };
}

/** Says what is wrong with a quantity; undefined when it is one. */
export function refuseQuantity(quantity: number): string | undefined {
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= MOST) return undefined;
  return `The quantity ${quantity} is not a whole number from 1 to ${MOST}.`;
}
