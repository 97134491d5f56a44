import type { Static } from 'typebox';
import { defaultPrinting } from '../../domain/card.ts';
import { formatDay, formatMoment } from '../../domain/day.ts';
import { type ExplainedLeftOut, explainPrinting } from '../../domain/explain.ts';
import {
  explainMissing,
  type MissingNumber,
  type NumberWithQuarantined,
  type QuarantinedNumber,
  withQuarantined,
} from '../../domain/explain-missing.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import type { FetchedObservation } from '../../domain/observation.ts';
import { actionsOn, type QuarantinedPrice } from '../../domain/quarantined.ts';
import {
  type BuylistDoubt,
  type ReportedBuylist,
  reportedBuylists,
} from '../../domain/served-trade.ts';
import { closedBecause, settlementOf } from '../../domain/settlement.ts';
import type { CardObservations, ObservationsReader } from '../../store/reports/explain.ts';
import { ExplainedCard } from '../explain-schemas.ts';
import { IdParameter } from '../parameters.ts';
import { One } from '../schemas.ts';
import { requireCard } from './card.ts';
import { defineEndpoint } from './endpoint.ts';
import { dollars, moment } from './views.ts';

export const explain = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/explain',
  feature: 'explain',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'explainCard',
    summary: 'Explain where the prices of a card come from',
    description:
      'For each number: its source, when it was observed and fetched, the rule that chose it, ' +
      'and what was left out and why. For each number that is null: the reason. During an ' +
      'import, it may be ahead of the served prices. Requires the Trader plan or above.',
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

/** Returns the body that explains a card; `printing` is the name of its default printing. */
export function explainedCard(
  { id, printing, printings }: CardRows & { readonly id: string; readonly printing: string | null },
  { observations, rates, quarantined }: CardObservations,
  estimates: boolean,
): Static<typeof ExplainedCard> {
  return {
    cardId: id,
    printing,
    printings: printings.map(({ rowId, name }) => {
      const reported = observations.get(rowId) ?? [];
      const numbers = explainPrinting(reported, rates, { estimates });
      const market = numbers.find(({ name }) => name === 'market')?.value ?? null;
      const buylists = reportedBuylists(reported, { market, rates });
      const own = quarantined.filter((price) => {
        return price.printing === name || price.delisted.includes(rowId);
      });
      return {
        name,
        numbers: withQuarantined(numbers, own).map(numberView),
        missing: explainMissing(numbers, own).map(missingView),
        ...(buylists.length > 0 && { buylists: buylists.map(buylistView) }),
      };
    }),
    quarantined: quarantined.map(quarantinedView),
  };
}

const DOUBTS: Readonly<Record<BuylistDoubt, string>> = {
  'above-retail': 'It is above what the dealer sells for, or far above the market price.',
  'no-rate': 'No exchange rate of its currency is known for its day.',
  old: 'It is more than a week older than the newest report about this printing.',
  lower: 'Another dealer pays as much or more.',
};

function buylistView({ amount, currency, marketplace, source, at, doubt }: ReportedBuylist) {
  const isServed = doubt === null;
  return {
    price: dollarsFromCents(amount),
    currency,
    source,
    marketplace,
    observedAt: formatMoment(at),
    isServed,
    explanation: isServed ? 'The most that a dealer pays.' : DOUBTS[doubt],
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
  quarantined,
}: NumberWithQuarantined) {
  return {
    name,
    value: dollars(value),
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
    quarantined: quarantined.map(quarantinedNumberView),
  };
}

function missingView({ name, reason, explanation, quarantined, leftOut }: MissingNumber) {
  return {
    name,
    reason,
    explanation,
    quarantined: quarantined.map(quarantinedNumberView),
    leftOut: leftOut.map(leftOutView),
  };
}

function quarantinedNumberView({ price, amount: held, explanation }: QuarantinedNumber) {
  return {
    ...entryView(price),
    value: dollars(held?.value ?? null),
    was: dollars(held?.was ?? null),
    ratio: roundRatio(held?.ratio ?? null),
    explanation,
  };
}

function leftOutView({ observation, value, reason, explanation }: ExplainedLeftOut) {
  return { ...provenance(observation), value: dollars(value), reason, explanation };
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

function quarantinedView(price: QuarantinedPrice) {
  return {
    printing: price.printing,
    ...entryView(price),
    explanation: price.detail,
    amounts: price.amounts.map(({ name, value, was, ratio }) => {
      return { name, value: dollars(value), was: dollars(was), ratio: roundRatio(ratio) };
    }),
  };
}

/** Returns the fields that all views of a quarantine entry have. */
function entryView(price: QuarantinedPrice) {
  const { id, source, marketplace, externalId, currency, rule, days } = price;
  return {
    id,
    source,
    marketplace,
    externalId,
    currency,
    rule,
    days,
    observedAt: moment(price.observedAt),
    quarantinedAt: formatMoment(price.quarantinedAt),
    decision: price.decision,
    ...settlementView(price),
    actions: actionsOn(price),
  };
}

/** Explains what would settle an entry and when it closes by itself, or why it has closed. */
export function settlementView(price: QuarantinedPrice) {
  const { by, closesOn } = settlementOf(price);
  return {
    settledBy: closedBecause(price) ?? by,
    closesOn: closesOn === null ? null : formatDay(closesOn),
  };
}

function roundRatio(ratio: number | null): number | null {
  return ratio === null ? null : Number(ratio.toFixed(3));
}
