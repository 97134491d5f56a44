import type { RunRecord } from '../record.ts';
import { revisionsOf } from './chain.ts';

/** Promises about what a webhook gets. */

/** So long after a run it may get the last: an event that a killed node took waits for a minute. */
export const ANNOUNCED_MS = 90_000;

/** A node looks every second for what to announce. */
const SERVED_MS = 3000;

/**
 * Each acknowledged publication of the run that a node served for a while is accepted by the
 * webhook. One that another replaced at once need not be announced.
 */
export function publicationsAreAnnounced(record: RunRecord): string[] {
  const { begun, publications, messages } = record;
  const accepted = new Set(messages.flatMap((one) => (one.isAccepted ? [one.revision] : [])));
  const served = servedForLong(record);
  const due = publications.filter(({ number, sent, acknowledged }) => {
    return acknowledged !== null && sent >= begun && served.has(number);
  });
  return due.flatMap((run) => {
    const revisions = revisionsOf(record, run);
    // That one is lost breaks another promise.
    const isLost = revisions.length === 0;
    if (isLost || revisions.some(({ revision }) => accepted.has(revision))) return [];
    return [`publication ${run.number} was served, and no webhook got it`];
  });
}

/** Returns the publications that a node served for longer than it needs to announce them. */
function servedForLong({ sightings }: RunRecord): Set<number> {
  const seen = Map.groupBy(sightings, ({ node, publication }) => `${node} ${publication}`);
  const long = [...seen.values()].filter(([first, ...others]) => {
    return first && (others.at(-1)?.sent ?? 0) - first.received >= SERVED_MS;
  });
  return new Set(long.flatMap(([first]) => first?.publication ?? []));
}

/** An event has one content at every attempt, and no other has the same. */
export function eventsNeverChange({ messages }: RunRecord): string[] {
  const wrong = new Set<string>();
  const bodies = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { id, body } of messages) {
    const [firstBody, firstId] = [bodies.get(id) ?? body, ids.get(body) ?? id];
    if (firstBody !== body) wrong.add(`the event ${id} has two contents`);
    if (firstId !== id) wrong.add(`the events ${firstId} and ${id} have the same content`);
    bodies.set(id, firstBody);
    ids.set(body, firstId);
  }
  return [...wrong];
}
