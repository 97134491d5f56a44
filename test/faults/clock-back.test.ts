import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import { PASSWORD, Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, run } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { FIXTURE } from '../support/tcgcsv.ts';
import { Serving } from './support/serving.ts';
import { SharedClock } from './support/stepped.ts';

/** Requests a day of the plan `free`. */
const QUOTA = 200;
/** Requests at once of a key; the next may come after hours. */
const BURST = 9;
const ENV = { CARDPRICE_KEY_BURST: `${BURST}/9999s` };

interface Answer {
  readonly status: number;
  readonly remaining: number;
  /** The end of the day of its quota. */
  readonly reset: number;
}

/** A process that serves, and the clock of its machine, or of its PostgreSQL server. */
class Served {
  readonly clock: SharedClock;
  readonly #url: string;

  constructor(clock: SharedClock, { url }: Serving) {
    this.clock = clock;
    this.#url = url;
  }

  async ask(key: string): Promise<Answer> {
    const answer = await this.#fetch('/v1/games', { headers: { 'x-api-key': key } });
    const { status, headers } = answer;
    const reset = Number(headers.get('x-ratelimit-reset')) * 1000;
    return { status, remaining: Number(headers.get('x-ratelimit-remaining')), reset };
  }

  /** The answers of a burst and of one request more. */
  async burst(key: string): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (answers.length <= BURST) answers.push(await this.ask(key));
    return answers;
  }

  /** Sets the clock, and waits until the process sees it, as `key` shows. */
  async step(milliseconds: number, key: () => Promise<string>): Promise<void> {
    const { reset } = await this.ask(await key());
    await this.clock.step(milliseconds);
    await eventually(async () => (await this.ask(await key())).reset === reset + milliseconds);
  }

  /** The cookie of somebody who signs in. */
  async signIn(email: string): Promise<string> {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const body = JSON.stringify({ email, password: PASSWORD });
    const answer = await this.#fetch('/dashboard/sign-in', { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
    return answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }

  /** The status of an answer to somebody with this cookie. */
  async session(cookie: string): Promise<number> {
    return (await this.#fetch('/dashboard/keys', { headers: { cookie } })).status;
  }

  /** The age of the publication in the metrics, in seconds. */
  async publicationAges(): Promise<number[]> {
    const answer = await this.#fetch('/readyz');
    assert.equal(answer.status, 200);
    const { publication } = (await answer.json()) as { publication: { ageSeconds: number } };
    const metrics = await (await this.#fetch('/metrics')).text();
    const [, gauge] = /^cardprice_publication_age_seconds (\S+)$/m.exec(metrics) ?? [];
    return [publication.ageSeconds, Number(gauge)];
  }

  #fetch(path: string, options: RequestInit = {}): Promise<Response> {
    return fetch(this.#url + path, options);
  }
}

forEachEngine((label) => {
  it('a clock that is set back by a day under a process that serves takes nothing from anybody', {
    timeout: 120_000,
  }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    assert.equal((await run(['--database', location, 'import', 'tcgcsv', FIXTURE])).code, 0);
    const clock = await SharedClock.of(location);
    const service = await Service.open(location, {}, clock);
    cleanUp(() => service.close());
    const served = new Served(
      clock,
      await Serving.start(location, { env: { ...clock.env, ...ENV } }),
    );
    const { key } = await service.caller('free');
    const other = async () => (await service.caller('free')).key;
    const { email } = await service.signedInBrowser('free');
    const cookie = await served.signIn(email);

    const today = await served.burst(key);
    const passed = [...Array(BURST).fill(200), 429];
    assert.deepEqual(
      today.map(({ status }) => status),
      passed,
    );
    await served.step(-MS_PER_DAY, other);
    const yesterday = await served.burst(key);
    assert.deepEqual(
      yesterday.map(({ status }) => status),
      passed,
      'a new burst, bounded as before',
    );
    assert.equal(yesterday[0]?.remaining, QUOTA - 1, 'the day before has its own quota');
    assert.equal(await served.session(cookie), 200);
    assert.deepEqual(await served.publicationAges(), [0, 0], 'it is not published in the future');

    await served.step(MS_PER_DAY, other);
    const [again] = await served.burst(key);
    assert.equal(again?.remaining, QUOTA - BURST - 1, 'what was used today is used');
    assert.equal(await served.session(cookie), 200);
  });
});
