import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { LocationProvider, Route, Router } from 'preact-iso';
import { PAGES } from '../../src/dashboard/pages.ts';
import { lazyPage } from './lazy.ts';
import { NotFound } from './pages/not-found.tsx';
import { SearchPage } from './pages/search.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { Banner } from './parts/banner.tsx';
import { Footer } from './parts/footer.tsx';
import { Header } from './parts/header.tsx';
import { SessionProvider, useSession } from './session.tsx';

// What most readers do not open first is fetched when they do.
const CardPage = lazyPage(() => import('./pages/card.tsx').then((page) => page.CardPage));
const SetsPage = lazyPage(() => import('./pages/sets.tsx').then((page) => page.SetsPage));
const KeysPage = lazyPage(() => import('./pages/keys.tsx').then((page) => page.KeysPage));
const UsagePage = lazyPage(() => import('./pages/usage.tsx').then((page) => page.UsagePage));
const PlansPage = lazyPage(() => import('./pages/plans.tsx').then((page) => page.PlansPage));
const AccountPage = lazyPage(() => import('./pages/account.tsx').then((page) => page.AccountPage));
const SignUpPage = lazyPage(() => import('./pages/sign-up.tsx').then((page) => page.SignUpPage));
const ForgotPage = lazyPage(() => import('./pages/forgot.tsx').then((page) => page.ForgotPage));
const ResetPage = lazyPage(() => import('./pages/reset.tsx').then((page) => page.ResetPage));
const AccountsPage = lazyPage(() =>
  import('./pages/accounts.tsx').then((page) => page.AccountsPage),
);
const SourcesPage = lazyPage(() => import('./pages/sources.tsx').then((page) => page.SourcesPage));
const QuarantinePage = lazyPage(() =>
  import('./pages/quarantine.tsx').then((page) => page.QuarantinePage),
);

/** The dashboard: who is signed in, the navigation, and the page of the address. */
export function App() {
  return (
    <LocationProvider scope={PAGE}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Banner />
      <SessionProvider>
        <Header />
        <main id="main" tabIndex={-1}>
          <Pages />
        </main>
        <Footer />
      </SessionProvider>
    </LocationProvider>
  );
}

/** What the router shows; the reference, the metrics and all else are documents of their own. */
const PAGE = /^\/(?!docs|openapi\.json|metrics|healthz|readyz)/;

function Pages() {
  const { account } = useSession();
  const [error] = useErrorBoundary();
  if (error) return <Broken />;
  const member = (page: ComponentType) => (account ? page : SignInPage);
  const operator = (page: ComponentType) => member(account?.isOperator ? page : NotFound);
  // With another account every page begins anew.
  return (
    <Router key={account?.email ?? ''}>
      <Route path={PAGES.cards} component={member(SearchPage)} />
      <Route path={PAGES.card} component={member(CardPage)} />
      <Route path={PAGES.sets} component={member(SetsPage)} />
      <Route path={PAGES.setsOfGame} component={member(SetsPage)} />
      <Route path={PAGES.keys} component={member(KeysPage)} />
      <Route path={PAGES.usage} component={member(UsagePage)} />
      <Route path={PAGES.account} component={member(AccountPage)} />
      <Route path={PAGES.accounts} component={operator(AccountsPage)} />
      <Route path={PAGES.sources} component={operator(SourcesPage)} />
      <Route path={PAGES.quarantine} component={operator(QuarantinePage)} />
      <Route path={PAGES.plans} component={PlansPage} />
      <Route path={PAGES.signIn} component={SignInPage} />
      <Route path={PAGES.signUp} component={SignUpPage} />
      <Route path={PAGES.forgot} component={ForgotPage} />
      <Route path={PAGES.reset} component={ResetPage} />
      <Route default component={NotFound} />
    </Router>
  );
}

/** In the place of a page with a mistake in it. */
function Broken() {
  return (
    <p class="notice" role="alert">
      Something in this page does not work. <a href={location.href}>Load it again</a>
    </p>
  );
}
