/** The paths of the pages. The server answers each with one app, whose router shows the page. */
export const PAGES = {
  cards: '/',
  card: '/cards/:id',
  sets: '/sets',
  setsOfGame: '/sets/:game',
  list: '/list',
  keys: '/keys',
  usage: '/usage',
  plans: '/plans',
  account: '/account',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgot: '/forgot',
  reset: '/reset',
  accounts: '/operator',
  operatorAccount: '/operator/account',
  operatorPlans: '/operator/plans',
  health: '/operator/health',
  sources: '/operator/sources',
  quarantine: '/operator/quarantine',
  audit: '/operator/audit',
} as const satisfies Record<string, `/${string}`>;

export type PageName = keyof typeof PAGES;
