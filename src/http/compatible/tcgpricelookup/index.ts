import type { CompatibleInterface } from '../interface.ts';
import { games, sets } from './sets.ts';

/**
 * The later interface of the hosted service, as its own clients call it (docs/compatibility.md). A
 * card there is one printing of a card here.
 */
export const tcgPriceLookup: CompatibleInterface = {
  address: '/compatible/tcgpricelookup/v1',
  endpoints: [sets, games],
  errorForm: ({ message }) => ({ error: message }),
};
