/** What a process that delivers to webhooks sends when it can record more. */
export const READY = 'ready';

/** What it is asked to do. */
export interface SenderOrder {
  /** How far its clock is ahead, in milliseconds. */
  readonly aheadMs: number;
  /** Publications to record: their numbers, from one to before another. */
  readonly record?: Portion | undefined;
}

export interface Portion {
  readonly from: number;
  readonly to: number;
}
