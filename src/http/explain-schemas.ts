import { Type } from 'typebox';
import { CardId, OptionalText, Text, Titled } from './schemas.ts';

/** The schemas of the endpoint that explains prices. */

const Amount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

const Moment = (description: string) => OptionalText(description, '2026-01-28T20:05:12Z');

const Source = Titled(
  'SourceName',
  Text('The source that was read, as `cardprice sources` lists it.', 'tcgcsv'),
);
const Marketplace = Text('The marketplace of the price.', 'tcgplayer');
const ExternalId = Titled('ExternalId', OptionalText("The source's own id of the card", '42382'));
const Currency = Text('The currency of the amounts.', 'USD');
const Explanation = Text('Explanation in words.', 'The only available price.');
const ObservedAt = Titled(
  'ObservedAt',
  Moment('When it was observed at its source: ISO 8601, UTC'),
);
const FetchedAt = Moment('When the import that read it began: ISO 8601, UTC');

const Ratio = Amount(
  'The ratio of the larger amount to the smaller one, in US dollars or another currency, at ' +
    'least 1; null if nothing is compared.',
);

/** The fields that all views of a quarantine entry have. */
const QuarantineEntryFields = {
  id: Type.Integer({
    description: 'The id that the operator uses to decide on it.',
    examples: [17],
  }),
  source: Source,
  marketplace: OptionalText('The marketplace of the price', 'tcgplayer'),
  externalId: ExternalId,
  currency: Currency,
  days: Type.Integer({
    description:
      'Number of days on which its source has reported about the same; 0 for a past day.',
  }),
  observedAt: ObservedAt,
  quarantinedAt: Text('When it was quarantined: ISO 8601, UTC.', '2026-01-28T20:10:00Z'),
  rule: Text('The validation rule that it broke, for programs: see docs/pricing.md.', 'price-jump'),
  decision: OptionalText(
    'The decision of the operator, `rejected`; or `closed` if none was made in time',
    'rejected',
  ),
  settledBy: Text(
    'What would settle it, or why it has closed, in a sentence.',
    'It is settled when its source corrects it, or by a decision.',
  ),
  closesOn: OptionalText('The day (UTC) on which it closes by itself', '2026-02-27'),
  actions: Type.Array(Type.String(), {
    description: 'What the operator can do with it: `approve`, `reject`, `undo` a rejection.',
  }),
  explanation: Explanation,
};

const Was = Amount(
  'The last accepted amount in `currency`, US dollars or another; null if unknown.',
);

const QuarantinedNumber = Type.Object(
  {
    ...QuarantineEntryFields,
    value: Amount(
      'The amount that its source reports in `currency`, US dollars or another; null if it ' +
        'reports that the price is gone.',
    ),
    was: Was,
    ratio: Ratio,
  },
  { title: 'QuarantinedNumber' },
);

const QuarantinedNumbers = Type.Array(QuarantinedNumber, {
  description: 'Quarantined amounts of this number, newest first.',
});

const LeftOut = Type.Object(
  {
    source: Source,
    marketplace: Marketplace,
    externalId: ExternalId,
    value: Amount(
      'The amount in `currency`, US dollars or another; null if the source does not report this ' +
        'number.',
    ),
    currency: Currency,
    observedAt: ObservedAt,
    fetchedAt: FetchedAt,
    reason: Text('Why it is not served, for programs.', 'freshness'),
    explanation: Explanation,
  },
  { title: 'LeftOutObservation' },
);

const ExplainedNumber = Type.Object(
  {
    name: Text('The number, as in the prices of a card.', 'conditions.near_mint'),
    value: Amount('The served amount in US dollars; null if none is served.'),
    source: OptionalText('The source that was read', 'tcgcsv'),
    marketplace: OptionalText('The marketplace of the price', 'tcgplayer'),
    externalId: ExternalId,
    currency: OptionalText('The currency of the source', 'EUR'),
    rate: Amount('US dollars per unit of `currency`; null if no conversion was needed.'),
    rateDay: OptionalText('The day of that rate, `YYYY-MM-DD`', '2026-01-28'),
    observedAt: ObservedAt,
    fetchedAt: FetchedAt,
    rule: OptionalText('The rule that chose it, for programs', 'rank'),
    explanation: Explanation,
    leftOut: Type.Array(LeftOut, { description: 'Observations that are not served, best first.' }),
    quarantined: QuarantinedNumbers,
  },
  { title: 'ExplainedNumber' },
);

const MissingNumber = Type.Object(
  {
    name: Text('The number, as in the prices of a card.', 'graded.psa_10'),
    reason: Text(
      'Why it is null, for programs: `not-reported`, `quarantined`, or the reason of the first ' +
        'entry in `leftOut`.',
      'not-reported',
    ),
    explanation: Text('Explanation in words.', 'No source reports it.'),
    quarantined: QuarantinedNumbers,
    leftOut: Type.Array(LeftOut, {
      description: 'Observations that have it and are not served, best first.',
    }),
  },
  { title: 'MissingNumber' },
);

const ExplainedBuylist = Type.Object(
  {
    price: Type.Number({ description: 'What the dealer pays, in `currency`.' }),
    currency: Currency,
    source: Text('The source that reports it.', 'mtgjson'),
    marketplace: Text('The dealer.', 'cardkingdom'),
    observedAt: Text('When it was observed: ISO 8601, UTC.', '2026-01-28T00:00:00Z'),
    isServed: Type.Boolean({ description: 'Whether `buylist` of the card has this price.' }),
    explanation: Text('Why, in a sentence.', 'The most that a dealer pays.'),
  },
  { title: 'ExplainedBuylist' },
);

const ExplainedPrinting = Type.Object(
  {
    name: Text('Finish or edition.', 'Holofoil'),
    numbers: Type.Array(ExplainedNumber, {
      description: 'Every number that is served or that a left-out observation has.',
    }),
    missing: Type.Array(MissingNumber, {
      description: 'Every number that is null here, with the reason.',
    }),
    buylists: Type.Optional(
      Type.Array(ExplainedBuylist, {
        description: 'What dealers pay, the served price first. Only if a source reports it.',
      }),
    ),
  },
  { title: 'ExplainedPrinting' },
);

const QuarantinedEntry = Type.Object(
  {
    printing: OptionalText('The printing of the price', 'Holofoil'),
    ...QuarantineEntryFields,
    amounts: Type.Array(
      Type.Object({
        name: Text('The number, without `conditions.` or `graded.`.', 'near_mint'),
        value: Amount(
          'The amount that its source reports in `currency`, US dollars or another; never null.',
        ),
        was: Was,
        ratio: Ratio,
      }),
      { description: 'The amounts that it keeps from being served.' },
    ),
  },
  { title: 'QuarantinedEntry' },
);

export const ExplainedCard = Type.Object(
  {
    cardId: CardId,
    printing: OptionalText('The default printing, whose prices the card shows', 'Holofoil'),
    printings: Type.Array(ExplainedPrinting, { description: 'Every printing, plainest first.' }),
    quarantined: Type.Array(QuarantinedEntry, {
      description:
        'Prices of the card that broke a validation rule and are not served, oldest first.',
    }),
  },
  {
    $id: 'ExplainedCard',
    title: 'ExplainedCard',
    description: 'Where every price of a card comes from, and what was left out.',
  },
);
