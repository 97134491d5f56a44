import { Type } from 'typebox';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import type { QuarantineRow } from '../catalogue/schema.ts';
import { jsonColumn } from '../engine/json-column.ts';

/** The JSON contents of the quarantine's column `observation`. */

/** A quarantined observation. */
export type QuarantinedObservation = Omit<Observation, 'printing' | 'earlierDays'> & {
  /** On how many days the source has reported about the same; 0 for a backfilled day. */
  readonly days: number;
  /** The names of the quarantined amounts. If missing, the whole observation is quarantined. */
  readonly amounts?: readonly string[];
  /** The last accepted value of each of these amounts, in cents. */
  readonly was?: Readonly<Record<string, Cents>>;
  /** The days on which it was quarantined, oldest first, including the last one. */
  readonly earlierDays?: readonly DayPrices[];
  /** The reported amounts of quarantined conditions and grades, one per day, oldest first. */
  readonly trails?: Readonly<Record<string, readonly Cents[]>>;
};

/** A mass delisting. */
export interface QuarantinedDelisting {
  /** Row ids of the printings. They keep their last price. */
  readonly printings: readonly number[];
}

/** An amount. It may be any JSON number, because no rule has accepted it. */
const CENTS = Type.Union([Type.Number(), Type.Null()]);
const AMOUNTS = Type.Record(Type.String(), CENTS);

/** The content for every rule except `mass-delisting`. */
export const QUARANTINED_OBSERVATION = jsonColumn<QuarantinedObservation>(
  'quarantine.observation',
  Type.Object({
    currency: Type.String(),
    prices: AMOUNTS,
    conditions: AMOUNTS,
    graded: AMOUNTS,
    days: Type.Integer(),
    amounts: Type.Optional(Type.Array(Type.String())),
    was: Type.Optional(AMOUNTS),
    earlierDays: Type.Optional(Type.Array(Type.Object({ day: Type.Integer() }))),
    trails: Type.Optional(Type.Record(Type.String(), Type.Array(CENTS))),
  }),
);

/** The content for the rule `mass-delisting`. */
export const QUARANTINED_DELISTING = jsonColumn<QuarantinedDelisting>(
  'quarantine.observation',
  Type.Object({ printings: Type.Array(Type.Integer()) }),
);

/** Returns the observation of an entry; undefined for a mass delisting or an unknown printing. */
export function quarantinedObservation({
  rule,
  observation,
}: Pick<QuarantineRow, 'rule' | 'observation'>): QuarantinedObservation | undefined {
  if (rule === 'mass-delisting' || observation === null) return undefined;
  return QUARANTINED_OBSERVATION.read(observation);
}

/** Returns the row ids of the printings of a mass delisting; none for other entries. */
export function delistedPrintings({
  rule,
  observation,
}: Pick<QuarantineRow, 'rule' | 'observation'>): readonly number[] {
  if (rule !== 'mass-delisting' || observation === null) return [];
  return QUARANTINED_DELISTING.read(observation).printings;
}
