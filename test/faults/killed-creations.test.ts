import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { IS_LONG, rounds } from './support/length.ts';
import { Serving } from './support/serving.ts';

/** How many programs create accounts and keys at the same time. */
const PROGRAMS = 4;

/** The service is killed after at most so many answers, and within so many milliseconds of one. */
const MOST_ANSWERS = 12;
const LONGEST = 20;

/** Answers after which a program tries again. */
const NOT_NOW = [409, 429, 503];

interface Created {
  readonly email: string;
  readonly key: string;
  readonly hint: string;
}

/** A service that is started again whenever it is killed, and what programs created with it. */
class KilledService {
  readonly created: Created[] = [];
  /** How many requests were answered, and how many with the answer of an earlier one. */
  answered = 0;
  replayed = 0;
  isOver = false;
  #serving: Serving;
  readonly #location: string;
  readonly #key: string;

  constructor(serving: Serving, location: string, key: string) {
    this.#serving = serving;
    this.#location = location;
    this.#key = key;
  }

  async kill(): Promise<void> {
    await this.#serving.stop('SIGKILL');
    this.#serving = await Serving.start(this.#location);
  }

  stop(): Promise<number | null> {
    return this.#serving.stop();
  }

  /** Creates accounts, each with a key, until it is over. */
  async runProgram(): Promise<void> {
    while (!this.isOver) {
      const email = `${randomUUID()}@shop.example`;
      await this.#create('/accounts', { email });
      this.created.push({ email, ...(await this.#create('/keys', { email })) });
    }
  }

  /** Sends a request until it is answered, always with the same `Idempotency-Key`. */
  async #create(path: string, body: object): Promise<{ key: string; hint: string }> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      'x-api-key': this.#key,
    };
    for (;;) {
      await sleep(5);
      const url = `${this.#serving.url}/operator/v1${path}`;
      const request = fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const answer = await request.then(readAnswer, () => undefined);
      if (!answer || NOT_NOW.includes(answer.status)) continue;
      assert.equal(answer.status, 201, answer.text);
      this.answered += 1;
      if (answer.isReplay) this.replayed += 1;
      return JSON.parse(answer.text).data;
    }
  }
}

/** Returns undefined if the connection breaks within the body. */
async function readAnswer(response: Response) {
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return undefined;
  const isReplay = response.headers.has('idempotency-replayed');
  return { status: response.status, text, isReplay };
}

async function operatorKey(location: string): Promise<string> {
  const store = await openStore(location);
  const email = 'operator@shop.example';
  await new Accounts(store, Date.now).create(email, 'free', { isOperator: true });
  const { key } = await new AccountKeys(store, Date.now).create(email, {
    scopes: ['operator:write'],
  });
  await store.close();
  return key;
}

forEachEngine((label) => {
  it('a killed service has each account and key once, and programs have their secrets', {
    timeout: IS_LONG ? 1_800_000 : 300_000,
  }, async (test) => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    await importFixtures(location);
    const key = await operatorKey(location);
    const service = new KilledService(await Serving.start(location), location, key);
    const random = seededRandom(label.length);
    const programs = Array.from({ length: PROGRAMS }, () => service.runProgram());
    for (let kill = 0; kill < rounds(4, 200); kill += 1) {
      const enough = service.answered + Math.ceil(random() * MOST_ANSWERS);
      while (service.answered < enough) await sleep(1);
      await sleep(random() * LONGEST);
      await service.kill();
    }
    service.isOver = true;
    await Promise.all(programs);
    await service.stop();
    const store = await openStore(location);
    cleanUp(() => store.close());
    const keys = new AccountKeys(store, Date.now);
    for (const { email, hint } of service.created) {
      const hints = (await keys.list(email)).map((one) => one.hint);
      assert.deepEqual(hints, [hint], email);
    }
    assert.equal((await new Accounts(store, Date.now).list()).length, service.created.length + 1);
    assert.equal(new Set(service.created.map((one) => one.key)).size, service.created.length);
    test.diagnostic(`${service.created.length} created, ${service.replayed} answers replayed`);
  });
});
