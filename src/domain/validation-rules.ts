/** Why something that a source says is held back rather than served, and what each reason means. */
export const VALIDATION_RULES = {
  'absurd-price': 'an amount that no price can be, or a lowest price above the highest',
  'absurd-date': 'observed in the future, or before there were trading cards',
  'wrong-currency': 'a currency that is not the one of that market',
  'shared-external-id': 'different cards of the source claim one product',
  'conflicting-prices': 'two very different prices for one printing at once',
  'unknown-printing': 'a finish or edition that the card is not known to have',
  'swapped-printings': 'two printings of a card have taken each other’s prices',
  'copied-price': 'a printing has taken the very price of another one of its card',
  'price-jump': 'too far from its own past, and no other source has gone there',
  'source-outlier': 'the first price of its source, too far from that of every other source',
  'mass-delisting': 'too many prices of a set or game are gone at once',
} as const;

export type ValidationRule = keyof typeof VALIDATION_RULES;

/** Reasons for which nothing that was held back can ever be served. */
const FINAL: readonly ValidationRule[] = ['absurd-price', 'absurd-date'];

/** Reasons that are there again with every import, so that letting through holds from then on. */
const LASTING: readonly ValidationRule[] = [
  'wrong-currency',
  'shared-external-id',
  'conflicting-prices',
  'unknown-printing',
];

/** The reason of this name, or undefined. */
export function findValidationRule(name: string): ValidationRule | undefined {
  return (Object.keys(VALIDATION_RULES) as ValidationRule[]).find((reason) => reason === name);
}

/** Whether an operator may let through what is held back for a reason. */
export function isApprovable(reason: ValidationRule): boolean {
  return !FINAL.includes(reason);
}

/** Whether what is let through for a reason will be held back again unless that is remembered. */
export function isLasting(reason: ValidationRule): boolean {
  return LASTING.includes(reason);
}
