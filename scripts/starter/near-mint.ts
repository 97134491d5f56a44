import { createReadStream } from 'node:fs';
import { type Day, dayOf, parseDay } from '../../src/domain/day.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { type Cents, centsFromDollars } from '../../src/domain/money.ts';
import { hasPrice, NO_PRICES } from '../../src/domain/price.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { BadRow, readCsv } from '../../src/sources/io/csv.ts';
import type { ObservedDay } from './compose.ts';

/** The Near Mint price of one of TCGplayer's products on a day. */
export interface NearMintPrice {
  readonly id: string;
  readonly day: Day;
  readonly price: Cents;
}

/**
 * Reads a CSV file of `card_id`, `date` and `price` in dollars.
 *
 * @throws OperatorError for a malformed row.
 */
export async function readNearMint(file: string): Promise<NearMintPrice[]> {
  const prices: NearMintPrice[] = [];
  for await (const row of readCsv(createReadStream(file))) {
    if (row instanceof BadRow) throw new OperatorError(`${file}: ${row.reason}`);
    const { card_id: id = '', date = '' } = row;
    const day = parseDay(date);
    const price = centsFromDollars(Number(row.price));
    if (day === undefined || price === undefined) {
      throw new OperatorError(`${file}: product ${id} has no price or no day in a row.`);
    }
    prices.push({ id, day, price });
  }
  return prices;
}

/**
 * Returns the Near Mint prices of a set's printings that are listed without a price, as market
 * prices by day, up to the day of the set. `data/starter/README.md` explains why they are the same.
 */
export function standIns(group: Group, nearMint: readonly NearMintPrice[]): ObservedDay[] {
  const unpriced = group.listings.filter(({ prices }) => !hasPrice(prices));
  const printings = new Map(unpriced.map(({ externalId, printing }) => [externalId, printing]));
  const newest = dayOf(group.observedAt);
  return nearMint.flatMap(({ id, day, price }) => {
    const printing = printings.get(id);
    if (printing === undefined || day > newest) return [];
    const prices = { ...NO_PRICES, market: price };
    return [{ day, listings: [{ externalId: id, printing, prices }] }];
  });
}
