import type { CompatibleInterface } from '../interface.ts';
import { card, cardSearch } from './cards.ts';
import { history } from './history.ts';
import { games, sets } from './sets.ts';

/**
 * The later interface of the hosted service, as its own clients call it (docs/compatibility.md). A
 * card of that interface is one printing of a card here.
 */
export const tcgPriceLookup: CompatibleInterface = {
  address: '/compatible/tcgpricelookup/v1',
  endpoints: [cardSearch, card, history, sets, games],
  errorForm: ({ message }) => ({ error: message }),
};
