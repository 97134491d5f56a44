/**
 * Which folder of `src/` may import which, besides itself. An import that is not listed is refused,
 * and so are folders that are not listed. docs/architecture.md shows the same table.
 */
export const LAYERS = {
  domain: [],
  lib: [],
  config: ['domain', 'lib'],
  history: ['domain'],
  search: ['domain', 'lib'],
  resolve: ['domain', 'lib', 'search'],
  store: ['domain', 'history', 'lib'],
  sources: ['domain', 'lib'],
  catalog: ['domain', 'lib', 'search', 'store'],
  accounts: ['domain', 'lib', 'store'],
  ingest: ['domain', 'lib', 'sources/contract', 'store'],
  sync: ['domain', 'ingest', 'lib', 'sources', 'store'],
  http: ['accounts', 'catalog', 'config', 'domain', 'history', 'lib', 'resolve', 'search', 'store'],
  operator: ['accounts', 'catalog', 'domain', 'http', 'lib', 'store'],
  dashboard: [
    'accounts',
    'catalog',
    'config',
    'domain',
    'history',
    'http',
    'lib',
    'operator',
    'resolve',
    'search',
    'store',
  ],
  commands: [
    'accounts',
    'catalog',
    'config',
    'dashboard',
    'domain',
    'history',
    'http',
    'ingest',
    'lib',
    'operator',
    'resolve',
    'search',
    'sources',
    'store',
    'sync',
  ],
};

/**
 * Which folder of `web/src/` may import which, besides itself, with the same rules. All of them may
 * import from `src` what the pages share with the server (`SHARED_WITH_PAGES`).
 */
export const WEB_LAYERS = {
  api: [],
  ui: ['api'],
  charts: ['ui'],
  alerts: ['api', 'ui'],
  cards: ['alerts', 'api', 'charts', 'ui'],
  lists: ['alerts', 'api', 'cards', 'ui'],
  products: ['api', 'cards', 'ui'],
  search: ['api', 'cards', 'products', 'ui'],
  movers: ['api', 'cards', 'ui'],
  sets: ['alerts', 'api', 'cards', 'movers', 'products', 'ui'],
  home: ['api', 'cards', 'movers', 'search', 'ui'],
  account: ['api', 'charts', 'ui'],
  operator: ['account', 'api', 'cards', 'charts', 'ui'],
  reference: [],
  app: [
    'account',
    'alerts',
    'api',
    'cards',
    'home',
    'lists',
    'movers',
    'operator',
    'products',
    'search',
    'sets',
    'ui',
  ],
};

/** Folders of `src` from which the pages may import: pure modules, and types. */
const SHARED_WITH_PAGES = ['dashboard', 'domain', 'http', 'operator', 'search'];

/**
 * The folders of `src/store/`, and which of the others each may import. The engine knows no table.
 * `connect.ts` opens a store: all but the first two may import it.
 */
const STORE_ROOMS = {
  engine: [],
  accounts: ['engine', 'catalogue'],
  catalogue: ['engine', 'connect.ts'],
  history: ['engine', 'catalogue', 'connect.ts'],
  quarantine: ['engine', 'catalogue', 'history', 'connect.ts'],
  reports: ['engine', 'catalogue', 'history', 'quarantine', 'connect.ts'],
  backup: ['engine', 'accounts', 'catalogue', 'history', 'connect.ts'],
};

/** The files that have SQL: the store's, and those next to what calls them in accounts. */
const SQL_OWNERS = '^src/(store/|accounts/.*-sql\\.ts$)';

/** Folders that others enter through their `index.ts` alone. */
const ONE_DOOR = ['src/ingest/validation', 'src/search'];

/** Folders that do no input or output: they import nothing of Node. */
const PURE = ['domain'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  allowed: [
    ...Object.keys(LAYERS).map((layer) => ({
      from: { path: `^src/${layer}/` },
      to: { path: '^src/' },
    })),
    { from: { path: '^src/main.ts$' }, to: { path: '^src/(commands|lib)/' } },
    ...Object.entries(WEB_LAYERS).map(([layer, others]) => ({
      from: { path: `^web/src/${layer}/` },
      to: { path: `^web/src/(${[layer, ...others].join('|')})/` },
    })),
    { from: { path: '^web/src/(main|server).tsx$' }, to: { path: '^web/src/(api|app)/' } },
    // Made by web/vite.config.ts.
    { from: { path: '^web/src/cards/' }, to: { path: '^virtual:card-colors.css$' } },
    { from: { path: '^web/src/' }, to: { path: `^src/(${SHARED_WITH_PAGES.join('|')})/` } },
    { from: { path: '^src/' }, to: { dependencyTypes: ['npm'] } },
    // The build bundles what the pages import, so their libraries are not installed with the program.
    { from: { path: '^web/src/' }, to: { dependencyTypes: ['npm', 'npm-dev'] } },
    // The optional peers; the one importer of each is loaded by those who need it.
    {
      from: { path: '^src/sources/tcgcsv-archive/seven-zip\\.ts$' },
      to: { path: 'node_modules/7z-wasm/' },
    },
    {
      from: { path: '^src/dashboard/picture-shrinker\\.ts$' },
      to: { path: 'node_modules/sharp/' },
    },
    {
      from: { path: '^src/http/opentelemetry\\.ts$' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      from: { pathNot: `^(src/(${PURE.join('|')})|web/src)/` },
      to: { dependencyTypes: ['core'] },
    },
  ],
  allowedSeverity: 'error',
  forbidden: [
    ...Object.entries(LAYERS).map(([layer, others]) => ({
      // The name is all that the check prints of a rule.
      name: `src/${layer} may import ${others.join(', ') || 'nothing'} (docs/architecture.md#layers)`,
      comment: 'LAYERS in .dependency-cruiser.mjs and docs/architecture.md have the table.',
      severity: 'error',
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: `^src/(${[layer, ...others].join('|')})/` },
    })),
    {
      name: 'no-cycles',
      comment: 'Files that import each other, types included, cannot be read one after the other.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...ONE_DOOR.map((folder) => ({
      name: 'one-door',
      comment: `What others need of ${folder} is exported by its index.ts.`,
      severity: 'error',
      from: { pathNot: `^${folder}/` },
      to: { path: `^${folder}/`, pathNot: `^${folder}/index\\.ts$` },
    })),
    ...Object.entries(STORE_ROOMS).map(([room, others]) => ({
      name: 'store-rooms',
      comment: `src/store/${room}/ may import of the store: ${others.join(', ') || 'nothing'}.`,
      severity: 'error',
      from: { path: `^src/store/${room}/` },
      to: { path: '^src/store/', pathNot: `^src/store/(${[room, ...others].join('|')})(/|$)` },
    })),
    {
      name: 'sql-stays-inside',
      comment: 'Only files that have SQL import what runs it; connect.ts has the type Transaction.',
      severity: 'error',
      from: { path: '^src/', pathNot: SQL_OWNERS },
      to: { path: '(^|/node_modules/|^node_modules/)(kysely|better-sqlite3|pg)(/|$)' },
    },
    {
      name: 'rows-stay-inside',
      comment: 'Files that have SQL give others records; the types of rows are theirs alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: SQL_OWNERS },
      to: { path: '^src/store/[^/]+/(schema|json-columns)\\.ts$' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
