import type { QuarantinedPrice } from '../../domain/quarantined.ts';
import type { Rates } from '../../domain/rates.ts';
import { observationsOf, readRates, type StoredObservation } from '../catalogue/observations.ts';
import type { Database } from '../catalogue/schema.ts';
import type { Opened } from '../engine/engine.ts';
import { quarantinedPrices } from '../quarantine/prices.ts';
import { type CardRowIds, quarantinedOfCard } from '../quarantine/quarantine.ts';

/** Everything from which the prices of a card are explained. */
export interface CardObservations {
  /** By row id of the printing. */
  readonly observations: ReadonlyMap<number, readonly StoredObservation[]>;
  /** The exchange rates by which they were merged. */
  readonly rates: Rates;
  /** What is quarantined of the card and not approved, oldest first. */
  readonly quarantined: readonly QuarantinedPrice[];
}

export type ObservationsReader = (card: CardRowIds) => Promise<CardObservations>;

/** Returns a function that reads everything from which the prices of a card are explained. */
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
