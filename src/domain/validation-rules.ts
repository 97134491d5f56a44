/** The validation rules and what each one catches, worded for the operator. */
export const VALIDATION_RULES = {
  'absurd-price': 'an amount that no price can be',
  'absurd-date': 'observed in the future, or before there were trading cards',
  'wrong-currency': 'a currency that is not the one of that market',
  'shared-external-id': 'different cards of the source claim one product',
  'conflicting-prices': 'two very different prices for one printing at once',
  'unknown-printing': 'a finish or edition that the card is not known to have',
  'swapped-printings': 'two printings of a card have taken each other’s prices',
  'copied-price': 'a printing has taken the very price of another one of its card',
  'set-shift': 'a whole set has moved as no set does, or its prices are other cards’',
  'source-shift': 'a whole source has moved away from another one of its marketplace',
  'outside-listings': 'a market price that has left its own listings',
  'stray-listing': 'a listing that cannot belong to the market price beside it',
  'grade-order': 'a PSA 10 that costs less than a PSA 9 or than the raw card',
  'condition-order': 'a worn copy that costs far more than a near mint one',
  'price-jump': 'too far from its own past, and no other source has gone there',
  'source-outlier': 'the first price of its source, too far from that of every other source',
  'mass-delisting': 'too many prices of a set or game are gone at once',
} as const;

export type ValidationRule = keyof typeof VALIDATION_RULES;

/** The rules whose findings the operator cannot approve: such a price can never be served. */
const FINAL: readonly ValidationRule[] = ['absurd-price', 'absurd-date'];

/** The rules that report the same price again in every import, so approvals are remembered. */
const LASTING: readonly ValidationRule[] = [
  'wrong-currency',
  'shared-external-id',
  'conflicting-prices',
  'unknown-printing',
  'stray-listing',
  'grade-order',
  'condition-order',
];

/** Returns the rule of this name, or undefined. */
export function findValidationRule(name: string): ValidationRule | undefined {
  return (Object.keys(VALIDATION_RULES) as ValidationRule[]).find((rule) => rule === name);
}

/** The rules about many prices at once. */
const MASS_RULES: readonly ValidationRule[] = ['set-shift', 'source-shift'];

/** Whether a rule is about a whole set or source, which is released as a whole. */
export function isMassRule(rule: ValidationRule | undefined): boolean {
  return rule !== undefined && MASS_RULES.includes(rule);
}

/** Whether the operator may approve what a rule has quarantined. */
export function isApprovable(rule: ValidationRule): boolean {
  return !FINAL.includes(rule);
}

/** Whether a rule would quarantine an approved price again unless the approval is remembered. */
export function isLasting(rule: ValidationRule): boolean {
  return LASTING.includes(rule);
}
