import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { SelfService } from '../../src/accounts/sign-in/self-service.ts';
import { STARTER_FOLDER } from '../../src/commands/files.ts';
import { importStarter, importStarterQuotes } from '../../src/commands/starter.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import {
  eventually,
  occupiedPort,
  Program,
  run,
  temporaryFolder,
  unknownNamed,
} from '../support/cli.ts';

const stock = temporaryFolder();

/** Loading the catalogue takes most of the time of a start. */
before(async () => {
  const store = await openStore(join(stock, 'cards.db'));
  await importStarter(store, STARTER_FOLDER, Date.now);
  await importStarterQuotes(store, STARTER_FOLDER, Date.now);
  await store.close();
});

/** A database with the starter catalogue, as a start leaves it that creates no account. */
function stocked(): string {
  const folder = temporaryFolder();
  cpSync(stock, folder, { recursive: true });
  return join(folder, 'cards.db');
}

/** The demo API keys that `start` printed, by plan. */
function shownKeys({ out }: { out: string }): Record<string, string> {
  const lines = out.matchAll(/^ {2}(\w+) +(cp_live_\S+)$/gm);
  return Object.fromEntries([...lines].map(([, plan = '', key = '']) => [plan, key]));
}

/** Sends the requests of the printed `curl` lines. */
function runCurlLines({ out }: { out: string }): Promise<Response>[] {
  const lines = out.matchAll(/^ {2}curl -H '([\w-]+): (\S+)' '(\S+)'$/gm);
  return [...lines].map(([, header = '', value = '', url = '']) => {
    return fetch(url, { headers: { [header]: value } });
  });
}

/** The address on which it listens, once it has printed its greeting. */
async function welcomed(program: Program): Promise<string> {
  const url = await program.listening();
  await eventually(() => program.out.includes('cardprice account create --operator'));
  return url;
}

/** The password that `start` printed for its demo accounts. */
function shownPassword({ out }: { out: string }, url: string): string {
  const line = `Dashboard: ${url} — sign in as demo-trader@example.com, password `;
  const [, after = ''] = out.split(line);
  const [password = ''] = after.split('\n');
  assert.match(password, /^(\w{4}-){6}\w{4}$/);
  return password;
}

it('prints a password that signs in to each demo account', async () => {
  const database = stocked();
  const program = new Program(['--database', database, 'start', '--port', '0']);
  const password = shownPassword(program, await welcomed(program));
  const store = await openStore(database);
  await signsIn(store, password);
  await store.close();
});

/** Signs in to each demo account. */
async function signsIn(store: Store, password: string): Promise<void> {
  const signUp = { isOpen: false, invitationCode: '' };
  const members = new SelfService(store, Date.now, { signUp });
  for (const plan of ['free', 'trader', 'business']) {
    const email = `demo-${plan}@example.com`;
    const account = await members.signIn({ email, password, address: '' });
    assert.deepEqual([account.plan.name, account.isOperator], [plan, false]);
  }
}

it('loads the starter catalogue once, and prints API keys and requests that work', async () => {
  const start = ['--database', join(temporaryFolder(), 'first.db'), 'start', '--port', '0'];
  const first = new Program(start);
  const url = await welcomed(first);
  await holdsTheStarter(first, url);
  const keys = shownKeys(first);
  assert.deepEqual(await quotas(url, keys), { free: 200, trader: 10_000, business: 100_000 });
  await eventually(() => /^Loaded \d+ prices by condition and grade/m.test(first.out));
  await eventually(() => first.log.some(({ msg }) => msg === 'catalogue refreshed'));
  await answersCurlLines(first);
  const password = shownPassword(first, url);
  assert.match(first.out, /^ {2}cardprice account create --operator --email \S+$/m);
  assert.deepEqual(await ended(first.send('SIGINT')), { code: 0, err: '' });
  assert.doesNotMatch(JSON.stringify(first.log), /cp_live_/);
  assert.ok(!JSON.stringify(first.log).includes(password));

  const second = new Program(start);
  const again = await welcomed(second);
  const using =
    /^Using the catalogue in the database\.\nIts newest prices are from \d{4}-\d\d-\d\d, \d+ days ago\.$/m;
  assert.match(second.out, using);
  assert.doesNotMatch(second.out, /^Loaded/m);
  assert.doesNotMatch(second.out, /cp_live_|password [a-z0-9]{4}-/);
  const port = new URL(again).port;
  const wayIn = `  cardprice account reset-link demo-trader@example.com --port ${port}\n`;
  assert.ok(second.out.includes(wayIn), second.out);
  assert.deepEqual(await quotas(again, keys), { free: 200, trader: 10_000, business: 100_000 });
  assert.deepEqual(await ended(second.send('SIGTERM')), { code: 0, err: '' });
});

async function holdsTheStarter({ out }: Program, url: string): Promise<void> {
  const loaded =
    /^Loaded the starter catalogue: (\d+) cards in (\d+) sets \(\d+\.\d s\)\nIts prices are real, but not today's: up to \d{4}-\d\d-\d\d, \d+ days ago\.$/m;
  const [, cards, sets] = (loaded.exec(out) ?? []).map(Number);
  const ready = await fetch(`${url}/readyz`);
  const { publication, ...body } = (await ready.json()) as { publication: { revision: number } };
  assert.deepEqual(body, { status: 'ready', cards });
  assert.ok(publication.revision >= 1);
  assert.ok(Number(cards) >= 4000 && Number(sets) >= 24, out);
}

/** The daily quota of each API key. */
async function quotas(url: string, keys: Record<string, string>): Promise<Record<string, number>> {
  const limits: Record<string, number> = {};
  for (const [plan, key] of Object.entries(keys)) {
    const { headers } = await fetch(`${url}/v1/games`, { headers: { 'x-api-key': key } });
    limits[plan] = Number(headers.get('x-ratelimit-limit'));
  }
  return limits;
}

async function answersCurlLines(program: Program): Promise<void> {
  const responses = await Promise.all(runCurlLines(program));
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  );
  const [search = '', card = '', history = ''] = await Promise.all(
    responses.map((response) => response.text()),
  );
  assert.match(search, /"copy":\{"name":"PSA 10","price":\d/);
  assert.match(card, /"psa_10":\d/);
  assert.ok(history.split('"date"').length > 30, history);
}

it('creates its API keys only after it listens, so that none stays unseen', async () => {
  const database = stocked();
  const start = (port: number) => ['--database', database, 'start', '--port', String(port)];
  const refused = await run(start(await occupiedPort()));
  assert.equal(refused.code, 1);
  assert.match(refused.err, /is in use/);
  assert.doesNotMatch(refused.out, /cp_live_/);

  const retry = new Program(start(0));
  await welcomed(retry);
  assert.deepEqual(Object.keys(shownKeys(retry)), ['free', 'trader', 'business']);
});

describe('A first start that was killed', () => {
  const email = 'demo-free@example.com';
  const killed = {
    'after its first account': (accounts: Accounts) => accounts.create(email, 'free'),
    'between its keys': async (accounts: Accounts, keys: AccountKeys) => {
      for (const plan of ['free', 'trader', 'business']) {
        await accounts.create(`demo-${plan}@example.com`, plan);
      }
      await keys.create(email, { name: 'demo' });
    },
  };
  for (const [when, leave] of Object.entries(killed)) {
    it(`${when} is finished by the next one`, async () => {
      const database = stocked();
      const store = await openStore(database);
      await leave(new Accounts(store, Date.now), new AccountKeys(store, Date.now));
      const next = new Program(['--database', database, 'start', '--port', '0']);
      const url = await welcomed(next);
      const limits = { free: 200, trader: 10_000, business: 100_000 };
      assert.deepEqual(await quotas(url, shownKeys(next)), limits);
      await signsIn(store, shownPassword(next, url));
      await store.close();
    });
  }

  it('leaves accounts of others alone', async () => {
    const database = stocked();
    const store = await openStore(database);
    await new Accounts(store, Date.now).create('me@shop.example', 'trader');
    await store.close();
    const next = new Program(['--database', database, 'start', '--port', '0']);
    await welcomed(next);
    assert.doesNotMatch(next.out, /cp_live_|password [a-z0-9]{4}-/);
  });
});

it('serves with one process for any number of workers, and warns of unknown variables', async () => {
  const database = stocked();
  const start = ['--database', database, 'start', '--port', '0'];
  const program = new Program(start, { env: { CARDPRICE_WORKERS: '3', CARDPRICE_PROT: '9000' } });
  await welcomed(program);
  assert.deepEqual(unknownNamed(program), ['CARDPRICE_PROT']);
  assert.equal(Object.keys(shownKeys(program)).length, 3);
  assert.deepEqual(await ended(program.send('SIGINT')), { code: 0, err: '' });
});

async function ended(program: Program) {
  const { code, err } = await program.ended();
  return { code, err };
}
