import { closeSync, openSync, writeSync } from 'node:fs';
import type { RunRecord } from '../record.ts';

/** Writes everything seen in a run, even if the run failed. */
export type Seen = Partial<RunRecord> & Pick<RunRecord, 'answers' | 'readings'>;

/**
 * Writes all that was seen in a run to a file, a JSON object a line, in which people look for the
 * cause of a broken promise: `{"answers": {…}}` is an answer, `{"readings": {…}}` what a body said.
 */
export function writeAnswers(seen: Seen, file: string): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    for (const line of linesOf(seen)) writeSync(descriptor, `${JSON.stringify(line)}\n`);
  } finally {
    closeSync(descriptor);
  }
}

function* linesOf({ readings, quotas, ...lists }: Seen): Generator<object> {
  for (const [name, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) yield { [name]: list };
    else for (const entry of list) yield { [name]: entry };
  }
  for (const [digest, reading] of readings) yield { readings: { digest, ...reading } };
  for (const [account, quota] of quotas ?? []) yield { quotas: { account, quota } };
}
