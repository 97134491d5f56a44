import type { Fault } from './fault.ts';

const AHEAD_S = 90;

/**
 * Faults of clocks. That of a database cannot be caused here: Patroni takes a server with another
 * clock than its system's for a stranger. test/faults/ steps the clock of a database.
 */
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
} satisfies Record<string, Fault>;
