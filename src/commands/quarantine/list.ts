import { dayOf, formatDay } from '../../domain/day.ts';
import { type Cents, dollarsOrNull } from '../../domain/money.ts';
import {
  actionsOn,
  formatChange,
  formatSpan,
  type QuarantinedPrice,
  tellingAmount,
} from '../../domain/quarantined.ts';
import { settlementView } from '../../http/v1/explain.ts';
import type { Store } from '../../store/connect.ts';
import {
  type Grouping,
  groupQuarantined,
  type QuarantineExample,
  type QuarantineGroup,
} from '../../store/quarantine/groups.ts';
import { quarantinedPrices } from '../../store/quarantine/prices.ts';
import {
  countMatching,
  type ListedEntry,
  listQuarantined,
  type QuarantineFilter,
  quarantinePages,
} from '../../store/quarantine/quarantine.ts';
import {
  formatCount,
  formatOptionalMoment,
  printJson,
  printJsonPages,
  printLine,
  printTable,
} from '../output.ts';

/** Prints the quarantine, entry by entry or in groups. */

/** Entries and groups listed for people by default. */
const ENTRIES_SHOWN = 100;
const GROUPS_SHOWN = 20;

/** Prints all selected entries as JSON, page by page. */
export async function printEntriesJson(store: Store, filter: QuarantineFilter): Promise<void> {
  const { limit } = filter;
  if (limit === undefined) return printJsonPages(jsonPages(store, filter));
  printJson(await entriesJson(store, await listQuarantined(store.db, filter)));
}

async function* jsonPages(store: Store, filter: QuarantineFilter) {
  for await (const page of quarantinePages(store.db, filter)) yield entriesJson(store, page);
}

async function entriesJson(store: Store, entries: readonly ListedEntry[]) {
  const prices = await quarantinedPrices(store, entries);
  return entries.map((entry, index) => entryJson(entry, prices[index]));
}

/** Prints the first entries as a table, and the number of further ones. */
export async function printEntries(store: Store, filter: QuarantineFilter): Promise<void> {
  const { db } = store;
  const entries = await listQuarantined(db, { ...filter, limit: filter.limit ?? ENTRIES_SHOWN });
  const prices = await quarantinedPrices(store, entries);
  const cells = prices.map((price) => [
    String(price.id),
    price.source,
    price.decision === null ? price.rule : `${price.rule} (${price.decision})`,
    formatDay(dayOf(price.quarantinedAt)),
    settlementView(price).closesOn ?? '',
    price.detail,
  ]);
  const nothing = filter.isDecided ? 'There are no decided entries.' : 'Nothing is quarantined.';
  printTable(['ID', 'SOURCE', 'RULE', 'SINCE', 'CLOSES', 'DETAIL'], cells, nothing);
  const { count } = await countMatching(db, filter);
  if (count <= entries.length) return;
  const shown = `${formatCount(entries.length)} of ${formatCount(count)}`;
  printLine();
  printLine(`${shown}. The next ones: --after ${entries.at(-1)?.id}. All in groups: --by set`);
}

/** Prints groups, the largest first. */
export async function printGroups(
  store: Store,
  by: Grouping,
  { limit, ...filter }: QuarantineFilter,
  isJson: boolean,
): Promise<void> {
  const groups = await groupQuarantined(store, by, filter);
  if (isJson) return printJson(groups.slice(0, limit).map(groupJson));
  if (groups.length === 0) printLine('Nothing is quarantined.');
  const shown = groups.slice(0, limit ?? GROUPS_SHOWN);
  for (const group of shown) printGroup(group);
  const rest = groups.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  if (rest === 0) return;
  const more = formatCount(groups.length - shown.length);
  printLine(`${more} more groups with ${formatCount(rest)} entries: --limit ${groups.length}`);
}

function printGroup(group: QuarantineGroup): void {
  const { name, game, count, rules, sources, oldest, newest, change, examples } = group;
  const days = [...new Set([oldest, newest].map((moment) => formatDay(dayOf(moment))))];
  printLine(`${name ?? 'of no set'}${game ? ` (${game})` : ''}: ${formatCount(count)}`);
  const span = change ? `; ${formatSpan(change)}` : '';
  printLine(`  ${countsText(rules)}; ${countsText(sources)}; ${days.join(' to ')}${span}`);
  for (const example of examples) printLine(`  ${exampleText(example)}`);
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return entries.map(([name, count]) => `${name} ${formatCount(count)}`).join(', ');
}

/** Describes an entry as `#17 Card 1 (Foil), market: $10.00 → $99.00 (9.9×)`, or by its detail. */
export function exampleText({ price, cardName }: QuarantineExample): string {
  const { id, printing, detail, currency } = price;
  const amount = tellingAmount(price);
  const hasMoved = amount && amount.was !== null && amount.was !== amount.value;
  if (!hasMoved || cardName === null) return `#${id} ${detail}`;
  return `#${id} ${cardName} (${printing}), ${amount.name}: ${formatChange(amount, currency)}`;
}

/** A group for programs. */
export function groupJson(all: QuarantineGroup) {
  const {
    lastId: _,
    stake: _stake,
    weight: _weight,
    views: _views,
    examples,
    oldest,
    newest,
    ...group
  } = all;
  return {
    ...group,
    oldest: formatOptionalMoment(oldest),
    newest: formatOptionalMoment(newest),
    examples: examples.map(exampleJson),
  };
}

/** An example for programs, with the amount that differs most from the accepted one. */
export function exampleJson({ price, card, cardName, setName, game }: QuarantineExample) {
  const amount = tellingAmount(price);
  return {
    id: price.id,
    source: price.source,
    rule: price.rule,
    detail: price.detail,
    game,
    set: setName,
    card,
    name: cardName,
    printing: price.printing,
    currency: price.currency,
    amount: amount?.name ?? null,
    value: dollarsOrNull(amount?.value ?? null),
    was: dollarsOrNull(amount?.was ?? null),
    ratio: amount?.ratio ?? null,
    days: price.days,
    observedAt: formatOptionalMoment(price.observedAt),
    quarantinedAt: formatOptionalMoment(price.quarantinedAt),
  };
}

function entryJson(entry: ListedEntry, price: QuarantinedPrice | undefined) {
  return {
    id: entry.id,
    source: entry.source,
    marketplace: entry.marketplace,
    game: entry.game,
    set: entry.setName,
    card: entry.card,
    name: entry.cardName,
    printing: entry.printing,
    rule: entry.rule,
    detail: entry.detail,
    ...observationJson(entry, price),
    externalId: entry.externalId,
    observedAt: formatOptionalMoment(entry.observedAt),
    quarantinedAt: formatOptionalMoment(entry.quarantinedAt),
    decision: entry.decision,
    decidedAt: formatOptionalMoment(entry.decidedAt),
  };
}

/**
 * Returns the reported amounts in units of their currency, and the quarantined ones with the
 * amounts accepted before. For a mass delisting, returns the number of printings that it would
 * have left without a price.
 */
function observationJson(
  { observation, delisted }: ListedEntry,
  price: QuarantinedPrice | undefined,
) {
  if (delisted.length > 0) return { delisted: delisted.length };
  if (observation === null || !price) return {};
  const { prices, conditions, graded } = observation;
  return {
    currency: price.currency,
    days: price.days,
    prices: unitsOf(prices),
    conditions: unitsOf(conditions),
    graded: unitsOf(graded),
    quarantined: price.amounts.map(({ name, value, was, ratio }) => {
      return { name, value: dollarsOrNull(value), was: dollarsOrNull(was), ratio };
    }),
    actions: actionsOn(price),
    ...settlementView(price),
  };
}

function unitsOf(amounts: object): Record<string, number | null> {
  const entries = Object.entries<Cents | null>({ ...amounts });
  return Object.fromEntries(entries.map(([name, cents]) => [name, dollarsOrNull(cents)]));
}
