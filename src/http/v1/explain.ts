import type { Static } from 'typebox';
import { defaultPrinting } from '../../domain/card.ts';
import { formatDay, formatMoment, type Millis } from '../../domain/day.ts';
import {
  type ExplainedLeftOut,
  type ExplainedNumber,
  explainPrinting,
} from '../../domain/explain.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import type { FetchedObservation } from '../../domain/observation.ts';
import type { CardObservations, ObservationsReader } from '../../store/explain.ts';
import type { QuarantineRow } from '../../store/schema.ts';
import { ExplainedCard } from '../explain-schemas.ts';
import { IdParameter } from '../parameters.ts';
import { One } from '../schemas.ts';
import { requireCard } from './card.ts';
import { defineEndpoint } from './endpoint.ts';

export const explain = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/explain',
  feature: 'explain',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'explainCard',
    summary: 'Explain where the prices of a card come from',
    description:
      'For every number the source, when it was observed and fetched, the rule by which it was ' +
      'chosen, and what was left out and why. While an import runs it may tell of prices that are ' +
      'served a moment later. Requires the Trader plan or above.',
    params: IdParameter,
    response: { 200: One(ExplainedCard) },
  },
  async answer({ catalog, observations, estimates }, { params }) {
    const card = requireCard(catalog, params.id);
    const { id, rowId, set, printings } = card;
    const rows = { rowId, set: set.rowId, printings };
    const known = await readCardObservations(observations, rows);
    const printing = defaultPrinting(card)?.name ?? null;
    return { data: explainedCard({ ...rows, id, printing }, known, estimates) };
  },
});

/** The row ids of a card, its set and its printings. */
export interface CardRows {
  readonly rowId: number;
  readonly set: number;
  /** Plainest first. */
  readonly printings: readonly { readonly rowId: number; readonly name: string }[];
}

/** Reads the observations of a card and its quarantined prices. */
export function readCardObservations(
  read: ObservationsReader,
  { rowId, set, printings }: CardRows,
): Promise<CardObservations> {
  return read({ card: rowId, set, printings: printings.map((printing) => printing.rowId) });
}

/** The body that explains a card; `printing` is the name of its default printing. */
export function explainedCard(
  { id, printing, printings }: CardRows & { readonly id: string; readonly printing: string | null },
  { observations, rates, quarantined }: CardObservations,
  estimates: boolean,
): Static<typeof ExplainedCard> {
  return {
    cardId: id,
    printing,
    printings: printings.map(({ rowId, name }) => {
      const numbers = explainPrinting(observations.get(rowId) ?? [], rates, { estimates });
      return { name, numbers: numbers.map(numberView) };
    }),
    quarantined: quarantined.map(quarantinedView),
  };
}

function numberView({
  name,
  value,
  observation,
  rate,
  rule,
  explanation,
  leftOut,
}: ExplainedNumber) {
  return {
    name,
    value: amount(value),
    source: observation?.source ?? null,
    marketplace: observation?.marketplace ?? null,
    externalId: observation?.externalId ?? null,
    currency: observation?.currency ?? null,
    rate: rate?.dollarsPerUnit ?? null,
    rateDay: rate ? formatDay(rate.day) : null,
    observedAt: moment(observation?.observedAt),
    fetchedAt: moment(observation?.fetchedAt),
    rule,
    explanation,
    leftOut: leftOut.map(leftOutView),
  };
}

function leftOutView({ observation, value, reason, explanation }: ExplainedLeftOut) {
  return { ...provenance(observation), value: amount(value), reason, explanation };
}

function provenance({
  source,
  marketplace,
  externalId,
  currency,
  observedAt,
  fetchedAt,
}: FetchedObservation) {
  return {
    source,
    marketplace,
    externalId,
    currency,
    observedAt: moment(observedAt),
    fetchedAt: moment(fetchedAt),
  };
}

function quarantinedView(row: QuarantineRow) {
  return {
    printing: row.printing,
    source: row.source,
    marketplace: row.marketplace,
    externalId: row.external_id,
    observedAt: moment(row.observed_at),
    quarantinedAt: formatMoment(row.quarantined_at),
    rule: row.rule,
    explanation: row.detail,
  };
}

/** An amount in units of its currency, with at most two decimals. */
function amount(cents: Cents | null): number | null {
  return cents === null ? null : dollarsFromCents(cents);
}

function moment(at: Millis | null | undefined): string | null {
  return at === null || at === undefined ? null : formatMoment(at);
}
