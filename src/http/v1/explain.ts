import type { Static } from 'typebox';
import { defaultPrinting } from '../../domain/card.ts';
import { formatDay, formatMoment, type Millis } from '../../domain/day.ts';
import {
  type ExplainedLeftOut,
  type ExplainedNumber,
  explainPrinting,
  type SourcedQuote,
} from '../../domain/explain.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import type { CardOrigins, OriginsReader } from '../../store/explain.ts';
import type { QuarantineRow } from '../../store/schema.ts';
import { ExplainedCard } from '../explain-schemas.ts';
import { IdParameter } from '../parameters.ts';
import { One } from '../schemas.ts';
import { requireCard } from './card.ts';
import type { Endpoint } from './index.ts';

export const explain: Endpoint = {
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
  async answer({ catalog, origins, estimates }, { params }) {
    const { id } = params as Static<typeof IdParameter>;
    const card = requireCard(catalog, id);
    const { key, set, printings } = card;
    const asked = { key, set: set.key, printings };
    const shown = { ...asked, id, printing: defaultPrinting(card)?.name ?? null };
    return { data: explainedCard(shown, await readOrigins(origins, asked), estimates) };
  },
};

/** A card to be explained, by row ids. */
export interface AskedCard {
  readonly key: number;
  readonly set: number;
  /** Plainest first. */
  readonly printings: readonly { readonly key: number; readonly name: string }[];
}

/** Reads where the prices of a card come from. */
export function readOrigins(origins: OriginsReader, asked: AskedCard): Promise<CardOrigins> {
  const printings = asked.printings.map(({ key }) => key);
  return origins({ card: asked.key, set: asked.set, printings });
}

/** Where every price of a card comes from, as the API shows it; `printing` is the default one. */
export function explainedCard(
  {
    id,
    printing,
    printings,
  }: AskedCard & { readonly id: string; readonly printing: string | null },
  { quotes, rates, held }: CardOrigins,
  estimates: boolean,
): Static<typeof ExplainedCard> {
  return {
    cardId: id,
    printing,
    printings: printings.map(({ key, name }) => {
      const numbers = explainPrinting(quotes.get(key) ?? [], rates, { estimates });
      return { name, numbers: numbers.map(numberView) };
    }),
    heldBack: held.map(heldView),
  };
}

function numberView({ name, value, quote, rate, rule, explanation, leftOut }: ExplainedNumber) {
  return {
    name,
    value: amount(value),
    source: quote?.source ?? null,
    origin: quote?.market ?? null,
    sourceId: quote?.key ?? null,
    currency: quote?.currency ?? null,
    rate: rate?.dollarsPerUnit ?? null,
    rateDay: rate ? formatDay(rate.day) : null,
    observedAt: moment(quote?.observedAt),
    fetchedAt: moment(quote?.fetchedAt),
    rule,
    explanation,
    leftOut: leftOut.map(leftOutView),
  };
}

function leftOutView({ quote, value, reason, explanation }: ExplainedLeftOut) {
  return { ...provenance(quote), value: amount(value), reason, explanation };
}

function provenance({ source, market, key, currency, observedAt, fetchedAt }: SourcedQuote) {
  return {
    source,
    origin: market,
    sourceId: key,
    currency,
    observedAt: moment(observedAt),
    fetchedAt: moment(fetchedAt),
  };
}

function heldView(row: QuarantineRow) {
  return {
    printing: row.printing,
    source: row.source,
    origin: row.origin,
    sourceId: row.source_key,
    observedAt: moment(row.observed_at),
    heldAt: formatMoment(row.held_at),
    reason: row.reason,
    explanation: row.detail,
  };
}

/** In whole units of its currency, with at most two decimals. */
function amount(cents: Cents | null): number | null {
  return cents === null ? null : dollarsFromCents(cents);
}

function moment(at: Millis | null | undefined): string | null {
  return at === null || at === undefined ? null : formatMoment(at);
}
