import { cardsById, upsertCards } from '../../store/catalogue/catalogue.ts';
import type { Transaction } from '../../store/connect.ts';
import type { CardDescription, QuarantineEntry } from '../../store/quarantine/entries.ts';
import { readQuarantined } from '../../store/quarantine/quarantine.ts';
import type { ImportRun } from '../run.ts';

/** Renames a card of ours when an operator approves that a source's id now means another card. */

/**
 * Returns the entries together with the entries of the other printings of the cards that they
 * rename, because a card is renamed as a whole.
 */
export async function withWholeCards(
  db: Transaction,
  entries: readonly QuarantineEntry[],
): Promise<readonly QuarantineEntry[]> {
  const renaming = entries.filter(({ observation }) => observation?.claim);
  if (renaming.length === 0) return entries;
  const cards = renaming.flatMap(({ cardRowId }) => cardRowId ?? []);
  const known = new Set(entries.map(({ id }) => id));
  const keys = new Set(renaming.map(claimKey));
  const others = (await readQuarantined(db, [...new Set(cards)])).filter((entry) => {
    return entry.decision === null && !known.has(entry.id) && keys.has(claimKey(entry));
  });
  return [...entries, ...others];
}

function claimKey({ cardRowId, source, observation }: QuarantineEntry): string {
  const { name, number } = observation?.claim ?? {};
  return JSON.stringify([cardRowId, source, name, number]);
}

/** Gives cards the descriptions that their sources claim. */
export function renameCards(
  run: ImportRun,
  transaction: Transaction,
  entries: readonly QuarantineEntry[],
): Promise<void> {
  return describeCards(run, transaction, entries, (claim) => [claim.was, claim]);
}

/** Restores the descriptions that cards had before their entries were approved. */
export function undoRenames(
  run: ImportRun,
  transaction: Transaction,
  entries: readonly QuarantineEntry[],
): Promise<void> {
  return describeCards(run, transaction, entries, (claim) => [claim, claim.was]);
}

type Claim = NonNullable<NonNullable<QuarantineEntry['observation']>['claim']>;

/** Writes the second description of each card that still has the first. */
async function describeCards(
  { store, publication }: ImportRun,
  transaction: Transaction,
  entries: readonly QuarantineEntry[],
  change: (claim: Claim) => readonly [from: CardDescription, to: CardDescription],
): Promise<void> {
  const claims = new Map<number, Claim>();
  for (const { cardRowId, observation } of entries) {
    if (cardRowId !== null && observation?.claim) claims.set(cardRowId, observation.claim);
  }
  if (claims.size === 0) return;
  const { revision } = publication;
  const cards = await cardsById(transaction, [...claims.keys()]);
  const changed = [...claims].flatMap(([rowId, claim]) => {
    const [from, { setRowId, name, number, rarity, image }] = change(claim);
    const card = cards.get(rowId);
    const isKnown = card?.name === from.name && card.number === from.number;
    return card && isKnown ? [{ ...card, setRowId, name, number, rarity, image, revision }] : [];
  });
  await publication.begin(transaction);
  await upsertCards(store, transaction, changed);
}
