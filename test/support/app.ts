import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { Accounts } from '../../src/accounts/accounts.ts';
import { Alerts } from '../../src/accounts/alerts/alerts.ts';
import { AuditLog, AuditTrail } from '../../src/accounts/audit/audit.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { Authenticator } from '../../src/accounts/keys/authenticator.ts';
import { UsageRecorder } from '../../src/accounts/quota/usage-recorder.ts';
import { UsageReport } from '../../src/accounts/quota/usage-report.ts';
import { Replays } from '../../src/accounts/replays.ts';
import { RESET_LINK_MS, SelfService } from '../../src/accounts/sign-in/self-service.ts';
import { Webhooks } from '../../src/accounts/webhooks/webhooks.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { dashboardReview } from '../../src/commands/serve-dashboard.ts';
import { type DashboardOptions, dashboard } from '../../src/dashboard/index.ts';
import { type Millis, parseDay } from '../../src/domain/day.ts';
import { GAMES } from '../../src/domain/games.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { Rates } from '../../src/domain/rates.ts';
import { type AppDependencies, buildApp } from '../../src/http/app.ts';
import { ENDPOINT_NAMES } from '../../src/http/compatible/index.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { PublicationWaits } from '../../src/http/publication-waits.ts';
import { resolverOf } from '../../src/http/resources.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import { openFolder, type Tree } from '../../src/sources/io/tree.ts';
import { openTcgcsv, readLastUpdated } from '../../src/sources/tcgcsv/read.ts';
import { changesReader } from '../../src/store/catalogue/changes.ts';
import { factsReader } from '../../src/store/catalogue/facts.ts';
import { knownPublicationsReader } from '../../src/store/catalogue/known-publications.ts';
import { marketplaceChangesReader } from '../../src/store/catalogue/marketplace-changes.ts';
import { sourceFactsReader } from '../../src/store/catalogue/source-facts.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import {
  historiesReader,
  historyReader,
  knownHistoriesReader,
  pastPricesReader,
  seriesReader,
} from '../../src/store/history/index.ts';
import { observationsReader } from '../../src/store/reports/explain.ts';
import { readHealth } from '../../src/store/reports/health.ts';
import { Browser } from './browser.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { createDatabase, type EngineLabel, type TestDatabase } from './engines.ts';
import { publishPast } from './past.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/tcgcsv', import.meta.url));
/** Stands for the built pages. */
const PAGES = new URL('../fixtures/pages/', import.meta.url);
/** The day after the one on which the fixtures were observed. */
const START: Millis = Date.UTC(2026, 0, 29, 12);

/** The password of every account that {@link Service.signedInBrowser} creates. */
export const PASSWORD = 'correct horse battery';
const SIGN_UP = { isOpen: true, invitationCode: '' };

/** The dependencies and settings of an application that a test may change. */
export interface AppChanges extends Partial<Omit<AppDependencies, 'dashboard'>> {
  readonly dashboard?: Partial<DashboardOptions>;
  /** The operator's exchange rates. */
  readonly rates?: Rates;
}
export type Headers = Readonly<Record<string, string>>;
/**
 * A day of history: `[date, market, low, high]` in cents, and whether it only repeats the day
 * before.
 */
export type HistoryDay = readonly [
  date: string,
  market: number,
  low?: number,
  high?: number,
  repeated?: boolean,
];

/** An application with a database and a clock that moves only when the test sets it. */
export class Service {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly app: FastifyInstance;
  readonly accounts: Accounts;
  readonly keys: AccountKeys;
  readonly usageRecorder: UsageRecorder;
  readonly trail: AuditTrail;
  readonly publicationWaits: PublicationWaits;
  /** All logged output. */
  readonly log: string[];
  readonly #clock: { now: Millis };

  private constructor(store: Store, app: FastifyInstance, internals: Internals) {
    this.store = store;
    this.app = app;
    this.catalog = internals.catalog;
    this.authenticator = internals.authenticator;
    this.usageRecorder = internals.usageRecorder;
    this.trail = internals.trail;
    this.publicationWaits = internals.publicationWaits;
    this.log = internals.log;
    this.#clock = internals.clock;
    const read = () => this.#clock.now;
    this.accounts = new Accounts(store, read);
    this.keys = new AccountKeys(store, read);
  }

  /** Opens a database as a serving process does. */
  static async open(
    location: string,
    changes: AppChanges = {},
    clock = { now: START },
  ): Promise<Service> {
    const store = await openStore(location);
    const read = () => clock.now;
    const { dashboard: dashboardChanges, rates = [], ...others } = changes;
    const catalog = new Catalog(store, { rates });
    await catalog.refresh();
    const authenticator = new Authenticator(store, read);
    const log: string[] = [];
    const metrics = createMetrics(catalog, read);
    const usageRecorder = new UsageRecorder(store, ENDPOINT_NAMES, (error) =>
      log.push(String(error)),
    );
    const dependencies = {
      catalog,
      authenticator,
      history: historyReader(store),
      histories: historiesReader(store),
      knownHistories: knownHistoriesReader(store),
      knownPublications: knownPublicationsReader(store),
      historySeries: seriesReader(store),
      pastPrices: pastPricesReader(store),
      observations: observationsReader(store),
      facts: factsReader(store),
      marketplaceChanges: marketplaceChangesReader(store),
      changes: changesReader(store),
      publicationWaits: new PublicationWaits(catalog),
      sourceFacts: sourceFactsReader(store),
      resolver: resolverOf(catalog),
      usage: new UsageReport(store, read),
      alerts: new Alerts(store, read),
      webhooks: new Webhooks(store, read),
      replays: new Replays(store, read),
      estimates: false,
      bulkFolder: '',
      clock: read,
      version: '1.2.3',
      logger: pino({ level: 'debug' }, { write: (line: string) => log.push(line) }),
      authErrors: 'standard' as const,
      corsOrigins: [],
      trustProxy: [],
      burst: {},
      keyBurst: null,
      addressBurst: null,
      hosts: { publicUrl: '', hosts: ['*'], listenHost: '127.0.0.1' },
      metricsAccess: { isPublic: false, token: '' },
      publicUrl: '',
      queryKeys: true,
      usageRecorder,
      metrics: () => metrics.registry.metrics(),
      countAnswer: metrics.count,
      ...others,
    };
    const options = { ...dashboardOptions(location, store, dependencies), ...dashboardChanges };
    const app = await buildApp({
      ...dependencies,
      dashboard: dashboard(options),
    });
    const { trail } = options;
    const { publicationWaits } = dependencies;
    const internals = {
      catalog,
      authenticator,
      usageRecorder,
      trail,
      publicationWaits,
      log,
      clock,
    };
    return new Service(store, app, internals);
  }

  get now(): Millis {
    return this.#clock.now;
  }

  /** Sets the clock, for every service that shares it. */
  set now(moment: Millis) {
    this.#clock.now = moment;
  }

  /** Opens another process with the same database and the same clock. */
  another(location: string, changes: AppChanges = {}): Promise<Service> {
    return Service.open(location, changes, this.#clock);
  }

  /** Sends a GET request without a key. */
  get(url: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.app.inject({ method: 'GET', url, headers });
  }

  /** Creates an account on a plan, with one key. */
  async caller(plan: string = 'business'): Promise<Caller> {
    const email = `${randomUUID()}@shop.example`;
    await this.accounts.create(email, plan);
    const { key, id } = await this.keys.create(email);
    return new Caller(this, email, key, String(id));
  }

  /** Returns the ETag that another caller gets for a path, or for a body posted to it. */
  async etagOf(url: string, body?: unknown): Promise<string> {
    const other = await this.caller();
    const answer = body === undefined ? await other.get(url) : await other.post(url, body);
    return String(answer.headers.etag);
  }

  /** A browser without a session. */
  browser(): Browser {
    return new Browser(this.app);
  }

  /** Signs in, and returns the browser. */
  async signIn(email: string, password: string): Promise<Browser> {
    const browser = this.browser();
    const answer = await browser.post('/dashboard/sign-in', { email, password });
    if (answer.statusCode !== 200) throw new Error(`not signed in: ${answer.body}`);
    return browser;
  }

  /** Creates an account on a plan, and signs in. */
  async signedInBrowser(
    plan: string = 'free',
    email = `${randomUUID()}@shop.example`,
  ): Promise<Browser & { readonly email: string }> {
    await this.accounts.create(email, plan);
    const options = { signUp: SIGN_UP, passwords: cheapPasswords() };
    const selfService = new SelfService(this.store, () => this.now, options);
    const { token } = await selfService.resetToken(email, RESET_LINK_MS);
    await selfService.reset(token, PASSWORD, '127.0.0.1');
    return Object.assign(await this.signIn(email, PASSWORD), { email });
  }

  /** Creates an operator account, and signs in. */
  async operator(): Promise<Browser & { readonly email: string }> {
    const browser = await this.signedInBrowser('business');
    await this.accounts.setOperator(browser.email, true);
    return browser;
  }

  /** Records earlier days of a printing, like imports on those days. */
  async remember(cardId: string, printing: string, days: readonly HistoryDay[]): Promise<void> {
    const { catalog } = this;
    const priced = catalog.card(cardId) ?? catalog.products.product(cardId);
    const printings = priced?.printings ?? [];
    const key = printings.find(({ name }) => name === printing)?.rowId;
    if (key === undefined) throw new Error(`the fixtures hold no ${printing} of ${cardId}`);
    const rows = days.map((day) => ({
      printing: key,
      prices: dayPrices(day),
      provenance: { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: day[4] ?? false },
    }));
    await publishPast(this.store, rows, this.now);
    await this.catalog.refresh();
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.store.close();
  }
}

/** The dashboard's options, as the commands build them. */
function dashboardOptions(
  location: string,
  store: Store,
  dependencies: Omit<AppDependencies, 'dashboard'>,
): DashboardOptions {
  const { clock, version } = dependencies;
  const withStore = async <Result>(work: (store: Store) => Promise<Result>): Promise<Result> => {
    const other = await openStore(location);
    return work(other).finally(() => other.close());
  };
  return {
    store,
    clock,
    version,
    resources: dependencies,
    health: () => readHealth(store, { now: clock(), synced: [], limitOf: () => null }),
    machine: async () => ({
      findings: [],
      processes: 1,
      nextSyncAt: null,
      files: [],
      freeBytes: null,
      backupAt: null,
    }),
    syncs: {
      start: async () => assert.fail('nothing can be synced here'),
      read: async () => null,
    },
    syncable: [],
    review: dashboardReview({ withStore, clock }),
    isPublic: false,
    brand: { name: 'Cardprice', tagline: 'What cards are worth.', color: null, logo: null },
    signUp: SIGN_UP,
    passwords: cheapPasswords(),
    keyRules: { keyDays: 'off' },
    auditDays: 400,
    webhookNetworks: [],
    burst: {},
    keyBurst: null,
    trail: new AuditTrail(new AuditLog(store, clock), dependencies.logger),
    operatorSecondFactor: false,
    publicUrl: '',
    pages: PAGES,
  };
}

interface Internals {
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly usageRecorder: UsageRecorder;
  readonly trail: AuditTrail;
  readonly publicationWaits: PublicationWaits;
  readonly log: string[];
  readonly clock: { now: Millis };
}

/** A client with an API key for one service. */
export class Caller {
  readonly email: string;
  readonly key: string;
  readonly keyId: string;
  readonly #service: Service;

  constructor(service: Service, email: string, key: string, keyId: string) {
    this.#service = service;
    this.email = email;
    this.key = key;
    this.keyId = keyId;
  }

  /** The same caller, using another process. */
  at(service: Service): Caller {
    return new Caller(service, this.email, this.key, this.keyId);
  }

  get(url: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.send('GET', url, headers);
  }

  /** Posts a body as JSON; sends a string unchanged. */
  post(url: string, body: unknown, headers: Headers = {}): Promise<LightMyRequestResponse> {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send('POST', url, { 'content-type': 'application/json', ...headers }, payload);
  }

  send(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
    url: string,
    headers: Headers = {},
    payload?: string,
  ): Promise<LightMyRequestResponse> {
    const sent = { 'x-api-key': this.key, ...headers };
    return this.#service.app.inject({ method, url, headers: sent, ...(payload && { payload }) });
  }

  /** Charges requests to the account without making them. */
  async spend(count: number): Promise<void> {
    const caller = await this.#service.authenticator.identify(this.key);
    if (!caller) throw new Error('the key does not work');
    const charges = Array.from({ length: count }, () => this.#service.authenticator.charge(caller));
    await Promise.all(charges);
  }
}

/** A service shared by all tests of a suite. Create a separate caller for each test. */
export interface SharedService {
  readonly location: string;
  readonly service: Service;
}

/**
 * Declares that the tests of this suite share one service with the fixture catalogue. It is opened
 * before the first test and closed after the last.
 */
export function shareService(label: EngineLabel, changes: AppChanges = {}): SharedService {
  let database: TestDatabase | undefined;
  let service: Service | undefined;
  before(async () => {
    database = await createDatabase(label);
    await importFixtures(database.location);
    service = await Service.open(database.location, changes);
  });
  after(async () => {
    await service?.close();
    await database?.remove();
  });
  return {
    get location() {
      if (!database) throw new Error('the database is made before the first test');
      return database.location;
    },
    get service() {
      if (!service) throw new Error('the service is opened before the first test');
      return service;
    },
  };
}

/** Changes to the fixtures before they are imported. */
export interface LaterPull {
  readonly observedAt: Millis;
  /** Changes the text of a file. */
  change(path: string, text: string): string;
}

/** Imports the fixtures with the real importer. */
export async function importFixtures(location: string, later?: LaterPull): Promise<void> {
  const store = await openStore(location);
  const clock = () => START;
  const folder = await openFolder(FIXTURES);
  const tree = later ? changed(folder, later) : folder;
  const observedAt = later?.observedAt ?? (await readLastUpdated(tree, START));
  const snapshot = await openTcgcsv(tree, { games: GAMES, observedAt });
  const { broken } = await importSnapshot(store, snapshot, { clock });
  await store.close();
  if (broken.length === 0) return;
  const advice = 'A new game needs a fixture (docs/recipes.md, "Add a game").';
  throw new Error(`${FIXTURES} is incomplete: ${JSON.stringify(broken)} ${advice}`);
}

function changed(tree: Tree, { change }: LaterPull): Tree {
  return {
    ...tree,
    async read(path) {
      const file = await tree.read(path);
      if (file.kind !== 'found') return file;
      const text = change(path, Buffer.from(file.bytes).toString());
      return { ...file, bytes: Buffer.from(text) };
    },
  };
}

function dayPrices([date, market, low, high]: HistoryDay) {
  const day = parseDay(date);
  if (day === undefined) throw new Error(`${date} is not a day`);
  const cents = (amount: number | undefined) => (amount ?? null) as Cents | null;
  return { day, market: cents(market), low: cents(low), mid: null, high: cents(high) };
}
