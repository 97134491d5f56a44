import { Type } from 'typebox';
import { PRICE_SOURCES } from '../domain/sources.ts';
import { VALIDATION_RULES } from '../domain/validation-rules.ts';

/** The bodies by which operators work with the quarantine. */

const Moment = Type.String();
const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const OptionalNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });
const Count = Type.Integer();

/** Which quarantined prices are meant; what is left out restricts nothing. */
export const QUARANTINE_FILTER = {
  source: Type.Optional(
    Type.String({ title: 'The source', enum: PRICE_SOURCES.map(({ name }) => name) }),
  ),
  rule: Type.Optional(Type.String({ title: 'The rule', enum: Object.keys(VALIDATION_RULES) })),
  /** The row id of a set; 0 means what is of no set. */
  set: Type.Optional(Type.Integer({ title: 'The set', minimum: 0, maximum: 999_999_999 })),
};

/** A group of quarantined prices, as it was when it was listed. */
export const QuarantineGroupBody = Type.Object({
  ...QUARANTINE_FILTER,
  /** The highest id of the group: what is quarantined later is not meant. */
  upTo: Type.Integer({ title: 'The last id', minimum: 1, maximum: 999_999_999 }),
});

/** How many quarantined prices can be listed, or decided on, at once. */
export const MAX_QUARANTINED = 200;

export const QuarantineIdsBody = Type.Object({
  ids: Type.Array(Type.Integer({ minimum: 1, maximum: 999_999_999 }), {
    title: 'The list of ids',
    minItems: 1,
    maxItems: MAX_QUARANTINED,
  }),
});

/** A decision as `decisions` lists it. */
export const UndoDecisionBody = Type.Object({
  decision: Type.Unsafe<'approved' | 'rejected'>({
    title: 'The decision',
    type: 'string',
    enum: ['approved', 'rejected'],
  }),
  decidedAt: Type.String({
    title: 'The moment of the decision',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    maxLength: 24,
  }),
});

/** The market prices of a printing on the last days that are known, in dollars. */
const MarketTrailView = Type.Object({
  /** `YYYY-MM-DD` */
  from: Type.String(),
  /** Of each day from the first one on; null where none is known. */
  market: Type.Array(OptionalNumber),
});

export const QuarantinedView = Type.Object({
  id: Count,
  source: Type.String(),
  game: OptionalText,
  /** The card's id in the API, where it is about one. */
  cardId: OptionalText,
  cardName: OptionalText,
  printing: OptionalText,
  /** The validation rule that it broke, and how, in words. */
  rule: Type.String(),
  detail: Type.String(),
  currency: Type.String(),
  /** The amount that is farthest from what was accepted, both in units of the currency. */
  amount: OptionalText,
  value: OptionalNumber,
  was: OptionalNumber,
  /** How many times the one is the other. */
  ratio: OptionalNumber,
  quarantinedAt: Moment,
  /** The day (UTC) on which its source observed it. */
  observedOn: OptionalText,
  history: Type.Union([MarketTrailView, Type.Null()]),
  /** Whether the operator may approve it; never what no price can be. */
  isApprovable: Type.Boolean(),
});

export const QuarantineList = Type.Object({ data: Type.Array(QuarantinedView), total: Count });

/** A set of which something waits; both null for what is of no set. */
export const QuarantinedSetView = Type.Object({
  set: OptionalNumber,
  name: OptionalText,
  count: Count,
});

/** Quarantined prices that have their set, rule or source in common. */
export const QuarantineGroupView = Type.Object({
  /** Null for what is of no set. */
  name: OptionalText,
  /** The row id of the set, and its game, where sets are grouped. */
  set: OptionalNumber,
  game: OptionalText,
  /** Where rules are grouped. */
  rule: OptionalText,
  count: Count,
  /** The least and the greatest multiple of what was accepted before, where that is known. */
  change: Type.Union([Type.Object({ from: Type.Number(), to: Type.Number() }), Type.Null()]),
  rules: Type.Array(Type.String()),
  sources: Type.Array(Type.String()),
  /** When the first and the last of them were quarantined. */
  oldest: Moment,
  newest: Moment,
  /** The highest of their ids. */
  lastId: Count,
  /** Those that are farthest from what was accepted. */
  examples: Type.Array(QuarantinedView),
});

export const QuarantineGroups = Type.Object({
  data: Type.Array(QuarantineGroupView),
  total: Count,
  limit: Count,
  offset: Count,
});

/** What became of a decision on several quarantined prices. */
export const DecisionView = Type.Object({
  /** How many it took effect on. */
  decided: Count,
  /** How many of those changed what is served. */
  pricesChanged: Count,
  /** How many stay as they are, because no price can be so, or something newer is known. */
  refused: Count,
  /** By which the decision can be undone; null for one that undid another. */
  decidedAt: OptionalText,
});

/** A decision that can be undone. */
export const ListedDecisionView = Type.Object({
  decision: Type.Unsafe<'approved' | 'rejected'>({ type: 'string' }),
  decidedAt: Moment,
  count: Count,
  /** The first sets, by name; null for what is of no set. */
  sets: Type.Array(OptionalText),
  /** How many sets there are. */
  setCount: Count,
  rules: Type.Array(Type.String()),
});

export const ListedDecisions = Type.Object({
  data: Type.Array(ListedDecisionView),
  total: Count,
  limit: Count,
  offset: Count,
});
