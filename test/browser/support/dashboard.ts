import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { findAccount } from '../../../src/accounts/account-sql.ts';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { AccountKeys } from '../../../src/accounts/keys/account-keys.ts';
import { Plans } from '../../../src/accounts/quota/plans.ts';
import { RESET_LINK_MS, SelfService } from '../../../src/accounts/sign-in/self-service.ts';
import {
  type AdmittedAccount,
  Sessions,
  verifiedAccount,
} from '../../../src/accounts/sign-in/sessions.ts';
import { STARTER_FOLDER } from '../../../src/commands/files.ts';
import { importStarter, importStarterQuotes } from '../../../src/commands/starter.ts';
import { importSnapshot } from '../../../src/ingest/drivers/snapshot.ts';
import { openStarter } from '../../../src/sources/starter.ts';
import { readPublication } from '../../../src/store/catalogue/publications.ts';
import { openStore, type Store } from '../../../src/store/connect.ts';
import { eventually } from '../../support/cli.ts';
import { MAIN } from '../../support/main-module.ts';
import { launchChromium } from './chromium.ts';
import { writeHostileTree } from './hostile.ts';
import { longHistory } from './long-history.ts';
import { writeManySets } from './many-sets.ts';
import { type Credentials, type Look, Reader } from './reader.ts';

/** A card of the starter catalogue with a month of history, and the page of its set. */
export const CARD = {
  id: 'lorcana-tfc-elsa-spirit-of-winter-207',
  name: 'Elsa - Spirit of Winter',
  set: '/sets/lorcana/lorcana-the-first-chapter',
};

/** The service as an operator runs it, with the starter catalogue, and a browser. */
export class Dashboard {
  readonly url: string;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly keys: AccountKeys;
  readonly #members: SelfService;
  readonly browser: Browser;
  readonly #folder: string;
  readonly #location: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #readers: Reader[] = [];
  #service: ChildProcess | undefined;

  private constructor(port: number, folder: string, store: Store, parts: Parts) {
    this.url = `http://127.0.0.1:${port}`;
    this.store = store;
    this.accounts = new Accounts(store, Date.now);
    this.keys = new AccountKeys(store, Date.now);
    this.#members = new SelfService(store, Date.now, {
      signUp: { isOpen: true, invitationCode: '' },
    });
    this.browser = parts.browser;
    this.#folder = folder;
    this.#location = join(folder, 'cards.db');
    this.#settings = parts.settings;
  }

  static async open(settings: Readonly<Record<string, string>>): Promise<Dashboard> {
    const browser = await launchChromium();
    const folder = await mkdtemp(join(tmpdir(), 'cardprice-browser-'));
    const store = await openStore(join(folder, 'cards.db'));
    await importStarter(store, STARTER_FOLDER, Date.now);
    await importStarterQuotes(store, STARTER_FOLDER, Date.now);
    const dashboard = new Dashboard(await freePort(), folder, store, { browser, settings });
    await dashboard.start();
    return dashboard;
  }

  /** Starts the service, always on the same port. */
  async start(): Promise<void> {
    const args = ['serve', '--port', new URL(this.url).port, '--database', this.#location];
    const env = { ...process.env, CARDPRICE_PICTURES: 'off', ...this.#settings };
    this.#service = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 2] });
    await listening(this.#service);
  }

  /** Stops the service as Ctrl-C does. */
  async stop(): Promise<void> {
    if (!this.#service || this.#service.exitCode !== null) return;
    const ended = once(this.#service, 'exit');
    this.#service.kill('SIGINT');
    await ended;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stop();
    await this.store.close();
    await rm(this.#folder, { recursive: true });
  }

  /** Opens a browser that is not signed in. */
  async visitor(look: Look): Promise<Reader> {
    const reader = await Reader.at(this.browser, this.url, look);
    this.#readers.push(reader);
    return reader;
  }

  /** Closes all browsers, and fails if there was any unexpected problem in one of them. */
  async leaveReaders(): Promise<void> {
    for (const reader of this.#readers.splice(0)) await reader.leave();
  }

  /** Opens a browser that is signed in to a new account. */
  async reader(look: Look, plan: string = 'trader'): Promise<Reader & Credentials> {
    const member = await this.member(plan);
    const reader = await this.visitor(look);
    await reader.context.request.post('/dashboard/sign-in', { data: member });
    return Object.assign(reader, member);
  }

  /** Opens a browser that is signed in to a new account of an operator. */
  async operator(look: Look): Promise<Reader & Credentials> {
    const reader = await this.reader(look);
    await this.accounts.setOperator(reader.email, true);
    return reader;
  }

  /** Creates an account with a password. */
  async member(plan: string = 'trader'): Promise<Credentials> {
    const name = randomUUID();
    const member = { email: `${name.slice(0, 8)}@shop.example`, password: `a password ${name}` };
    await this.accounts.create(member.email, plan);
    const { token } = await this.resetToken(member.email);
    await this.#members.reset(token, member.password, '127.0.0.1');
    return member;
  }

  /** Creates the token of a link that sets a new password. */
  resetToken(email: string): Promise<{ readonly token: string }> {
    return this.#members.resetToken(email, RESET_LINK_MS);
  }

  /** Opens a session of an account and returns its cookie. */
  async cookieOf(email: string) {
    const row = await findAccount(this.store.accounts.db, email);
    if (!row) throw new Error(`there is no account ${email}`);
    const client = { address: '127.0.0.1', userAgent: '' };
    const value = await new Sessions(this.store, Date.now).open(
      verifiedAccount(row, await new Plans(this.store).read()) as AdmittedAccount,
      client,
    );
    return { name: 'cardprice_session', value, url: this.url };
  }

  /** Ends every session of an account, as if they had expired. */
  async endSessions(email: string): Promise<void> {
    const { id } = await this.accounts.find(email);
    await new Sessions(this.store, Date.now).endAll(id);
  }

  /** Imports cards with hostile names, and then a price that is quarantined. */
  async importHostile(): Promise<void> {
    const folder = join(this.#folder, 'tree');
    for (const [observed, jumperPrice] of DOWNLOADS) {
      await writeHostileTree(folder, { observed, jumperPrice });
      const code = await this.import('tcgcsv', folder, '--game', 'lorcana');
      if (code !== 0) throw new Error('the import failed');
    }
  }

  /** Imports a shop's own prices, as CSV. */
  async importQuotes(csv: string): Promise<void> {
    const file = join(this.#folder, 'quotes.csv');
    await writeFile(file, csv);
    const code = await this.import('quotes', file, '--source', 'my-shop');
    if (code !== 0) throw new Error('the import failed');
  }

  /** Imports a game of more than a thousand sets, and serves it from now on. */
  async importManySets(): Promise<void> {
    await writeManySets(this.#folder);
    await importSnapshot(this.store, await openStarter(this.#folder), { clock: Date.now });
    await this.stop();
    await this.start();
  }

  /**
   * Runs `cardprice import`, and resolves with the exit code once the service serves the prices.
   */
  async import(...args: readonly string[]): Promise<number | null> {
    const command = [MAIN, 'import', ...args, '--database', this.#location];
    const program = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
    await once(program, 'exit');
    await this.showsNewest();
    return program.exitCode;
  }

  /** Resolves once the service serves the newest publication. */
  async showsNewest(): Promise<void> {
    const { id } = await readPublication(this.store.db);
    await eventually(async () => {
      const ready = await fetch(new URL('/readyz', this.url));
      return ((await ready.json()) as { publication: { id: string } }).publication.id === id;
    });
  }
}

const DOWNLOADS = [
  ['2026-01-28T20:05:12+0000', 2],
  ['2026-01-29T20:05:12+0000', 200],
] as const;

interface Parts {
  readonly browser: Browser;
  readonly settings: Readonly<Record<string, string>>;
}

interface DashboardOptions {
  /** Environment variables of the service. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether the catalogue also has cards with hostile names. */
  readonly isHostile?: boolean;
  /** Whether one of its cards has ten years of history. */
  readonly hasLongHistory?: boolean;
  /** Whether one of its games has more than a thousand sets. */
  readonly hasManySets?: boolean;
  /** Whether the tests of the file run at the same time. They close their own browsers. */
  readonly isConcurrent?: boolean;
}

/**
 * Opens a dashboard for all tests of a file, and closes the browsers that each test has opened.
 * Returns a function that returns the dashboard.
 */
export function shareDashboard({
  settings = {},
  isHostile = false,
  hasLongHistory = false,
  hasManySets = false,
  isConcurrent = false,
}: DashboardOptions = {}): () => Dashboard {
  let dashboard: Dashboard | undefined;
  before(async () => {
    dashboard = await Dashboard.open(settings);
    if (isHostile) await dashboard.importHostile();
    if (hasLongHistory) await dashboard.importQuotes(longHistory());
    if (hasManySets) await dashboard.importManySets();
  });
  if (!isConcurrent) afterEach(() => dashboard?.leaveReaders());
  after(() => dashboard?.close());
  return () => {
    if (!dashboard) throw new Error('the dashboard opens before the first test');
    return dashboard;
  };
}

/** Resolves once the service logs that it listens, and keeps reading its log. */
function listening(program: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    program.stdout?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('"msg":"listening"')) resolve();
    });
    program.once('exit', () => reject(new Error(`the service did not start: ${log}`)));
  });
}

/** Finds a port on which nothing listens. A service that restarts needs the same port again. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
