import type { Bound, Fault } from '../../../scripts/cluster/faults/fault.ts';
import { FAULTS, type FaultName } from '../../../scripts/cluster/faults/index.ts';
import type { CommandFault } from './killed-commands.ts';

/** The kinds of faults: those of machines, and killed commands. */
export type Kind = FaultName | CommandFault;

type Traits = Omit<Fault, 'inject'>;

/** Commands do not serve, so that nobody notices. */
const KILLED: Traits = { holdMs: 2000, bound: { failingMs: 0 } };

export const KINDS: Readonly<Record<Kind, Traits>> = {
  ...FAULTS,
  'kill-import': KILLED,
  'kill-sync': KILLED,
  'kill-backup': KILLED,
};

/** What a fault may do to clients. */
export function boundOf(name: Kind): Bound {
  return KINDS[name].bound;
}
