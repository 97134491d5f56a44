import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { type Millis, MS_PER_DAY } from '../../src/domain/day.ts';
import { type Caller, importFixtures, Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { remainingOf } from './expect.ts';

const MIDNIGHT = Date.UTC(2026, 0, 30);
const NEXT_MIDNIGHT = MIDNIGHT + MS_PER_DAY;

/** Requests a day of the plan `free`. */
const QUOTA = 200;

/** More often than any request reads the clock. */
const READINGS = 12;

/** A clock that passes midnight after it was read some times. */
class MidnightClock {
  /** How often it is read before midnight; always until that is set. */
  readingsLeft = Number.POSITIVE_INFINITY;

  get now(): Millis {
    this.readingsLeft -= 1;
    return this.readingsLeft >= 0 ? MIDNIGHT - 1 : MIDNIGHT;
  }

  set now(_: Millis) {
    throw new Error('it moves by itself');
  }
}

/**
 * Makes a caller's request again and again, with midnight one reading of the clock later each time.
 */
async function askAroundMidnight(
  location: string,
  used: number,
  ask: (caller: Caller) => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse[]> {
  const clock = new MidnightClock();
  const service = await Service.open(location, {}, clock);
  cleanUp(() => service.close());
  const answers = [];
  for (let readings = 0; readings < READINGS; readings += 1) {
    clock.readingsLeft = Number.POSITIVE_INFINITY;
    const caller = await service.caller('free');
    await caller.spend(used);
    clock.readingsLeft = readings;
    answers.push(await ask(caller));
  }
  return answers;
}

/** The moment at which an answer says that the quota resets. */
function resetOf({ headers }: LightMyRequestResponse): Millis {
  return Number(headers['x-ratelimit-reset']) * 1000;
}

forEachEngine((label) => {
  const prepared = async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    await importFixtures(location);
    return location;
  };

  it('the remaining quota and its reset are of the same day, wherever midnight falls in a request', async () => {
    for (const path of ['/v1/games', '/v1/cards/pokemon-bs-charizard-004/history']) {
      const answers = await askAroundMidnight(await prepared(), 3, (caller) => caller.get(path));
      const charged = path === '/v1/games' ? 1 : 0;
      for (const answer of answers) {
        const used = resetOf(answer) === MIDNIGHT ? 3 + charged : charged;
        assert.equal(remainingOf(answer), QUOTA - used);
      }
      assert.deepEqual([...new Set(answers.map(resetOf))].sort(), [MIDNIGHT, NEXT_MIDNIGHT]);
    }
  });

  it('a quota that was used up before midnight makes nobody wait for another day', async () => {
    const answers = await askAroundMidnight(await prepared(), QUOTA, (caller) => {
      return caller.get('/v1/games');
    });
    for (const answer of answers) {
      const { statusCode, headers } = answer;
      assert.equal(headers['retry-after'], statusCode === 429 ? '1' : undefined);
      const left = resetOf(answer) === MIDNIGHT ? 0 : QUOTA;
      assert.equal(remainingOf(answer), statusCode === 429 ? left : QUOTA - 1);
    }
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([200, 429]));
  });
});
