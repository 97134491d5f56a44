import type { CardFacts, FactsBySource } from '../../domain/facts.ts';
import { countsAs } from '../../domain/sources.ts';
import { type StoredFacts, storedFacts, upsertFacts } from '../../store/catalogue/facts.ts';
import type { Transaction } from '../../store/connect.ts';
import type { ImportRun } from '../run.ts';

/** A source's facts about a card of ours. */
export interface CardWithFacts {
  /** Row id. */
  readonly card: number;
  readonly facts: CardFacts | undefined;
}

/**
 * Returns the source under which facts are stored. The starter catalogue repeats the facts of other
 * sources for its few cards. These must not be lost to a source that has fewer.
 */
function factSource(source: string): string {
  return source === 'starter' ? source : countsAs(source);
}

/**
 * Writes the facts of cards that are new or have changed, inside `transaction`. If the source no
 * longer gives any facts about a card, the stored ones stay. If it describes a card twice, the
 * first description counts.
 */
export async function writeFacts(
  { store, publication }: Pick<ImportRun, 'store' | 'publication'>,
  transaction: Transaction,
  importedFrom: string,
  described: readonly CardWithFacts[],
): Promise<void> {
  const given = new Map<number, CardFacts>();
  for (const { card, facts } of described) if (facts && !given.has(card)) given.set(card, facts);
  if (given.size === 0) return;
  const stored = await storedFacts(store, transaction, [...given.keys()]);
  const source = factSource(importedFrom);
  const { revision } = publication;
  const changed: StoredFacts[] = [];
  for (const [cardRowId, facts] of given) {
    const json = stored.get(cardRowId);
    const known = json === undefined ? {} : (JSON.parse(json) as FactsBySource);
    if (JSON.stringify(known[source]) === JSON.stringify(facts)) continue;
    changed.push({ cardRowId, bySource: { ...known, [source]: facts }, revision });
  }
  if (changed.length === 0) return;
  await publication.begin(transaction);
  await upsertFacts(store, transaction, changed);
}
