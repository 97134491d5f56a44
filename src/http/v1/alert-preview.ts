import type { Catalog } from '../../catalog/catalog.ts';
import { previewLine } from '../../domain/alerts.ts';
import { addDays, type Day } from '../../domain/day.ts';
import {
  type AlertDraft,
  type FoundLine,
  historiesOf,
  LOOK_BACK,
  pricesOf,
} from './alert-draft.ts';
import { firedView } from './alert-view.ts';
import type { PlanHistory } from './endpoint.ts';
import { dateOf } from './views.ts';

/** Days that a preview judges, if the plan includes them. */
const PREVIEW_DAYS = 365;

/** Events that a preview lists. */
const LISTED = 100;

/**
 * Returns the events that an alert would have fired in the last year, or in as many days as the
 * plan includes.
 * @throws ApiError PLAN_RESTRICTION if the plan includes no history.
 */
export async function previewOf(catalog: Catalog, draft: AlertDraft, history: PlanHistory) {
  const { rule, lines } = draft;
  const longest = history.longest();
  const days = Math.min(PREVIEW_DAYS, longest ?? PREVIEW_DAYS);
  const isWhole = longest === null || longest >= days + LOOK_BACK;
  const to = newestOf(catalog, lines);
  if (to === null || days === 0) return { from: null, to: null, total: 0, events: [] };
  const from = addDays(to, 1 - days);
  // Extremes and first prices depend on the whole earlier history.
  const needsAll = ['high', 'low', 'first'].includes(rule.kind);
  const read = needsAll || longest !== null ? longest : days + LOOK_BACK;
  const events: (ReturnType<typeof viewOf> & { readonly day: Day })[] = [];
  for await (const [line, observed] of historiesOf(catalog, lines, history, read)) {
    const prices = pricesOf(observed).filter(({ day }) => !isDisputed(line, day));
    for (const { day, ...change } of previewLine(rule, { prices, from, isWhole })) {
      events.push({ ...viewOf(line, day, change), day });
    }
  }
  events.sort((a, b) => b.day - a.day);
  const newest = events.slice(0, LISTED).map(({ day: _, ...event }) => event);
  return { from: dateOf(from), to: dateOf(to), total: events.length, events: newest };
}

function newestOf(catalog: Catalog, lines: readonly FoundLine[]): Day | null {
  const games = new Set(lines.map(({ subject }) => subject.set.game));
  const days = [...games].flatMap((game) => catalog.asOf(game) ?? []);
  return days.length === 0 ? null : (Math.max(...days) as Day);
}

/** Whether a source reports a price that is in quarantine since a day. No price is then judged. */
function isDisputed({ found: { dispute } }: FoundLine, day: Day): boolean {
  return dispute !== undefined && day >= dispute.since;
}

function viewOf(
  line: FoundLine,
  day: Day,
  change: Omit<ReturnType<typeof previewLine>[number], 'day'>,
) {
  return { date: dateOf(day), ...firedView({ ...line, ...change }, line.subject) };
}
