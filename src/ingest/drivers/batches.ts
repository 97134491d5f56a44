import type { Group, GroupOutcome } from '../../sources/contract/snapshot.ts';
import { listedIds } from '../identity/admit.ts';

/**
 * How many cards, prices and days go into one transaction: about 100 ms of work. Fewer would spend
 * that time on waiting for statements, and more would keep other writers waiting.
 */
const ITEMS_AT_ONCE = 2000;

/**
 * Gathers the outcomes of a snapshot into batches, in their order. A batch ends when it is large
 * enough, or before a group with a set or card that it already has: the database must know the
 * first group of these when the second is matched. If the source fails, what was read before comes
 * first.
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
