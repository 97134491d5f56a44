import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TimeOfDay } from '../../src/domain/sync.ts';
import { Schedule, type SyncEnd } from '../../src/sync/schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Midnight of the first day. */
const START = Date.UTC(2027, 0, 28);

/** A service whose sync is due at 21:30, with a record of what it did. */
class Service {
  now = START;
  last: number | null;
  outcomes: readonly SyncEnd[] = ['succeeded'];
  broken = false;
  /** Whether the database knows of a sync of this service at once. */
  isRecorded = true;
  /** When it synced, in hours since the start. */
  readonly synced: number[] = [];
  readonly schedule: Schedule;

  constructor(last: number | null, random = 0) {
    this.last = last;
    this.schedule = new Schedule({
      times: [21 * 60 + 30] as TimeOfDay[],
      clock: () => this.now,
      random: () => random,
      lastSync: async () => {
        if (this.broken) throw new Error('the database is away');
        return this.last;
      },
      onError: () => {},
      sync: async () => {
        this.synced.push((this.now - START) / HOUR);
        if (this.isRecorded) this.last = this.now;
        return this.outcomes[Math.min(this.synced.length, this.outcomes.length) - 1] ?? 'succeeded';
      },
    });
  }

  async pass(hours: number): Promise<void> {
    const until = this.now + hours * HOUR;
    for (; this.now < until; this.now += MINUTE) await this.schedule.tick();
  }
}

describe('a schedule', () => {
  it('syncs at its time, every day', async () => {
    const service = new Service(START - HOUR);
    await service.pass(72);
    assert.deepEqual(service.synced, [21.5, 45.5, 69.5]);
  });

  it('spreads the start over ten minutes', async () => {
    const service = new Service(START - HOUR, 0.9);
    await service.pass(24);
    assert.deepEqual(service.synced, [21.65]);
  });

  it('makes up for a time that was missed within a minute', async () => {
    const service = new Service(START - 30 * HOUR, 0.5);
    await service.pass(21);
    assert.deepEqual(service.synced, [1 / 60]);
  });

  it('syncs at once if there never was a sync', async () => {
    const service = new Service(null, 0.5);
    await service.pass(21);
    assert.deepEqual(service.synced, [0]);
  });

  it('skips a time at which another process has synced', async () => {
    const service = new Service(START - HOUR, 0.6);
    await service.pass(21.5);
    service.last = service.now + MINUTE;
    await service.pass(26);
    assert.deepEqual(service.synced, [45.6]);
  });

  it('retries after an hour, two and four, and then at its next time', async () => {
    const service = new Service(START - HOUR);
    service.outcomes = ['failed', 'failed', 'failed', 'failed', 'succeeded'];
    await service.pass(48);
    assert.deepEqual(service.synced, [21.5, 22.5, 24.5, 28.5, 45.5]);
  });

  it('stops retrying after a success', async () => {
    const service = new Service(START - HOUR);
    service.outcomes = ['failed', 'succeeded'];
    await service.pass(44);
    assert.deepEqual(service.synced, [21.5, 22.5]);
  });

  it('syncs at its time after the clock was set back by more than a day', async () => {
    const service = new Service(START - HOUR);
    await service.pass(22);
    service.now -= 30 * HOUR;
    await service.pass(30);
    assert.deepEqual(service.synced, [21.5, -2.5, 21.5]);
  });

  it('continues after an error of the database', async () => {
    const service = new Service(START - HOUR);
    service.broken = true;
    await service.pass(22);
    service.broken = false;
    await service.pass(1);
    assert.equal(service.synced.length, 1);
  });

  it('looks again after a quarter of an hour at what another process was syncing', async () => {
    const service = new Service(START - HOUR);
    service.outcomes = ['taken', 'taken', 'succeeded'];
    service.isRecorded = false;
    await service.pass(23);
    assert.deepEqual(service.synced, [21.5, 21.75, 22]);
  });

  it('leaves a sync to the process that is doing it', async () => {
    const service = new Service(START - HOUR);
    service.outcomes = ['taken'];
    service.isRecorded = false;
    await service.pass(21.6);
    service.last = service.now;
    await service.pass(20);
    assert.deepEqual(service.synced, [21.5]);
  });

  it('does not retry what another process has synced since', async () => {
    const service = new Service(START - HOUR);
    service.outcomes = ['failed', 'succeeded'];
    await service.pass(22);
    service.last = service.now;
    await service.pass(26);
    assert.deepEqual(service.synced, [21.5, 45.5]);
  });

  it('runs one sync at a time, and waits for it when it stops', async () => {
    const { promise, resolve } = Promise.withResolvers<SyncEnd>();
    let begun = 0;
    const schedule = new Schedule({
      times: [0] as TimeOfDay[],
      clock: () => START + begun * 48 * HOUR,
      random: () => 0,
      lastSync: async () => null,
      onError: () => {},
      sync: () => {
        begun += 1;
        return promise;
      },
    });
    schedule.start();
    const ticks = [schedule.tick(), schedule.tick()];
    const stopped = schedule.stop();
    resolve('succeeded');
    await Promise.all([...ticks, stopped]);
    assert.equal(begun, 1);
  });
});
