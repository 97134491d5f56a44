import type { AlertKind, AlertMail } from '../../../src/domain/alerts.ts';
import type { Alert } from '../api/responses.ts';
import { formatCounted, formatMoney } from '../ui/format.ts';

/** The kinds of rules, worded to follow "When the price". */
export const KIND_LABELS: Readonly<Record<AlertKind, string>> = {
  above: 'is at least',
  below: 'is at most',
  rise: 'rises by',
  fall: 'falls by',
  high: 'is higher than ever',
  low: 'is lower than ever',
  first: 'becomes known',
};

/** Words the rule of an alert to follow "When the price": `is at least $50.00`. */
export function ruleLabel({ kind, amount, percent, days }: Rule): string {
  const label = KIND_LABELS[kind];
  if (amount !== null) return `${label} ${formatMoney(amount)}`;
  if (percent === null || days === null) return label;
  return `${label} ${percent}% within ${formatCounted(days, 'day')}`;
}

type Rule = Pick<Alert, 'kind' | 'amount' | 'percent' | 'days'>;

/** When to mail the events of an alert. */
export const MAIL_LABELS: Readonly<Record<AlertMail, string>> = {
  now: 'At once',
  daily: 'Once a day, together',
  off: 'No mail',
};
