import { Type } from 'typebox';
import { MAX_ALERT_NAME, MAX_LINES } from '../accounts/alerts/alerts.ts';
import {
  ALERT_KIND_NAMES,
  ALERT_MAILS,
  type AlertKind,
  type AlertMail,
  RULE_LIMITS,
} from '../domain/alerts.ts';
import { DayText, Moment, NullableText, Price, Text, Titled } from './schemas.ts';

/** The schemas of alerts for the API and the pages. */

const CARD = 'pokemon-bs-charizard-004';

const Kind = Titled(
  'AlertKind',
  Type.Unsafe<AlertKind>({
    type: 'string',
    enum: ALERT_KIND_NAMES,
    description: 'What it waits for (docs/alerts.md).',
  }),
);

export const Mail = Titled(
  'AlertMail',
  Type.Unsafe<AlertMail>({
    type: 'string',
    enum: [...ALERT_MAILS],
    description: 'Whether and when events are mailed.',
  }),
);

const Copy = {
  condition: Type.Optional(
    Type.String({
      description: 'Such as `near_mint`.',
      maxLength: 40,
    }),
  ),
  grade: Type.Optional(Type.String({ description: 'Such as `psa_10`.', maxLength: 40 })),
};

const Line = Type.Object(
  {
    card: Type.String({ description: 'Id of the card.', maxLength: 300 }),
    printing: Type.Optional(
      Type.String({ description: 'By default the default printing.', maxLength: 100 }),
    ),
    ...Copy,
  },
  { title: 'AlertLine', description: 'A price to watch.' },
);

/** The rule of an alert, and the prices that it watches. */
export const AlertBody = Type.Object(
  {
    kind: Kind,
    amount: Type.Optional(
      Type.Number({
        description: 'Of `above` and `below`, in US dollars.',
        minimum: 0.01,
        maximum: RULE_LIMITS.amount / 100,
        examples: [400],
      }),
    ),
    percent: Type.Optional(
      Type.Integer({
        description: 'Of `rise` and `fall`.',
        minimum: 1,
        maximum: RULE_LIMITS.percent,
      }),
    ),
    days: Type.Optional(
      Type.Integer({ description: 'Their window.', minimum: 1, maximum: RULE_LIMITS.days }),
    ),
    name: Type.Optional(
      Type.String({ maxLength: MAX_ALERT_NAME, pattern: '^[^\\p{C}]*$', description: 'A name.' }),
    ),
    mail: Type.Optional(Mail),
    ...Type.Partial(Line).properties,
    card: Type.Optional(
      Type.String({ description: 'Id of a card.', maxLength: 300, examples: [CARD] }),
    ),
    lines: Type.Optional(
      Type.Array(Line, { minItems: 1, maxItems: MAX_LINES, description: 'Several prices.' }),
    ),
    set: Type.Optional(
      Type.String({ description: 'Id of a set: every printing of it.', maxLength: 300 }),
    ),
  },
  {
    description: 'What to wait for: `kind` with its numbers, and one of `card`, `lines` and `set`.',
    title: 'AlertBody',
  },
);

const OptionalCount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });

const Watched = {
  card: Type.Optional(Text('If it watches one price.', CARD)),
  cardName: Type.Optional(Text('Its name.', 'Charizard')),
  setName: Type.Optional(Text('The name of the set.', 'Base Set')),
  printing: Type.Optional(Text('Its printing.', 'Holofoil')),
  ...Copy,
};

export const AlertItem = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the alert.' }),
    name: Type.String({ description: 'Empty without one.' }),
    kind: Kind,
    amount: Price('The amount'),
    percent: OptionalCount('Null unless the kind has one.'),
    days: OptionalCount('Null unless the kind has some.'),
    mail: Mail,
    set: Type.Optional(Text('If it watches a set.', 'pokemon-base-set')),
    game: Type.Optional(Text('Its game.', 'pokemon')),
    ...Watched,
    lineCount: OptionalCount('Watched prices; null for a set.'),
    price: Price('The price now, if it watches one'),
    createdAt: Moment('When it was made.'),
    pausedAt: NullableText('Null unless it is paused.'),
    firedAt: NullableText('When it fired last; null for never.'),
    lines: Type.Optional(Type.Array(Line, { description: 'Only of a single alert.' })),
  },
  { $id: 'Alert', title: 'Alert', description: 'An alert on prices.' },
);

const Before = Price('The price before');
const After = Type.Number({ description: 'The price that made it fire, in US dollars.' });
const Fired = {
  card: Text('The card.', CARD),
  cardName: Text('Its name.', 'Charizard'),
  printing: Text('Its printing.', 'Holofoil'),
  ...Copy,
  before: Before,
  after: After,
};

export const AlertEventItem = Type.Object(
  {
    id: Type.Optional(Text('Id of the event; none in a preview.', 'alert_0f3c')),
    alert: Type.Optional(Type.Integer({ description: 'Id of the alert; none in a preview.' })),
    publication: Type.Optional(Type.Integer({ description: 'None in a preview.' })),
    date: DayText,
    ...Fired,
  },
  { $id: 'AlertEvent', title: 'AlertEvent', description: 'An alert fired.' },
);

export const AlertPreview = Type.Object(
  {
    from: NullableText('The first judged day; null for none.'),
    to: NullableText('The last judged day; null for none.'),
    total: Type.Integer({ description: 'How many events.' }),
    events: Type.Array(AlertEventItem, { description: 'The newest 100, newest first.' }),
  },
  { $id: 'AlertPreview', title: 'AlertPreview', description: 'What an alert would have fired.' },
);
