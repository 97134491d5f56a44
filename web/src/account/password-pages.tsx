import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { type CallError, post } from '../api/call.ts';
import type { PendingSignIn, ResetPreview } from '../api/responses.ts';
import { type Account, useSession } from '../api/session.ts';
import { Field, Form, type Values } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/status.tsx';
import { readBack } from './back.ts';
import { HiddenUsername, NewPasswordField } from './credentials.tsx';
import { SecondStep } from './sign-in.tsx';

/** How to get a link that sets a new password: by mail, or from the operator. */
export function ForgotPasswordPage() {
  const { mail } = useSession();
  return (
    <Page title="Forgot your password?">
      {mail ? <LinkRequestForm /> : <AskTheOperator />}
      <p>
        <a href={PAGES.signIn}>Back to sign-in</a>
      </p>
    </Page>
  );
}

function AskTheOperator() {
  return (
    <p>
      Ask the operator of this service for a link to set a new password. It works once and expires
      after a day.
    </p>
  );
}

function LinkRequestForm() {
  const ask = async (values: Values) => {
    await post('/dashboard/forgot', values);
    return (
      `If ${values.email} has an account, a message with a link is on its way. ` +
      'The link works once and expires after an hour.'
    );
  };
  return (
    <>
      <p>Enter the e-mail address of your account to get a link for setting a new password.</p>
      <Form action="Send the link" onSubmit={ask}>
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
      </Form>
    </>
  );
}

/** Sets a new password with the token of the link that leads here. */
export function ResetPasswordPage() {
  const token = useTokenOfLink();
  return (
    <Page title="New password">
      {token === '' ? (
        <p>
          Open your link again. It works only once. If it was used or has expired,{' '}
          <a href={PAGES.forgot}>ask for a new one</a>.
        </p>
      ) : (
        <Reset key={token} token={token} />
      )}
    </Page>
  );
}

/** Shows the purpose of the link, and sets the password. */
function Reset({ token }: { token: string }) {
  const [preview, setPreview] = useState<ResetPreview>();
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    const asked = post<{ data: ResetPreview }>('/dashboard/reset/preview', { token });
    asked.then(({ data }) => setPreview(data), setError);
  }, [token]);
  if (preview) return <ResetForm token={token} {...preview} />;
  return <Loading error={error} />;
}

function ResetForm({ token, email, isConfirmed, keys }: ResetPreview & { token: string }) {
  const { setSignedIn } = useSession();
  const { query, route } = useLocation();
  const [pending, setPending] = useState<PendingSignIn>();
  const enter = (account: Account) => {
    route(readBack(query) ?? (isConfirmed ? PAGES.home : PAGES.keys), true);
    setSignedIn(account);
  };
  const set = async ({ password, keepKeys }: Values) => {
    const { data } = await post<{ data: Account | PendingSignIn }>(
      '/dashboard/reset',
      { token, password, keepKeys: keepKeys !== undefined },
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
      <p>
        Choose a new password for the account <bdi>{email}</bdi>.
        {isConfirmed && ' All browsers that are signed in to it will be signed out.'}
      </p>
      <Form action="Set the password" onSubmit={set}>
        <HiddenUsername email={email} />
        <NewPasswordField name="password" label="New password" />
        {keys > 0 && <KeepKeys keys={keys} mayKeep={isConfirmed} />}
      </Form>
    </>
  );
}

/** Warns that API keys stop working, and offers to keep them if the account was confirmed. */
function KeepKeys({ keys, mayKeep }: { keys: number; mayKeep: boolean }) {
  const these = keys === 1 ? 'Its API key stops working' : `Its ${keys} API keys stop working`;
  return (
    <>
      <p>{these}, because somebody else may have it.</p>
      {mayKeep && (
        <label>
          <input type="checkbox" name="keepKeys" /> I only forgot the password: keep the keys
        </label>
      )}
    </>
  );
}

/**
 * Returns the token in the fragment of the address, or an empty text. Removes it from the address
 * bar and the history, because it works like a password.
 */
function useTokenOfLink(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const takeToken = () => {
      const { hash, pathname, search } = location;
      if (hash.length < 2) return;
      setToken(hash.slice(1));
      history.replaceState(null, '', pathname + search);
    };
    takeToken();
    addEventListener('hashchange', takeToken);
    return () => removeEventListener('hashchange', takeToken);
  }, []);
  return token;
}
