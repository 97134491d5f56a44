import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { NewPasswordField } from './password-field.tsx';
import type { PendingSignIn } from './responses.ts';
import { SecondStep } from './second-step.tsx';
import { type Account, useSession } from './session.tsx';

/** Sets a new password with the token of the link that leads here. */
export function ResetPasswordPage() {
  const token = useTokenOfLink();
  return (
    <Page title="New password">
      {token === '' ? (
        <p>
          Open the link once more that you were given. It works once; if it has been used, or is too
          old, <a href={PAGES.forgot}>ask for another one</a>.
        </p>
      ) : (
        <ResetForm token={token} />
      )}
    </Page>
  );
}

function ResetForm({ token }: { token: string }) {
  const { setSignedIn } = useSession();
  const { route } = useLocation();
  const [pending, setPending] = useState<PendingSignIn>();
  const enter = (account: Account) => {
    route(PAGES.cards, true);
    setSignedIn(account);
  };
  const set = async ({ password }: Record<string, string>) => {
    const { data } = await post<{ data: Account | PendingSignIn }>(
      '/dashboard/reset',
      { token, password },
      { handlesUnauthorized: true },
    );
    if ('factors' in data) setPending(data);
    else enter(data);
  };
  if (pending) {
    const restart = () => route(PAGES.signIn, true);
    return <SecondStep {...pending} onSignedIn={enter} onRestart={restart} />;
  }
  return (
    <>
      <p>Every browser that is signed in to the account will be signed out.</p>
      <Form action="Set the password" onSubmit={set}>
        <NewPasswordField name="password" label="New password" />
      </Form>
    </>
  );
}

/**
 * Returns the token in the fragment of the address, empty if it has none, and removes it from the
 * address bar and the history: it is as good as a password.
 */
function useTokenOfLink(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const takeToken = () => {
      const { hash, pathname } = location;
      if (hash.length < 2) return;
      setToken(hash.slice(1));
      history.replaceState(null, '', pathname);
    };
    takeToken();
    addEventListener('hashchange', takeToken);
    return () => removeEventListener('hashchange', takeToken);
  }, []);
  return token;
}
