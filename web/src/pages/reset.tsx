import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { call } from '../api.ts';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { NewPasswordField } from '../parts/password.tsx';
import { type Account, useSession } from '../session.tsx';

/** Sets a new password with the token of a link. */
export function ResetPage() {
  const token = useToken();
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
  const { enter } = useSession();
  const { route } = useLocation();
  const set = async ({ password }: Record<string, string>) => {
    const { data } = await call<{ data: Account }>('/dashboard/reset', {
      method: 'POST',
      body: { token, password },
      mayBeUnauthorized: true,
    });
    route(PAGES.cards, true);
    enter(data);
  };
  return (
    <>
      <p>Every browser that is signed in to the account will be signed out.</p>
      <Form action="Set the password" onSubmit={set}>
        <NewPasswordField name="password" label="New password" />
      </Form>
    </>
  );
}

/** The token of the link, which leaves the address at once: it is as good as a password. */
function useToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const take = () => {
      const { hash, pathname } = location;
      if (hash.length < 2) return;
      setToken(hash.slice(1));
      history.replaceState(null, '', pathname);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return token;
}
