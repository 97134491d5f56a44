import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { Page } from '../parts/page.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';
import { type Account, useSession } from '../session.tsx';

/** Signs in; also stands in the place of any page that only an account may see. */
export function SignInPage() {
  const { enter, farewell, signUp } = useSession();
  const { path, route } = useLocation();
  const goOn = (account: Account) => {
    if (path === PAGES.signIn) route(PAGES.cards, true);
    enter(account);
  };
  return (
    <Page title="Sign in">
      {farewell && (
        <p class="notice" role="status">
          {farewell}
        </p>
      )}
      <SignInForm onSignedIn={goOn} />
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
