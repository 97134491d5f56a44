import { rulesOf } from '../../domain/games.ts';
import type { Group } from '../../sources/contract/snapshot.ts';
import { cardsOfSets } from '../../store/catalogue/catalogue.ts';
import type { StoredCard } from '../../store/catalogue/records.ts';
import type { Transaction } from '../../store/connect.ts';
import type { CardClaim } from '../../store/quarantine/entries.ts';
import type { Finding } from '../observation.ts';
import type { MatchedCard } from './matched-card.ts';
import { type Claim, findOtherCards, type Identity } from './same-card.ts';

/** Keeps a card unchanged if its source's id returns with another card. */

/** A group with the cards for its ids, by external id. */
interface ClaimingGroup {
  readonly group: Group;
  readonly cards: Map<string, MatchedCard>;
}

interface GroupClaim extends Claim {
  readonly known: StoredCard;
  readonly claimed: StoredCard;
  readonly externalId: string;
  readonly group: ClaimingGroup;
}

/**
 * Restores the cards whose ids now mean other cards, and records the claims. Queries the database
 * only if any card has another name, number, rarity or set.
 * @param known The cards as they were, by external id.
 */
export async function holdReassigned(
  db: Transaction,
  groups: readonly ClaimingGroup[],
  known: ReadonlyMap<string, StoredCard>,
): Promise<void> {
  const claims = groups.flatMap((group) => claimsOf(group, known));
  if (claims.length === 0) return;
  const sets = new Set(claims.map(({ claimed }) => claimed.setRowId));
  const residents = await cardsOfSets(db, [...sets]);
  for (const [game, some] of Map.groupBy(claims, ({ group }) => group.group.set.game)) {
    for (const claim of findOtherCards(rulesOf(game), some, residents)) hold(claim);
  }
}

function claimsOf(group: ClaimingGroup, known: ReadonlyMap<string, StoredCard>): GroupClaim[] {
  return [...group.cards].flatMap(([externalId, { stored: claimed, state }]) => {
    const before = known.get(externalId);
    if (state !== 'changed' || !before || isSameIdentity(before, claimed)) return [];
    return [{ known: before, claimed, externalId, group }];
  });
}

function isSameIdentity(a: Identity, b: Identity): boolean {
  const isSameCard = a.name === b.name && a.number === b.number;
  return isSameCard && a.rarity === b.rarity && a.setRowId === b.setRowId;
}

function hold({ known, claimed, externalId, group }: GroupClaim): void {
  const claim = { ...describe(claimed), was: describe(known) };
  const kept = { stored: known, state: 'same', isNewExternalId: false, claim } as const;
  group.cards.set(externalId, kept);
}

function describe({ setRowId, name, number, rarity, image }: StoredCard): CardClaim['was'] {
  return { setRowId, name, number, rarity, image };
}

/** Returns the claim that keeps the prices of a card in quarantine. */
export function findingOf(source: string, externalId: string | null, claim: CardClaim): Finding {
  const id = `${source}’s id ${externalId}`;
  const [was, is] = [nameOf(claim.was), nameOf(claim)];
  const detail = `${id} was ${was} and is now ${is}, which is another card.`;
  return { rule: 'reassigned-id', detail, claim };
}

function nameOf({ name, number, rarity }: CardClaim['was']): string {
  const details = [number, rarity].filter((text) => text !== null);
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}
