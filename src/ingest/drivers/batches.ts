import type { Group, GroupOutcome } from '../../sources/contract/snapshot.ts';
import { listedIds } from '../identity/admit.ts';

/**
 * Cards, prices and days in one transaction: about 100 ms of work. With fewer, waiting for
 * statements would take that time; with more, other writers would wait too long.
 */
const ITEMS_AT_ONCE = 2000;

/**
 * Collects the outcomes of a snapshot into batches, in order. A batch ends when it is large enough,
 * or before a group that shares a set or card with it: the database must know the first such group
 * when the second is matched. If the source fails, the outcomes before the failure come first.
 */
export async function* batchesOf(
  outcomes: AsyncIterable<GroupOutcome>,
  itemsAtOnce = ITEMS_AT_ONCE,
): AsyncGenerator<readonly GroupOutcome[]> {
  let batch = new Batch();
  try {
    for await (const outcome of outcomes) {
      if (batch.size >= itemsAtOnce || !batch.takes(outcome)) {
        yield batch.outcomes;
        batch = new Batch();
      }
      batch.add(outcome);
    }
  } catch (error) {
    if (batch.size > 0) yield batch.outcomes;
    throw error;
  }
  if (batch.size > 0) yield batch.outcomes;
}

class Batch {
  readonly outcomes: GroupOutcome[] = [];
  size = 0;
  /** The id spaces, sets and cards of its groups. */
  #idSpace: string | undefined;
  readonly #sets = new Set<string>();
  readonly #cards = new Set<string>();

  takes(outcome: GroupOutcome): boolean {
    if (outcome.kind !== 'read' || this.#idSpace === undefined) return true;
    const { group } = outcome;
    if (group.idSpace !== this.#idSpace || this.#sets.has(group.set.externalId)) return false;
    return !listedIds(group).some((id) => this.#cards.has(id));
  }

  add(outcome: GroupOutcome): void {
    this.outcomes.push(outcome);
    this.size += 1;
    if (outcome.kind !== 'read') return;
    const { group } = outcome;
    this.size += sizeOf(group);
    this.#idSpace = group.idSpace;
    this.#sets.add(group.set.externalId);
    for (const id of listedIds(group)) this.#cards.add(id);
  }
}

function sizeOf({ cards, listings }: Group): number {
  const days = listings.reduce((sum, { earlierDays = [] }) => sum + 1 + earlierDays.length, 0);
  return cards === 'unchanged' ? days : cards.length + days;
}
