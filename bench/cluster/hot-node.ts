/**
 * A process that charges one account, as a node does, forked by bench/cluster/charges.ts with a
 * `HotNode` as its argument. It begins on a message, and sends a `HotNodeResult` at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Charger, type HotNode, type HotNodeResult, openCharger } from './charges.ts';

/** How often charges that are due are sent, in milliseconds. */
const TICK_MS = 5;

const heat = JSON.parse(process.argv[2] ?? '') as HotNode;
const charger = await openCharger(heat.database, heat.key, heat.commit);
process.once('message', async () => {
  const result = await chargeAtRate(charger, heat);
  await charger.store.close();
  process.send?.(result satisfies HotNodeResult, () => process.disconnect());
});
process.send?.('ready');

/** Charges at a rate that does not wait for answers, and then waits for all of them. */
async function chargeAtRate(charger: Charger, { perSecond, seconds }: HotNode) {
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  const begun = performance.now();
  for (let sent = 0; performance.now() - begun < seconds * 1000; await sleep(TICK_MS)) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      const charging = timed(charger, times);
      pending.add(charging);
      void charging.finally(() => pending.delete(charging));
    }
  }
  const inTime = times.length;
  await Promise.all(pending);
  return { times, inTime };
}

async function timed({ authenticator, caller }: Charger, times: number[]): Promise<void> {
  const begun = performance.now();
  const { granted } = await authenticator.charge(caller);
  if (granted) times.push(performance.now() - begun);
}
