import { formatMoney } from '../ui/format.ts';
import { picturePath } from './links.ts';
import type { CardBody } from './responses.ts';

/** What the page of a card says of it where it is listed or shared. */
export function cardHead({ id, name, set, number, rarity, image, printing, prices }: CardBody) {
  const price = prices.market === null ? [] : [formatMoney(prices.market)];
  const printed = [set, number].filter((part) => part !== null).join(' ');
  const facts = [printing, rarity].filter((part) => part !== null).join(', ');
  return {
    windowTitle: [name, printed, ...price].join(' · '),
    description:
      `${name}, ${printed}${facts && ` (${facts})`}: ` +
      `${price[0] ?? 'no price yet'}. Prices by condition and grade, and how they moved.`,
    image: image === null ? null : picturePath(id),
  };
}
