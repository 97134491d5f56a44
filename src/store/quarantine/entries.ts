import { Type } from 'typebox';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import type { EntryDecision } from '../../domain/quarantined.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import type { QuarantineRow } from '../catalogue/schema.ts';
import type { BulkTable } from '../engine/engine.ts';

/** The entries of the quarantine, and how their table stores them. */

/** An observation or a mass delisting that a validation rule keeps from being served. */
export interface QuarantineEntry {
  readonly id: number;
  readonly source: string;
  readonly marketplace: string | null;
  /** The subject, if known: a game, a set, a card. */
  readonly game: GameSlug | null;
  readonly setRowId: number | null;
  readonly cardRowId: number | null;
  /** Null if the card does not have the printing named in `printing`. */
  readonly printingRowId: number | null;
  readonly printing: string | null;
  /** A name in VALIDATION_RULES. */
  readonly rule: string;
  /** A sentence for the operator. */
  readonly detail: string;
  /** Null for a mass delisting. */
  readonly observation: QuarantinedObservation | null;
  /** The row ids of the printings of a mass delisting, which keep their last price. */
  readonly delisted: readonly number[];
  /** The source's own id of the card. */
  readonly externalId: string | null;
  readonly observedAt: Millis | null;
  readonly quarantinedAt: Millis;
  readonly decidedAt: Millis | null;
  readonly decision: EntryDecision | null;
}

export type NewQuarantineEntry = Omit<QuarantineEntry, 'id'>;

/** A source's description of a card. */
export interface CardDescription {
  /** Row id of our set. */
  readonly setRowId: number;
  readonly name: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
}

/** The card that a source's id now means, according to the source, and our card. */
export interface CardClaim extends CardDescription {
  readonly was: CardDescription;
}

/** A quarantined observation. */
export type QuarantinedObservation = Omit<
  Observation,
  'printing' | 'earlierDays' | 'earlierCopies'
> & {
  /** The number of days on which the source has reported about the same; 0 for a backfilled day. */
  readonly days: number;
  /** The names of the quarantined amounts. If missing, the whole observation is quarantined. */
  readonly amounts?: readonly string[];
  /** The last accepted value of each of these amounts, in cents. */
  readonly was?: Readonly<Record<string, Cents>>;
  /** The days on which it was quarantined, oldest first, including the last one. */
  readonly earlierDays?: readonly DayPrices[];
  /** The reported amounts of quarantined conditions and grades, one per day, oldest first. */
  readonly trails?: Readonly<Record<string, readonly Cents[]>>;
  /** The other card that the source's id now means. An approval renames our card to it. */
  readonly claim?: CardClaim;
};

/** An amount. It may be any JSON number, because no rule has accepted it. */
const CENTS = Type.Union([Type.Number(), Type.Null()]);
const AMOUNTS = Type.Record(Type.String(), CENTS);

const Text = Type.Union([Type.String(), Type.Null()]);
const DESCRIPTION = {
  setRowId: Type.Integer(),
  name: Type.String(),
  number: Text,
  rarity: Text,
  image: Text,
};

/** The content for every rule except `mass-delisting`. */
const OBSERVATION = jsonColumn<QuarantinedObservation>(
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
    claim: Type.Optional(Type.Object({ ...DESCRIPTION, was: Type.Object(DESCRIPTION) })),
  }),
);

/** The content for the rule `mass-delisting`. */
const DELISTING = jsonColumn<{ readonly printings: readonly number[] }>(
  'quarantine.observation',
  Type.Object({ printings: Type.Array(Type.Integer()) }),
);

export const QUARANTINE: BulkTable<QuarantineRow> = {
  name: 'quarantine',
  columns: {
    id: 'int4',
    source: 'text',
    marketplace: 'text',
    game: 'text',
    set_id: 'int4',
    card_id: 'int4',
    printing_id: 'int4',
    printing: 'text',
    rule: 'text',
    detail: 'text',
    observation: 'text',
    external_id: 'text',
    observed_at: 'int8',
    quarantined_at: 'int8',
    decided_at: 'int8',
    decision: 'text',
  },
  key: ['id'],
};

/** @throws Error if the JSON of the entry is damaged. */
export function entryOf(row: QuarantineRow): QuarantineEntry {
  const { observation: json } = row;
  const isDelisting = row.rule === 'mass-delisting';
  return {
    id: row.id,
    source: row.source,
    marketplace: row.marketplace,
    game: row.game,
    setRowId: row.set_id,
    cardRowId: row.card_id,
    printingRowId: row.printing_id,
    printing: row.printing,
    rule: row.rule,
    detail: row.detail,
    observation: isDelisting ? null : OBSERVATION.read(json),
    delisted: isDelisting ? (DELISTING.read(json)?.printings ?? []) : [],
    externalId: row.external_id,
    observedAt: row.observed_at,
    quarantinedAt: row.quarantined_at,
    decidedAt: row.decided_at,
    decision: row.decision,
  };
}

export function rowOf(entry: QuarantineEntry): QuarantineRow {
  return { id: entry.id, ...newRowOf(entry) };
}

export function newRowOf(entry: NewQuarantineEntry): Omit<QuarantineRow, 'id'> {
  const { observation, delisted } = entry;
  const isDelisting = delisted.length > 0;
  return {
    source: entry.source,
    marketplace: entry.marketplace,
    game: entry.game,
    set_id: entry.setRowId,
    card_id: entry.cardRowId,
    printing_id: entry.printingRowId,
    printing: entry.printing,
    rule: entry.rule,
    detail: entry.detail,
    observation: isDelisting
      ? DELISTING.write({ printings: delisted })
      : OBSERVATION.write(observation),
    external_id: entry.externalId,
    observed_at: entry.observedAt,
    quarantined_at: entry.quarantinedAt,
    decided_at: entry.decidedAt,
    decision: entry.decision,
  };
}

/** Whether the quarantined amounts of an entry's stored observation include the market price. */
export function isOfMarket(stored: string | null): boolean {
  const amounts = OBSERVATION.read(stored)?.amounts;
  return amounts === undefined || amounts.includes('market');
}
