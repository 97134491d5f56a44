import { formatMoment, type Millis } from '../../domain/day.ts';
import type { BillingEventRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import { listBillingEvents } from './billing-sql.ts';

/** How many events are listed. */
const LISTED = 1000;

/** An event for billing that waits to be sent, or was given up. */
export interface WaitingEvent {
  readonly id: string;
  readonly type: string;
  readonly attempts: number;
  /** What went wrong the last time; null before the first attempt. */
  readonly error: string | null;
  readonly at: string;
  /** Null when it is not sent again. */
  readonly nextAt: string | null;
  readonly givenUpAt: string | null;
  /** What is sent. */
  readonly payload: unknown;
}

/** Lists the events that were not delivered, the oldest first, 1,000 at most. */
export async function listWaiting({ accounts }: Store): Promise<WaitingEvent[]> {
  return (await listBillingEvents(accounts.db, LISTED)).map(waitingEvent);
}

function waitingEvent(row: BillingEventRow): WaitingEvent {
  const { id, type, attempts, error } = row;
  return {
    ...{ id, type, attempts, error },
    at: formatMoment(row.created_at),
    nextAt: optionalMoment(row.next_at),
    givenUpAt: optionalMoment(row.failed_at),
    payload: JSON.parse(row.payload) as unknown,
  };
}

function optionalMoment(moment: Millis | null): string | null {
  return moment === null ? null : formatMoment(moment);
}
