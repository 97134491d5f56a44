import type { CardSummaryBody, PageBody } from '../cards/responses.ts';

/** A card of which a printing has moved. */
export interface MoverBody extends CardSummaryBody {
  /** Dollars before and now. */
  readonly from: number;
  readonly to: number;
  /** Dollars. */
  readonly amount: number;
  readonly percent: number;
}

export interface LeftOutBody extends MoverBody {
  /** A sentence that says what speaks against the move. */
  readonly detail: string;
}

/** A page of movers. */
export interface MoversBody extends PageBody<MoverBody> {
  readonly leftOut: readonly LeftOutBody[];
  /** The newest day (UTC); null without prices. */
  readonly asOf: string | null;
}
