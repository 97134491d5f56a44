import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { Page } from '../ui/page.tsx';
import { type Account, useSession } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signs in. Visitors get it in place of every page for accounts, at that page's address. */
export function SignInPage() {
  const { setSignedIn, signedOutMessage, signUp } = useSession();
  const { path, route } = useLocation();
  const onSignedIn = (account: Account) => {
    if (path === PAGES.signIn) route(PAGES.home, true);
    setSignedIn(account);
  };
  return (
    <Page title="Sign in">
      {signedOutMessage && (
        <p class="notice" role="status">
          {signedOutMessage}
        </p>
      )}
      <SignInForm onSignedIn={onSignedIn} />
      <p>
        <a href={PAGES.forgot}>Forgotten password</a>
      </p>
      {signUp !== 'off' && (
        <p>
          New here? <a href={PAGES.signUp}>Create an account</a>
        </p>
      )}
    </Page>
  );
}
