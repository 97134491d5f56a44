import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dayOf, endOfDay } from '../../src/domain/day.ts';
import { importFixtures, Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { rounds } from './support/length.ts';
import { Serving } from './support/serving.ts';
import { SharedClock } from './support/stepped.ts';

const CONNECTIONS = 32;
/** Requests a day of the plan `free`. */
const QUOTA = 200;
/** Midnight comes after so many answers: amid the quota of the day, or when it is used up. */
const ANSWERS_BEFORE = [QUOTA / 2, QUOTA + 30];
const MINUTE = 60_000;

interface Answer {
  readonly status: number;
  readonly remaining: number;
  /** The end of the day of its quota, from the header. */
  readonly reset: string;
}

async function ask(url: string, key: string): Promise<Answer> {
  const answer = await fetch(`${url}/v1/games`, { headers: { 'x-api-key': key } });
  await answer.arrayBuffer();
  const { status, headers } = answer;
  const reset = String(headers.get('x-ratelimit-reset'));
  return { status, remaining: Number(headers.get('x-ratelimit-remaining')), reset };
}

/**
 * Waits until all workers have noticed the day, which `askForFree` shows without a charge. Then
 * asks with all connections, with midnight after some answers, until the next day is used up.
 */
async function askAcrossMidnight(
  clock: SharedClock,
  answersBefore: number,
  askOnce: () => Promise<Answer>,
  askForFree: () => Promise<Answer>,
): Promise<Answer[]> {
  await clock.stepTowardsMidnight(MINUTE);
  const day = String(endOfDay(dayOf(clock.now)) / 1000);
  await eventually(async () => {
    const seen = await Promise.all(Array.from({ length: CONNECTIONS }, askForFree));
    return seen.every(({ reset }) => reset === day);
  });
  const answers: Answer[] = [];
  // A request admitted on the old day and refused on the new one reports the whole quota.
  const isOver = () => {
    const refused = answers.filter(({ status, remaining }) => status === 429 && remaining === 0);
    return refused.some(({ reset }) => reset !== first?.reset);
  };
  let first: Answer | undefined;
  const askOn = async () => {
    while (!isOver()) {
      const answer = await askOnce();
      first ??= answer;
      if (answers.push(answer) === answersBefore) await clock.step(MINUTE);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
  return answers;
}

forEachEngine((label) => {
  it('two workers serve exactly the quota of each day when midnight comes under load', {
    timeout: 240_000,
  }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    await importFixtures(location);
    const clock = await SharedClock.of(location);
    const service = await Service.open(location, {}, clock);
    cleanUp(() => service.close());
    const env = { ...clock.env, CARDPRICE_KEY_BURST: 'off', CARDPRICE_ADDRESS_BURST: 'off' };
    const { url } = await Serving.start(location, { flags: ['--workers', '2'], env });
    for (let night = 0; night < rounds(2, 30); night += 1) {
      const { key } = await service.caller('free');
      const before = ANSWERS_BEFORE[night % ANSWERS_BEFORE.length] ?? 0;
      const answers = await askAcrossMidnight(
        clock,
        before,
        () => ask(url, key),
        () => ask(url, 'nobody'),
      );
      const served = answers.filter(({ status }) => status === 200);
      assert.ok(answers.every(({ status }) => status === 200 || status === 429));
      const [today, tomorrow, ...others] = daysOf(served);
      assert.deepEqual(others, []);
      assert.deepEqual(tomorrow, descending(QUOTA));
      // Of the first day nothing was served twice, and nothing left out.
      assert.deepEqual(today, descending(QUOTA).slice(0, today?.length));
      if (before > QUOTA) assert.equal(today?.length, QUOTA);
    }
  });
});

/** Returns the remaining quota in the answers for each day, highest first. */
function daysOf(answers: readonly Answer[]): number[][] {
  const days = Map.groupBy(answers, ({ reset }) => reset);
  return [...days].sort().map(([, day]) => {
    return day.map(({ remaining }) => remaining).sort((a, b) => b - a);
  });
}

/** The numbers below `count`, highest first. */
function descending(count: number): number[] {
  return Array.from({ length: count }, (_, index) => count - 1 - index);
}
