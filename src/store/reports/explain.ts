import type { QuarantinedPrice } from '../../domain/quarantined.ts';
import type { Rates } from '../../domain/rates.ts';
import { readRates } from '../catalogue/exchange-rates.ts';
import { observationsOf, type StoredObservation } from '../catalogue/observations.ts';
import type { Database } from '../catalogue/schema.ts';
import type { Opened } from '../engine/engine.ts';
import { quarantinedPrices } from '../quarantine/prices.ts';
import { type CardRowIds, quarantinedOfCard } from '../quarantine/quarantine.ts';

/** The data that explains the prices of a card. */
export interface CardObservations {
  /** By row id of the printing. */
  readonly observations: ReadonlyMap<number, readonly StoredObservation[]>;
  /** The exchange rates used to merge them. */
  readonly rates: Rates;
  /** The quarantine entries of the card that are not approved, oldest first. */
  readonly quarantined: readonly QuarantinedPrice[];
}

export type ObservationsReader = (card: CardRowIds) => Promise<CardObservations>;

/** Returns a function that reads the data that explains the prices of a card. */
export function observationsReader(store: Opened<Database>): ObservationsReader {
  return async (card) => {
    const observations = await observationsOf(store, store.db, card.printings);
    return {
      observations: Map.groupBy(observations, ({ printingRowId }) => printingRowId),
      rates: await readRates(store.db),
      quarantined: await quarantinedPrices(store, await quarantinedOfCard(store.db, card)),
    };
  };
}
