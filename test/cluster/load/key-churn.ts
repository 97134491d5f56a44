import { setTimeout as sleep } from 'node:timers/promises';
import { hashApiKey } from '../../../src/accounts/keys/api-key.ts';
import type { Cast } from './accounts.ts';
import type { Caller, Client, Question } from './client.ts';
import { type KeyInUse, now, type Recorder } from './recorder.ts';

/** How long a key is used before it is revoked, and after that. */
const USED_MS = 5000;
const REVOKED_MS = 4000;
const TURN_MS = 400;

interface LivingKey {
  readonly caller: Caller;
  readonly life: KeyInUse;
}

/** What the churn works with. */
export interface ChurnOptions {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly cast: Cast;
  readonly random: () => number;
  /** The path requested with the keys. */
  readonly question: () => Question;
}

/** Creates API keys through the operator API, uses them, revokes them, and tries them again. */
export class KeyChurn {
  readonly #options: ChurnOptions;
  #living: LivingKey[] = [];
  /** Names and accounts of keys that may or may not have been created. */
  readonly #doubtful: [name: string, account: string][] = [];
  #isOver = false;

  constructor(options: ChurnOptions) {
    this.#options = options;
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      await Promise.all([
        ...this.#living.map((key) => this.#use(key)),
        ...this.#living.map((key) => this.#revoke(key)),
        this.#make(this.#someAccount()),
        this.#look(this.#someAccount()),
        this.#sweep(),
        sleep(TURN_MS),
      ]);
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  async #make(account: string): Promise<void> {
    const { recorder } = this.#options;
    // An account has at most five active keys.
    if (this.#living.filter(({ caller }) => caller.account === account).length > 1) return;
    const name = recorder.nextId();
    const { status, sent, body, received } = await this.#operate('make-key', '/operator/v1/keys', {
      email: account,
      name,
    });
    if (status !== 201) {
      this.#doubtful.push([name, account]);
      return;
    }
    const { data } = JSON.parse(body) as { data: { id: number; key: string } };
    const made = { sent, acknowledged: received };
    const hash = hashApiKey(data.key);
    const life: KeyInUse = { id: String(data.id), hash, account, made, revoked: null };
    recorder.keys.push(life);
    this.#living.push({ life, caller: { account, keyId: life.id, key: data.key } });
  }

  async #use({ caller }: LivingKey): Promise<void> {
    await this.#options.client.ask(caller, this.#options.question());
  }

  /** Revokes a key when it is time, and asks again until that is acknowledged. */
  async #revoke(key: LivingKey): Promise<void> {
    const { life } = key;
    const since = life.revoked?.acknowledged;
    if (since != null) {
      if (since + REVOKED_MS < now()) this.#living = this.#living.filter((one) => one !== key);
      return;
    }
    if ((life.made.acknowledged ?? 0) + USED_MS > now()) return;
    life.revoked ??= { sent: now(), acknowledged: null };
    const { status, received } = await this.#operate(
      'revoke-key',
      `/operator/v1/keys/${life.id}/revoke`,
      {},
    );
    if (status === 200) life.revoked = { ...life.revoked, acknowledged: received };
  }

  /** Reads what operators see of an account, its keys and its usage. */
  async #look(account: string): Promise<void> {
    const email = encodeURIComponent(account);
    await this.#operate('list-keys', `/operator/v1/keys?email=${email}`);
    await this.#operate('read-account', `/operator/v1/account?email=${email}`);
  }

  /** Revokes a key whose making failed, should there be one: they would fill up the account. */
  async #sweep(): Promise<void> {
    const [doubt] = this.#doubtful;
    if (!doubt) return;
    const [name, account] = doubt;
    const path = `/operator/v1/keys?email=${encodeURIComponent(account)}`;
    const { status, body } = await this.#operate('list-keys', path);
    if (status !== 200) return;
    const { data } = JSON.parse(body) as { data: { id: number; name: string; status: string }[] };
    const found = data.find((key) => key.name === name && key.status === 'active');
    if (found) await this.#operate('revoke-key', `/operator/v1/keys/${found.id}/revoke`, {});
    else this.#doubtful.shift();
  }

  #operate(endpoint: string, path: string, body?: object) {
    const { client, cast } = this.#options;
    return client.ask(cast.operator, { kind: 'operator', endpoint, path, ...(body && { body }) });
  }

  #someAccount(): string {
    const { cast, random } = this.#options;
    return cast.accounts[Math.floor(random() * cast.accounts.length)]?.account ?? '';
  }
}
