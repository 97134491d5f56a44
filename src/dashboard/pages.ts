/**
 * The paths of the pages. The server answers all of them with one app, whose router shows the page.
 */
export const PAGES = {
  home: '/',
  search: '/search',
  card: '/cards/:id',
  product: '/products/:id',
  sets: '/sets',
  setsOfGame: '/sets/:game',
  set: '/sets/:game/:id',
  movers: '/movers',
  moversOfGame: '/movers/:game',
  list: '/list',
  alerts: '/alerts',
  keys: '/keys',
  webhooks: '/webhooks',
  usage: '/usage',
  plans: '/plans',
  account: '/account',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgot: '/forgot',
  reset: '/reset',
  unsubscribe: '/unsubscribe',
  overview: '/operator',
  accounts: '/operator/accounts',
  operatorAccount: '/operator/account',
  operatorPlans: '/operator/plans',
  health: '/operator/health',
  sources: '/operator/sources',
  quarantine: '/operator/quarantine',
  audit: '/operator/audit',
} as const satisfies Record<string, `/${string}`>;

export type PageName = keyof typeof PAGES;

/** The pages that visitors may read if they are public. The server renders them. */
export const PUBLIC_PAGES: readonly PageName[] = [
  'home',
  'search',
  'card',
  'product',
  'sets',
  'setsOfGame',
  'set',
  'movers',
  'moversOfGame',
  'list',
  'plans',
];
