import { Type } from 'typebox';
import { CardId, OptionalText, Text } from './schemas.ts';

/** The schemas of the endpoint that explains prices. */

const Amount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

const Moment = (description: string) => OptionalText(description, '2026-01-28T20:05:12Z');

const Source = Text('The source that was read, as `cardprice sources` lists it.', 'tcgcsv');
const Marketplace = Text(
  'The marketplace whose price it is, as `sources` of a card names it.',
  'tcgplayer',
);
const ExternalId = OptionalText("The source's own id of the card", '42382');
const Currency = Text('The currency in which the source gives it.', 'USD');
const Explanation = Text('Why, in words.', 'The only price that there is.');
const ObservedAt = Moment('When it was observed at its source: ISO 8601, UTC');
const FetchedAt = Moment('When the import began that brought it: ISO 8601, UTC');

const Ratio = Amount(
  'How many times the one amount is the other, in US dollars or another currency, never below 1; ' +
    'null where nothing is compared.',
);

/** The fields that all views of a quarantine entry have. */
const QuarantineEntryFields = {
  id: Type.Integer({ description: 'By which the operator decides on it.', examples: [17] }),
  source: Source,
  marketplace: OptionalText('The marketplace whose price it is', 'tcgplayer'),
  externalId: ExternalId,
  currency: Currency,
  days: Type.Integer({
    description:
      'On how many days its source has reported about the same; 0 for a day of the past.',
  }),
  observedAt: ObservedAt,
  quarantinedAt: Text('When it was quarantined: ISO 8601, UTC.', '2026-01-28T20:10:00Z'),
  rule: Text('The validation rule that it broke, for programs: see docs/pricing.md.', 'price-jump'),
  decision: OptionalText('What the operator has decided, `rejected`', 'rejected'),
  actions: Type.Array(Type.String(), {
    description: 'What the operator can do with it: `approve`, `reject`, `undo` a rejection.',
  }),
  explanation: Explanation,
};

const Was = Amount(
  'What was last accepted of it in its `currency`, US dollars or another; null where that is unknown.',
);

const QuarantinedNumber = Type.Object({
  ...QuarantineEntryFields,
  value: Amount(
    'What its source reports in its `currency`, US dollars or another; null where it reports that ' +
      'there is no price.',
  ),
  was: Was,
  ratio: Ratio,
});

const QuarantinedNumbers = Type.Array(QuarantinedNumber, {
  description: 'What is quarantined of this number, the newest first.',
});

const LeftOut = Type.Object({
  source: Source,
  marketplace: Marketplace,
  externalId: ExternalId,
  value: Amount(
    'The amount in its `currency`, US dollars or another; null where the source does not give ' +
      'this number.',
  ),
  currency: Currency,
  observedAt: ObservedAt,
  fetchedAt: FetchedAt,
  reason: Text('Why it is not served, for programs.', 'freshness'),
  explanation: Explanation,
});

const ExplainedNumber = Type.Object({
  name: Text('The number, as in the prices of a card.', 'conditions.near_mint'),
  value: Amount('What is served, in US dollars; null where nothing is.'),
  source: OptionalText('The source that was read', 'tcgcsv'),
  marketplace: OptionalText('The marketplace whose price it is', 'tcgplayer'),
  externalId: ExternalId,
  currency: OptionalText('The currency in which the source gives it', 'EUR'),
  rate: Amount(
    'By how much it was multiplied to become US dollars; null where it was in dollars already.',
  ),
  rateDay: OptionalText('The day of that rate, `YYYY-MM-DD`', '2026-01-28'),
  observedAt: ObservedAt,
  fetchedAt: FetchedAt,
  rule: OptionalText('What put it before the others, for programs', 'rank'),
  explanation: Explanation,
  leftOut: Type.Array(LeftOut, { description: 'What is not served, the best of it first.' }),
  quarantined: QuarantinedNumbers,
});

const MissingNumber = Type.Object({
  name: Text('The number, as in the prices of a card.', 'graded.psa_10'),
  reason: Text(
    'Why it is null, for programs: `not-reported`, `quarantined`, or the reason for which the ' +
      'first of `leftOut` is left out.',
    'not-reported',
  ),
  explanation: Text('Why, in words.', 'No source reports it.'),
  quarantined: QuarantinedNumbers,
  leftOut: Type.Array(LeftOut, { description: 'What has it and is not served, the best first.' }),
});

const ExplainedPrinting = Type.Object({
  name: Text('Finish or edition.', 'Holofoil'),
  numbers: Type.Array(ExplainedNumber, {
    description: 'Every number that is served, or could be if nothing spoke against it.',
  }),
  missing: Type.Array(MissingNumber, {
    description: 'Every number that a printing could have and that is null here, and why.',
  }),
});

const QuarantinedEntry = Type.Object({
  printing: OptionalText('The printing that the price is of', 'Holofoil'),
  ...QuarantineEntryFields,
  amounts: Type.Array(
    Type.Object({
      name: Text('The number, without `conditions.` or `graded.`.', 'near_mint'),
      value: Amount(
        'What its source reports in its `currency`, US dollars or another; null is never reported.',
      ),
      was: Was,
      ratio: Ratio,
    }),
    { description: 'The amounts that are not served because of it.' },
  ),
});

export const ExplainedCard = Type.Object(
  {
    cardId: CardId,
    printing: OptionalText("The printing that the card's own prices are of", 'Holofoil'),
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
