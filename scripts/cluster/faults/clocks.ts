import { setClock } from '../clocks.ts';
import type { Fault } from './fault.ts';

const AHEAD_S = 90;

/** Faults of clocks. */
export const CLOCK_FAULTS = {
  'clock-node': {
    async inject(site, seconds) {
      const name = 'node-1';
      await site.restartNode(name, { seconds });
      const told = `Restarted ${name} with a clock that is ${seconds} s ahead.`;
      return { told, heal: () => site.runner.end(name, 'SIGTERM') };
    },
    seconds: AHEAD_S,
    holdMs: 5000,
    bound: { failingMs: 0 },
  },
  'clock-database': {
    async inject(site, seconds) {
      const { name } = await site.server('primary');
      setClock(site.plan, name, seconds);
      const told = `Set the clock of ${name}, the primary, ${seconds} s ahead.`;
      return { told, heal: () => setClock(site.plan, name, 0) };
    },
    seconds: AHEAD_S,
    holdMs: 8000,
    // The primary takes its standbys for silent, and closes their connections.
    bound: { failingMs: 5000 },
  },
} satisfies Record<string, Fault>;
