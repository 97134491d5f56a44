import type { StoredCard } from '../../store/catalogue/records.ts';
import type { CardClaim } from '../../store/quarantine/entries.ts';

/** The card of ours that a source means. */
export interface MatchedCard {
  readonly stored: StoredCard;
  readonly state: 'new' | 'changed' | 'same';
  /** Whether the source's id of the card is new to us. */
  readonly isNewExternalId: boolean;
  /** The other card that the source's id now means. Ours stays as it was. */
  readonly claim?: CardClaim;
}
