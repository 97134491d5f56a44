import type { StoredCard } from '../../store/catalogue/records.ts';
import type { CardClaim } from '../../store/quarantine/entries.ts';

/** The card of ours for a source's card. */
export interface MatchedCard {
  readonly stored: StoredCard;
  readonly state: 'new' | 'changed' | 'same';
  /** Whether the source's id of the card is new to us. */
  readonly isNewExternalId: boolean;
  /** The other card that the source's id now means. Ours stays unchanged. */
  readonly claim?: CardClaim;
}
