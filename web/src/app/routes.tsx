import type { ComponentType } from 'preact';
import { lazy, Route, Router, useLocation } from 'preact-iso';
import { PAGES, type PageName } from '../../../src/dashboard/pages.ts';
import ACCOUNT_STYLE from '../account/account-pages.css?url';
import { waitUntilReachable } from '../api/call.ts';
import { type Session, useSession } from '../api/session.ts';
import { loadMotifs } from '../cards/motif.tsx';
import OPERATOR_STYLE from '../operator/operator-page.css?url';
import { loadStyle, loadUnscripted } from '../ui/late.tsx';
import { NotFoundPage } from '../ui/page.tsx';
import LIST_STYLE from './lists.css?url';

/**
 * The readers of a page. `visitor` means everybody if the pages are public, and accounts otherwise.
 */
type Reader = 'anyone' | 'visitor' | 'account' | 'operator';

/** A page whose code, and own style if it has one, are loaded later. */
type LazyPage = ComponentType & { preload?(): Promise<unknown>; readonly style?: string };

// A page is loaded when it is first opened.
const AccountPage = accountPage(() => import('../account/account-page.tsx'), 'AccountPage');

const SignInPage = lazyPage(() => import('../account/sign-in.tsx'), 'SignInPage');
const SetsPage = listPage(() => import('../sets/sets-page.tsx'), 'SetsPage');
const MoversPage = listPage(() => import('../movers/movers-page.tsx'), 'MoversPage');

/** Every page, with its readers. */
const ROUTES: Readonly<Record<PageName, readonly [Reader, LazyPage]>> = {
  home: ['visitor', listPage(() => import('../home/home-page.tsx'), 'HomePage')],
  search: ['visitor', listPage(() => import('../search/search-page.tsx'), 'SearchPage')],
  card: ['visitor', lazyPage(() => import('../cards/card-page.tsx'), 'CardPage')],
  product: ['visitor', listPage(() => import('../products/product-page.tsx'), 'ProductPage')],
  sets: ['visitor', SetsPage],
  setsOfGame: ['visitor', SetsPage],
  set: ['visitor', listPage(() => import('../sets/set-page.tsx'), 'SetPage')],
  movers: ['visitor', MoversPage],
  moversOfGame: ['visitor', MoversPage],
  list: ['visitor', listPage(() => import('../lists/list-page.tsx'), 'ListPage')],
  alerts: ['account', accountPage(() => import('../alerts/parts.ts'), 'AlertsPage')],
  keys: ['account', accountPage(() => import('../account/keys-page.tsx'), 'KeysPage')],
  webhooks: ['account', accountPage(() => import('../account/webhooks-page.tsx'), 'WebhooksPage')],
  usage: ['account', accountPage(() => import('../account/usage-page.tsx'), 'UsagePage')],
  plans: ['anyone', lazyPage(() => import('../account/plans-page.tsx'), 'PlansPage')],
  account: ['account', AccountPage],
  signIn: ['anyone', SignInPage],
  signUp: ['anyone', lazyPage(() => import('../account/sign-up-page.tsx'), 'SignUpPage')],
  forgot: ['anyone', lazyPage(() => import('../account/password-pages.tsx'), 'ForgotPasswordPage')],
  reset: ['anyone', lazyPage(() => import('../account/password-pages.tsx'), 'ResetPasswordPage')],
  unsubscribe: ['anyone', lazyPage(() => import('../alerts/parts.ts'), 'UnsubscribePage')],
  overview: operatorPage(() => import('../operator/overview-page.tsx'), 'OverviewPage'),
  accounts: operatorPage(() => import('../operator/accounts-page.tsx'), 'AccountsPage'),
  operatorAccount: operatorPage(() => import('../operator/account-page.tsx'), 'ManagedAccountPage'),
  health: operatorPage(() => import('../operator/health-page.tsx'), 'HealthPage'),
  operatorPlans: operatorPage(() => import('../operator/plans-page.tsx'), 'OperatorPlansPage'),
  sources: operatorPage(() => import('../operator/sources-page.tsx'), 'SourcesPage'),
  quarantine: operatorPage(() => import('../operator/quarantine-page.tsx'), 'QuarantinePage'),
  audit: operatorPage(() => import('../operator/audit-page.tsx'), 'AuditPage'),
};

const NAMES = Object.keys(ROUTES) as PageName[];

/** The page at the address, or the sign-in page if it needs an account. */
export function Routes() {
  const session = useSession();
  const { path } = useLocation();
  if (!isWellFormed(path)) return <NotFoundPage />;
  // The key drops the state of the pages when the account changes.
  return (
    <Router key={session.account?.email ?? ''}>
      {NAMES.map((name) => (
        <Route key={name} path={PAGES[name]} component={pageFor(session, name)} />
      ))}
      <Route default component={NotFoundPage} />
    </Router>
  );
}

/** Whether the router can decode a path. A malformed escape such as `%zz` would make it throw. */
function isWellFormed(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Returns the page that the reader of a session sees at the address of a page. */
function pageFor(
  { account, isPublic }: Pick<Session, 'account' | 'isPublic'>,
  name: PageName,
): LazyPage {
  const [reader, page] = ROUTES[name];
  if (reader === 'anyone') return page;
  if (!account) return reader === 'visitor' && isPublic ? page : SignInPage;
  // If operators need a second factor, an operator without one can only add it.
  if (account.needsSecondFactor) return AccountPage;
  return reader === 'operator' && !account.isOperator ? NotFoundPage : page;
}

/** Loads the code of all pages, including code that they would load later. */
export async function loadPages(): Promise<void> {
  await Promise.all([loadMotifs(), ...NAMES.map((name) => load(ROUTES[name][1]))]);
  await loadUnscripted();
}

/** Loads the code of the page that the reader of a session sees at a path. */
export async function loadPage(path: string, session: Pick<Session, 'account' | 'isPublic'>) {
  const name = nameOf(path);
  if (name) await load(pageFor(session, name));
}

/** Returns the address of the page's own style at a path, in addition to the common style. */
export function styleOf(path: string): string | undefined {
  const name = nameOf(path);
  return name && ROUTES[name][1].style;
}

function nameOf(path: string): PageName | undefined {
  return NAMES.find((candidate) => patternOf(PAGES[candidate]).test(path));
}

/** `/cards/:id` as a pattern; a trailing slash means the same page. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`);
}

async function load(page: LazyPage): Promise<void> {
  await page.preload?.();
}

/**
 * Creates a page from the component `name` of a module, which is loaded when the page is first
 * opened. The previous page stays until then.
 */
function lazyPage<Name extends string>(load: LoadPage<Name>, name: Name) {
  const loadComponent = async () => (await load())[name];
  return lazy(() => loadComponent().catch(() => retry(loadComponent)));
}

type LoadPage<Name extends string> = () => Promise<Readonly<Record<Name, ComponentType>>>;

/** Creates a page with lists of cards or sets. */
function listPage<Name extends string>(load: LoadPage<Name>, name: Name) {
  return styledPage(LIST_STYLE, load, name);
}

/** Creates a page of the reader's own account. */
function accountPage<Name extends string>(load: LoadPage<Name>, name: Name) {
  return styledPage(ACCOUNT_STYLE, load, name);
}

/** Creates a page for operators. */
function operatorPage<Name extends string>(load: LoadPage<Name>, name: Name) {
  return ['operator', styledPage(OPERATOR_STYLE, load, name)] as const;
}

/** Creates a page like {@link lazyPage}, with a style that most pages do not need. */
function styledPage<Name extends string>(style: string, load: LoadPage<Name>, name: Name) {
  const page = lazyPage(async () => {
    const [module] = await Promise.all([load(), import.meta.env.SSR || loadStyle(style)]);
    return module;
  }, name);
  return Object.assign(page, { style });
}

async function retry<Page>(load: () => Promise<Page>): Promise<Page | (() => never)> {
  await waitUntilReachable();
  return load().catch(reload);
}

/**
 * Reloads the app: if the server is reachable but lacks the page's file, it has newer versions of
 * all files. If a reload has not helped, resolves with a page that fails, so the app shows an
 * error.
 */
async function reload(error: unknown): Promise<() => never> {
  const [navigation] = performance.getEntriesByType('navigation');
  if ((navigation as PerformanceNavigationTiming | undefined)?.type === 'reload') {
    return () => {
      throw error;
    };
  }
  location.reload();
  return new Promise(() => {});
}
