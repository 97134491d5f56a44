import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../../domain/errors.ts';
import { formatCount } from '../output.ts';
import type { Selection } from './selection.ts';

/** Decisions on more entries than this need --yes where nobody can be asked. */
const MOST_UNASKED = 1000;

/**
 * Asks on a terminal whether a decision on entries that were not named one by one is meant.
 *
 * @param verb What is to be done: `Approve`.
 * @throws OperatorError when it is not, or when nobody can be asked and they are many.
 */
export async function confirm(
  verb: string,
  { count, rules, areNamed }: Selection,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed || areNamed || count === 0) return;
  const entries = count === 1 ? 'entry' : 'entries';
  const byRule = rules.map(([rule, number]) => `${rule} ${formatCount(number)}`).join(', ');
  const what = `${verb} ${formatCount(count)} ${entries} (${byRule})`;
  if (process.stdin.isTTY && process.stderr.isTTY) {
    if (await ask(`${what}? [y/N] `)) return;
    throw new OperatorError('Nothing was decided.');
  }
  if (count <= MOST_UNASKED) return;
  throw new OperatorError(`${what}? Say --yes: they are more than ${formatCount(MOST_UNASKED)}.`);
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
