import type { ComponentType } from 'preact';
import { lazy, Route, Router } from 'preact-iso';
import { PAGES } from '../../src/dashboard/pages.ts';
import { useSession } from './account/session.tsx';
import { SignInPage } from './account/sign-in-page.tsx';
import { waitUntilReachable } from './api/connection.ts';
import { SearchPage } from './cards/search-page.tsx';
import { NotFoundPage } from './ui/not-found-page.tsx';

// Pages that most readers do not open first are loaded when they are opened.
const CardPage = lazyPage(() => import('./cards/card-page.tsx').then((page) => page.CardPage));
const SetsPage = lazyPage(() => import('./cards/sets-page.tsx').then((page) => page.SetsPage));
const ListPage = lazyPage(() => import('./cards/list/list-page.tsx').then((page) => page.ListPage));
const KeysPage = lazyPage(() => import('./account/keys-page.tsx').then((page) => page.KeysPage));
const UsagePage = lazyPage(() => import('./account/usage-page.tsx').then((page) => page.UsagePage));
const PlansPage = lazyPage(() => import('./account/plans-page.tsx').then((page) => page.PlansPage));
const AccountPage = lazyPage(() =>
  import('./account/account-page.tsx').then((page) => page.AccountPage),
);
const SignUpPage = lazyPage(() =>
  import('./account/sign-up-page.tsx').then((page) => page.SignUpPage),
);
const ForgotPasswordPage = lazyPage(() =>
  import('./account/forgot-password-page.tsx').then((page) => page.ForgotPasswordPage),
);
const ResetPasswordPage = lazyPage(() =>
  import('./account/reset-password-page.tsx').then((page) => page.ResetPasswordPage),
);
const AccountsPage = lazyPage(() =>
  import('./operator/accounts-page.tsx').then((page) => page.AccountsPage),
);
const ManagedAccountPage = lazyPage(() =>
  import('./operator/account-page.tsx').then((page) => page.ManagedAccountPage),
);
const HealthPage = lazyPage(() =>
  import('./operator/health-page.tsx').then((page) => page.HealthPage),
);
const SourcesPage = lazyPage(() =>
  import('./operator/sources-page.tsx').then((page) => page.SourcesPage),
);
const OperatorPlansPage = lazyPage(() =>
  import('./operator/plans-page.tsx').then((page) => page.OperatorPlansPage),
);
const AuditPage = lazyPage(() =>
  import('./operator/audit-page.tsx').then((page) => page.AuditPage),
);
const QuarantinePage = lazyPage(() =>
  import('./operator/quarantine-page.tsx').then((page) => page.QuarantinePage),
);

/** The page of the address, or in its place the sign-in page for pages that need an account. */
export function Routes() {
  const { account } = useSession();
  // An operator without a second factor can do nothing but add one, where operators need one.
  const memberPage = (page: ComponentType) => (account?.needsSecondFactor ? AccountPage : page);
  const forMembers = (page: ComponentType) => (account ? memberPage(page) : SignInPage);
  const forOperators = (page: ComponentType) => {
    return forMembers(account?.isOperator ? page : NotFoundPage);
  };
  // The key gives every account pages without the state of another.
  return (
    <Router key={account?.email ?? ''}>
      <Route path={PAGES.cards} component={forMembers(SearchPage)} />
      <Route path={PAGES.card} component={forMembers(CardPage)} />
      <Route path={PAGES.sets} component={forMembers(SetsPage)} />
      <Route path={PAGES.setsOfGame} component={forMembers(SetsPage)} />
      <Route path={PAGES.list} component={forMembers(ListPage)} />
      <Route path={PAGES.keys} component={forMembers(KeysPage)} />
      <Route path={PAGES.usage} component={forMembers(UsagePage)} />
      <Route path={PAGES.account} component={forMembers(AccountPage)} />
      <Route path={PAGES.accounts} component={forOperators(AccountsPage)} />
      <Route path={PAGES.operatorAccount} component={forOperators(ManagedAccountPage)} />
      <Route path={PAGES.operatorPlans} component={forOperators(OperatorPlansPage)} />
      <Route path={PAGES.health} component={forOperators(HealthPage)} />
      <Route path={PAGES.sources} component={forOperators(SourcesPage)} />
      <Route path={PAGES.quarantine} component={forOperators(QuarantinePage)} />
      <Route path={PAGES.audit} component={forOperators(AuditPage)} />
      <Route path={PAGES.plans} component={PlansPage} />
      <Route path={PAGES.signIn} component={SignInPage} />
      <Route path={PAGES.signUp} component={SignUpPage} />
      <Route path={PAGES.forgot} component={ForgotPasswordPage} />
      <Route path={PAGES.reset} component={ResetPasswordPage} />
      <Route default component={NotFoundPage} />
    </Router>
  );
}

/** Makes a page that is loaded when it is first opened. Until then the page before it stays. */
function lazyPage<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() => load().catch(() => retry(load)));
}

async function retry<Page>(load: () => Promise<Page>): Promise<Page> {
  await waitUntilReachable();
  return load().catch(reload);
}

/** Reloads the app: a reachable server without the page's file has a newer version of all files. */
function reload(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}
