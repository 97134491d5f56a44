import { type Day, dayOf, formatDay, type Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import { describeGroup, stakeOf, weightOf } from '../../domain/quarantine-stakes.ts';
import { type ChangeSpan, type QuarantinedPrice, tellingAmount } from '../../domain/quarantined.ts';
import { settlementOf } from '../../domain/settlement.ts';
import type { Store } from '../connect.ts';
import { quarantinedPrices } from './prices.ts';
import {
  type ListedEntry,
  type PicturedFacts,
  type QuarantineFilter,
  quarantinePages,
} from './quarantine.ts';

/**
 * The ways to group quarantine entries. `set-rule` combines set and rule; `day` is the day on which
 * an entry was quarantined.
 */
export const GROUPINGS = ['set', 'rule', 'set-rule', 'source', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** `decision` combines set, rule and source: the subject of one decision. */
type AnyGrouping = Grouping | 'decision';

/** A group of quarantine entries. */
export interface QuarantineGroup {
  /** The name of the set, rule or source, or the day as `YYYY-MM-DD`; null for no set. */
  readonly name: string | null;
  /** The row id of the set, and its game, for groups by set. */
  readonly set: number | null;
  readonly game: GameSlug | null;
  /** Present for groups by rule. */
  readonly rule: string | null;
  readonly count: number;
  /** Null if no entry has a previously accepted price. */
  readonly change: ChangeSpan | null;
  /** The money at stake in the decision, in cents. */
  readonly stake: Cents;
  /** The money, weighted more for popular cards. Decisions are ordered by it. */
  readonly weight: number;
  /** The number of requests in 30 days for its most requested card; 0 if not counted. */
  readonly views: number;
  /** The number of entries by rule, and by source. */
  readonly rules: Readonly<Record<string, number>>;
  readonly sources: Readonly<Record<string, number>>;
  /** When the first and the last entry were quarantined. */
  readonly oldest: Millis;
  readonly newest: Millis;
  /** The first day (UTC) on which one of the entries closes by itself; null if none waits. */
  readonly closesOn: Day | null;
  /** The highest id of the entries. */
  readonly lastId: number;
  /** The entries farthest from the accepted price, the farthest first. */
  readonly examples: readonly QuarantineExample[];
}

/** A quarantine entry with its card. */
export interface QuarantineExample {
  readonly price: QuarantinedPrice;
  /** The row id of the printing; null if there is none yet, or several. */
  readonly printingRowId: number | null;
  /** The public id and the name of the card; null if the entry concerns several cards. */
  readonly card: string | null;
  readonly cardName: string | null;
  readonly setName: string | null;
  readonly game: GameSlug | null;
  readonly pictured: PicturedFacts | null;
  /** The served market price of the printing, in cents. */
  readonly market: Cents | null;
}

/** The number of requests for cards in 30 days, by public id. */
export type CardViewCounts = ReadonlyMap<string, number>;

const EXAMPLES = 3;

/** Groups the selected entries, largest group first. Reads them page by page. */
export async function groupQuarantined(
  store: Store,
  by: AnyGrouping,
  filter: QuarantineFilter,
  views: CardViewCounts = new Map(),
): Promise<QuarantineGroup[]> {
  const groups = new Map<string, Writable>();
  for await (const page of quarantinePages(store.db, filter)) {
    const examples = await quarantineExamples(store, page);
    for (const [index, entry] of page.entries()) {
      const key = keyOf(entry, by);
      const group = groups.get(key) ?? emptyGroup(entry, by);
      groups.set(key, group);
      const example = examples[index];
      if (example) add(group, entry, example, views);
    }
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || a.lastId - b.lastId);
}

/**
 * Returns the most important decisions, by the money at stake and the popularity of the cards:
 * groups of one set, rule and source that wait for the operator.
 */
export async function quarantineDigest(
  store: Store,
  limit: number,
  views: CardViewCounts,
): Promise<QuarantineDigest> {
  const groups = await groupQuarantined(store, 'decision', { isDecided: false }, views);
  const byWeight = groups.toSorted((a, b) => b.weight - a.weight || a.lastId - b.lastId);
  const first = byWeight.slice(0, limit);
  return { first, count: groups.length, entries: groups.reduce((sum, one) => sum + one.count, 0) };
}

/** The most important decisions, and the total numbers of waiting decisions and entries. */
export interface QuarantineDigest {
  readonly first: readonly QuarantineGroup[];
  readonly count: number;
  readonly entries: number;
}

/** Describes a group in a sentence. */
export function groupSentence(group: QuarantineGroup): string {
  const { rules, sources, set, name } = group;
  const facts = { rules: Object.keys(rules), sources: Object.keys(sources) };
  return describeGroup({ ...group, ...facts, set: set === null ? null : name });
}

/** A set with quarantine entries. */
export interface QuarantinedSet {
  /** Its row id and its name; null for entries without a set. */
  readonly set: number | null;
  readonly name: string | null;
  readonly count: number;
}

/** Counts the entries that wait for the operator by set, ordered by name of the set. */
export async function countBySet({ db }: Store): Promise<QuarantinedSet[]> {
  const rows = await db
    .selectFrom('quarantine')
    .leftJoin('sets', 'sets.id', 'quarantine.set_id')
    .where('quarantine.decision', 'is', null)
    .groupBy(['quarantine.set_id', 'sets.name'])
    .select(({ fn }) => ['quarantine.set_id as set', 'sets.name', fn.countAll().as('count')])
    .execute();
  const counted = rows.map((row) => ({ ...row, count: Number(row.count) }));
  return counted.sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
}

/** A group that is being filled. */
interface Writable extends QuarantineGroup {
  count: number;
  change: ChangeSpan | null;
  stake: Cents;
  weight: number;
  views: number;
  readonly rules: Record<string, number>;
  readonly sources: Record<string, number>;
  newest: Millis;
  oldest: Millis;
  closesOn: Day | null;
  lastId: number;
  examples: QuarantineExample[];
}

function keyOf(entry: ListedEntry, by: AnyGrouping): string {
  if (by === 'decision') return `${entry.setRowId} ${entry.rule} ${entry.source}`;
  if (by === 'set-rule') return `${entry.setRowId} ${entry.rule}`;
  return by === 'set' ? String(entry.setRowId) : String(nameOf(entry, by));
}

function nameOf(entry: ListedEntry, by: AnyGrouping): string | null {
  if (isOfSet(by)) return entry.setName;
  return by === 'day' ? formatDay(dayOf(entry.quarantinedAt)) : entry[by];
}

function isOfSet(by: AnyGrouping): by is 'set' | 'set-rule' | 'decision' {
  return by === 'set' || by === 'set-rule' || by === 'decision';
}

function emptyGroup(entry: ListedEntry, by: AnyGrouping): Writable {
  const isSet = isOfSet(by);
  const isRule = by === 'rule' || by === 'set-rule' || by === 'decision';
  return {
    name: nameOf(entry, by),
    set: isSet ? entry.setRowId : null,
    game: isSet ? entry.game : null,
    rule: isRule ? entry.rule : null,
    count: 0,
    change: null,
    stake: 0 as Cents,
    weight: 0,
    views: 0,
    rules: {},
    sources: {},
    lastId: entry.id,
    examples: [],
    oldest: entry.quarantinedAt,
    newest: entry.quarantinedAt,
    closesOn: null,
  };
}

function add(
  group: Writable,
  entry: ListedEntry,
  example: QuarantineExample,
  views: CardViewCounts,
): void {
  group.count += 1;
  group.rules[entry.rule] = (group.rules[entry.rule] ?? 0) + 1;
  group.sources[entry.source] = (group.sources[entry.source] ?? 0) + 1;
  group.oldest = Math.min(group.oldest, entry.quarantinedAt);
  group.newest = Math.max(group.newest, entry.quarantinedAt);
  group.lastId = Math.max(group.lastId, entry.id);
  group.closesOn = earlier(group.closesOn, settlementOf(example.price).closesOn);
  group.change = withChange(group.change, example);
  group.examples = withExample(group.examples, example);
  addStake(group, example, views);
}

function earlier(a: Day | null, b: Day | null): Day | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function addStake(
  group: Writable,
  { price, card }: QuarantineExample,
  counts: CardViewCounts,
): void {
  const stake = stakeOf(price);
  const views = card === null ? 0 : (counts.get(card) ?? 0);
  group.stake = (group.stake + stake) as Cents;
  group.weight += weightOf(stake, views);
  group.views = Math.max(group.views, views);
}

function withChange(span: ChangeSpan | null, { price }: QuarantineExample): ChangeSpan | null {
  const amount = tellingAmount(price);
  if (!amount?.was) return span;
  const multiple = amount.value / amount.was;
  const { from, to } = span ?? { from: multiple, to: multiple };
  return { from: Math.min(from, multiple), to: Math.max(to, multiple) };
}

/** Adds an example to a list, and keeps only the most telling ones. */
export function withExample(
  examples: readonly QuarantineExample[],
  example: QuarantineExample,
  most = EXAMPLES,
): QuarantineExample[] {
  const at = examples.findIndex((other) => ratioOf(other) < ratioOf(example));
  return examples.toSpliced(at === -1 ? examples.length : at, 0, example).slice(0, most);
}

function ratioOf({ price }: QuarantineExample): number {
  return tellingAmount(price)?.ratio ?? 0;
}

/** Returns the listed entries as examples, in the same order. */
export async function quarantineExamples(
  store: Store,
  entries: readonly ListedEntry[],
): Promise<QuarantineExample[]> {
  const prices = await quarantinedPrices(store, entries);
  return prices.flatMap((price, index) => {
    const entry = entries[index];
    if (!entry) return [];
    const { printingRowId, card, cardName, setName, game, pictured, market } = entry;
    return { price, printingRowId, card, cardName, setName, game, pictured, market };
  });
}
