import { formatCount, formatMoney } from '../ui/format.ts';
import type { SetDetailBody } from './responses.ts';

/** What the page of a set says of it where it is listed or shared. */
export function setHead({ name, code, cardCount, value }: SetDetailBody) {
  const worth = value === null ? '' : ` One of each is worth ${formatMoney(value)}.`;
  return {
    windowTitle: `${name} (${code}) card prices`,
    description:
      `The ${formatCount(cardCount)} cards of ${name} with their prices: the most valuable, ` +
      `what moved, and a checklist.${worth}`,
  };
}
