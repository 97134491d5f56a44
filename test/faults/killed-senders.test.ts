import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createMigratedDatabase, forEachEngine } from '../support/engines.ts';
import { KilledSenders } from './support/killed-senders.ts';
import { IS_LONG, rounds } from './support/length.ts';

/** How long a message to a dead webhook takes. */
const TIMEOUT_MS = 15_000;

forEachEngine((label) => {
  it('no event is lost or changed, and none waits for a dead webhook, while processes are killed', {
    timeout: IS_LONG ? 1_800_000 : 240_000,
  }, async () => {
    const { location, remove } = await createMigratedDatabase(label);
    cleanUp(remove);
    const store = await openStore(location);
    cleanUp(() => store.close());
    const size = { events: rounds(1000, 100_000), kills: rounds(4, 50) };
    const start = performance.now();
    const senders = await KilledSenders.start(location, store, size);
    await senders.finish();
    await senders.assertNothingLost();
    await senders.assertOthersWait();
    assert.equal(senders.kills, size.kills);
    assert.ok(senders.longestWaitMs < TIMEOUT_MS, `one waited for ${senders.longestWaitMs} ms`);
    const seconds = Math.round((performance.now() - start) / 1000);
    const { events, kills, receiver, longestWaitMs } = senders;
    console.log(
      `${label}: ${events} events, ${kills} kills, ${receiver.messages} messages, ${seconds} s, ` +
        `longest wait ${Math.round(longestWaitMs)} ms,`,
      Object.fromEntries(receiver.behaved),
    );
  });
});
