import { type Static, Type } from 'typebox';
import { countCardViews } from '../accounts/quota/card-views-sql.ts';
import { addDays, dayOf, formatDay, formatMoment, type Millis } from '../domain/day.ts';
import { type Cents, dollarsFromCents } from '../domain/money.ts';
import { actionsOn, tellingAmount, VALIDATION_RULES } from '../domain/quarantined.ts';
import { PRICE_SOURCES } from '../domain/sources.ts';
import { Limit, Offset } from '../http/parameters.ts';
import { settlementView } from '../http/v1/explain.ts';
import type { Store } from '../store/connect.ts';
import { type MarketTrail, marketTrails } from '../store/history/index.ts';
import {
  type CardViewCounts,
  countBySet,
  GROUPINGS,
  type Grouping,
  groupQuarantined,
  groupSentence,
  type QuarantineDigest,
  type QuarantineExample,
  type QuarantineGroup,
  quarantineDigest,
  quarantineExamples,
} from '../store/quarantine/groups.ts';
import {
  countMatching,
  listQuarantined,
  type QuarantineFilter,
} from '../store/quarantine/quarantine.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { Data } from './schemas.ts';
import {
  QuarantineDigestView,
  QuarantinedSetView,
  type QuarantinedView,
  QuarantineGroups,
  type QuarantineGroupView,
  QuarantineList,
} from './views.ts';

/** Selects quarantined prices; a missing field restricts nothing. */
export const QUARANTINE_FILTER = {
  source: Type.Optional(
    Type.String({ title: 'The source', enum: PRICE_SOURCES.map(({ name }) => name) }),
  ),
  rule: Type.Optional(Type.String({ title: 'The rule', enum: Object.keys(VALIDATION_RULES) })),
  /** The row id of a set; 0 for prices without a set. */
  set: Type.Optional(Type.Integer({ title: 'The set', minimum: 0, maximum: 999_999_999 })),
};

/** The most quarantined prices to list, or decide on, at once. */
export const MAX_QUARANTINED = 200;

const ListQuery = Type.Object({
  ...QUARANTINE_FILTER,
  /** Only entries after this id. */
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999 })),
  /** Entries that were rejected or have closed, instead of waiting ones. */
  rejected: Type.Optional(Type.Boolean()),
  closed: Type.Optional(Type.Boolean()),
  limit: Limit(50, MAX_QUARANTINED),
});

/** Decisions in a digest. */
export const DIGEST_SIZE = 20;

const GroupsQuery = Type.Object({
  ...QUARANTINE_FILTER,
  by: Type.Unsafe<Grouping>({ type: 'string', enum: GROUPINGS.filter((by) => by !== 'day') }),
  limit: Limit(20, 100),
  offset: Offset,
});

/** The quarantine, price by price and in groups. */
export const QUARANTINE_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'listQuarantine',
    summary: 'List quarantined prices.',
    method: 'GET',
    path: '/quarantine',
    keys: true,
    audit: null,
    schema: { querystring: ListQuery, response: { 200: QuarantineList } },
    async handle({ store }, { query: { after, limit, rejected, closed, ...chosen } }) {
      const waiting = filterOf(chosen);
      const decision = rejected ? ('rejected' as const) : closed ? ('closed' as const) : undefined;
      const filter: QuarantineFilter = decision
        ? { ...waiting, isDecided: undefined, decision }
        : waiting;
      const rows = await listQuarantined(store.db, { ...filter, above: after, limit });
      const examples = await quarantineExamples(store, rows);
      const view = await viewer(store, examples);
      const { count } = await countMatching(store.db, filter);
      return { data: examples.map(view), total: count };
    },
  }),

  defineOperatorCall({
    id: 'groupQuarantine',
    summary: 'Group quarantined prices by set, rule, both or source.',
    method: 'GET',
    path: '/quarantine/groups',
    keys: true,
    audit: null,
    schema: { querystring: GroupsQuery, response: { 200: QuarantineGroups } },
    async handle({ store, clock }, { query: { by, limit, offset, ...chosen } }) {
      const views = await recentViews(store, clock());
      const all = await groupQuarantined(store, by, filterOf(chosen), views);
      const page = all.slice(offset, offset + limit);
      const examples = page.flatMap((group) => group.examples);
      const view = await viewer(store, examples);
      const data = page.map((group) => groupView(group, view));
      return { data, total: all.length, limit, offset };
    },
  }),

  defineOperatorCall({
    id: 'digestQuarantine',
    summary: 'List the decisions that matter most, by the money at stake and by requests.',
    method: 'GET',
    path: '/quarantine/digest',
    keys: true,
    audit: null,
    schema: {
      querystring: Type.Object({ limit: Limit(DIGEST_SIZE, 100) }),
      response: { 200: QuarantineDigestView },
    },
    async handle({ store, clock }, { query: { limit } }) {
      const { first, count, entries } = await readDigest(store, limit, clock());
      const view = await viewer(
        store,
        first.flatMap((group) => group.examples),
      );
      return { data: first.map((group) => groupView(group, view)), total: count, entries };
    },
  }),

  defineOperatorCall({
    id: 'listQuarantinedSets',
    summary: 'Count quarantined prices by set.',
    method: 'GET',
    path: '/quarantine/sets',
    keys: true,
    audit: null,
    schema: { response: { 200: Data(Type.Array(QuarantinedSetView)) } },
    async handle({ store }) {
      return { data: await countBySet(store) };
    },
  }),
];

/** The days whose requests count as a card's popularity. */
const VIEW_DAYS = 30;

/** Returns the most important decisions at a moment. */
export async function readDigest(
  store: Store,
  limit: number,
  at: Millis,
): Promise<QuarantineDigest> {
  return quarantineDigest(store, limit, await recentViews(store, at));
}

function recentViews({ accounts }: Store, at: Millis): Promise<CardViewCounts> {
  return countCardViews(accounts.db, addDays(dayOf(at), 1 - VIEW_DAYS));
}

interface Chosen {
  readonly source?: string;
  readonly rule?: string;
  readonly set?: number;
}

/** The waiting quarantined prices that a call selects. */
export function filterOf({ source, rule, set }: Chosen): QuarantineFilter {
  const sets = set === 0 ? { hasSet: false as const } : { sets: [set ?? 0] };
  return { source, rule, ...(set === undefined ? {} : sets), isDecided: false };
}

type View = (example: QuarantineExample) => Static<typeof QuarantinedView>;

function groupView(group: QuarantineGroup, view: View): Static<typeof QuarantineGroupView> {
  const { rules, sources, oldest, newest, closesOn, examples, ...facts } = group;
  const { stake: _, weight: _weight, ...rest } = facts;
  return {
    ...rest,
    rules: Object.keys(rules),
    sources: Object.keys(sources),
    sentence: groupSentence(group),
    oldest: formatMoment(oldest),
    newest: formatMoment(newest),
    closesOn: closesOn === null ? null : formatDay(closesOn),
    examples: examples.map(view),
  };
}

/** Days of history sent with the quarantined prices of a printing. */
const TRAIL_DAYS = 90;

/** Returns the view of entries, for which it reads the histories of all of them at once. */
async function viewer(store: Store, examples: readonly QuarantineExample[]): Promise<View> {
  const printings = examples.flatMap(({ printingRowId }) => printingRowId ?? []);
  const trails = await marketTrails(store, printings, TRAIL_DAYS);
  return (example) => quarantinedView(example, trails.get(example.printingRowId ?? 0));
}

function quarantinedView(
  { price, card, cardName, setName, game, pictured, market }: QuarantineExample,
  trail: MarketTrail | undefined,
): Static<typeof QuarantinedView> {
  const { id, source, printing, rule, detail, currency, observedAt } = price;
  const amount = tellingAmount(price);
  return {
    id,
    source,
    game,
    cardId: card,
    cardName,
    printing,
    rule,
    detail,
    currency,
    amount: amount?.name ?? null,
    value: amount ? dollarsFromCents(amount.value) : null,
    was: amount?.was ? dollarsFromCents(amount.was) : null,
    ratio: amount?.ratio ?? null,
    quarantinedAt: formatMoment(price.quarantinedAt),
    observedOn: observedAt === null ? null : formatDay(dayOf(observedAt)),
    history: trail ? trailView(trail) : null,
    isApprovable: actionsOn(price).includes('approve'),
    ...settlementView(price),
    market: market === null ? null : dollarsFromCents(market),
    setName,
    pictured,
  };
}

function trailView({ from, market }: MarketTrail) {
  const inDollars = (cents: Cents | null) => (cents === null ? null : dollarsFromCents(cents));
  return { from: formatDay(from), market: market.map(inDollars) };
}
