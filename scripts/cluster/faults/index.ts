import type { Runner } from '../runner.ts';
import type { Plan } from '../services.ts';
import { CLIENT_FAULTS } from './clients.ts';
import { CLOCK_FAULTS } from './clocks.ts';
import { DISK_FAULTS } from './disks.ts';
import { ETCD_FAULTS } from './etcd.ts';
import type { Fault, Injected } from './fault.ts';
import { NODE_FAULTS } from './nodes.ts';
import { PRIMARY_FAULTS } from './primary.ts';
import { type Nodes, Site } from './site.ts';
import { STANDBY_FAULTS } from './standbys.ts';

/** All faults that can be caused in a cluster. docs/cluster.md has a row for each. */
const KINDS = {
  ...PRIMARY_FAULTS,
  ...STANDBY_FAULTS,
  ...ETCD_FAULTS,
  ...NODE_FAULTS,
  ...CLIENT_FAULTS,
  ...DISK_FAULTS,
  ...CLOCK_FAULTS,
};

export type FaultName = keyof typeof KINDS;

export const FAULTS: Readonly<Record<FaultName, Fault>> = KINDS;

export function isFault(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

/** Causes and undoes faults. Dead processes stay dead until they are started. */
export class Faults {
  readonly #site: Site;
  readonly #injected: Injected[] = [];

  constructor(plan: Plan, runner: Runner, nodes: Nodes) {
    this.#site = new Site(plan, runner, nodes);
  }

  /** Causes a fault, and returns a sentence about it. */
  async inject(name: FaultName, seconds?: number): Promise<string> {
    const fault = FAULTS[name];
    const injected = await fault.inject(this.#site, seconds ?? fault.seconds ?? 0);
    this.#injected.push(injected);
    return injected.told;
  }

  /** Resumes paused processes, and undoes each fault, the last one first. */
  async heal(): Promise<void> {
    this.#site.resume();
    for (let last = this.#injected.pop(); last; last = this.#injected.pop()) await last.heal?.();
  }

  /** Cancels the end of a pause. */
  close(): void {
    this.#site.close();
  }
}
