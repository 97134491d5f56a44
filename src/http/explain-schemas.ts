import { Type } from 'typebox';
import { CardId, OptionalText, Text } from './schemas.ts';

/** The shapes of what explains prices. */

const Amount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

const Moment = (description: string) => OptionalText(description, '2026-01-28T20:05:12Z');

const Source = Text('The source that was read, as `cardprice sources` lists it.', 'tcgcsv');
const Origin = Text('Whose price it is, as `sources` of a card names it.', 'tcgplayer');
const SourceId = OptionalText("The source's own id of the card", '42382');
const Currency = Text('The currency in which the source gives it.', 'USD');
const Explanation = Text('Why, in words.', 'The only price that there is.');
const ObservedAt = Moment('When it was observed at its source: ISO 8601, UTC');
const FetchedAt = Moment('When the import began that brought it: ISO 8601, UTC');

const LeftOut = Type.Object({
  source: Source,
  origin: Origin,
  sourceId: SourceId,
  value: Amount(
    'What it says, in its `currency`, US dollars or another; null where it says nothing of this ' +
      'number.',
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
  origin: OptionalText('Whose price it is', 'tcgplayer'),
  sourceId: SourceId,
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
});

const ExplainedPrinting = Type.Object({
  name: Text('Finish or edition.', 'Holofoil'),
  numbers: Type.Array(ExplainedNumber, {
    description: 'Every number that is served, or could be if nothing spoke against it.',
  }),
});

const HeldBack = Type.Object({
  printing: OptionalText('The printing that it is said of', 'Holofoil'),
  source: Source,
  origin: OptionalText('Whose price it is', 'tcgplayer'),
  sourceId: SourceId,
  observedAt: ObservedAt,
  heldAt: Text('When it was held back: ISO 8601, UTC.', '2026-01-28T20:10:00Z'),
  reason: Text('Why, for programs: see docs/pricing.md.', 'price-jump'),
  explanation: Explanation,
});

export const ExplainedCard = Type.Object(
  {
    cardId: CardId,
    printing: OptionalText("The printing that the card's own prices are of", 'Holofoil'),
    printings: Type.Array(ExplainedPrinting, { description: 'Every printing, plainest first.' }),
    heldBack: Type.Array(HeldBack, {
      description: 'What sources say of the card and is not believed, oldest first.',
    }),
  },
  {
    $id: 'ExplainedCard',
    title: 'ExplainedCard',
    description: 'Where every price of a card comes from, and what was left out.',
  },
);
