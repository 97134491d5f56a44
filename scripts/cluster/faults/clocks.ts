import { until } from '../observe.ts';
import { clockVariables, patroniName, patroniService } from '../services.ts';
import type { Fault } from './fault.ts';
import { switchOver } from './primary.ts';
import type { Site } from './site.ts';

const AHEAD_S = 90;

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
  // Nodes go by the clock of the primary.
  'clock-database': {
    async inject(site, seconds) {
      const { name } = await site.server('sync standby');
      const restart = (ahead: number) => restartDatabase(site, name, ahead);
      await restart(seconds);
      const { name: former } = await site.server('primary');
      await switchOver(site, former, name);
      await until(`${name} is the primary`, async () => {
        return (await site.servers('primary')).some((one) => one.name === name);
      });
      const told = `Made ${name} the primary, whose clock is ${seconds} s ahead.`;
      return { told, heal: () => restart(0) };
    },
    seconds: AHEAD_S,
    holdMs: 6000,
    bound: { failingMs: 15_000, isLasting: true, primary: 'replaced' },
  },
} satisfies Record<string, Fault>;

/** Restarts PostgreSQL and Patroni with a clock that is ahead, until it is a standby again. */
async function restartDatabase(site: Site, name: string, seconds: number): Promise<void> {
  await site.runner.end(patroniName(name), 'SIGTERM');
  const service = patroniService(site.plan, site.machine(name));
  site.runner.start({ ...service, env: { ...service.env, ...clockVariables(site.plan, seconds) } });
  await until(`${name} is a standby`, async () => {
    return (await site.servers('sync standby')).some((one) => one.name === name);
  });
}
