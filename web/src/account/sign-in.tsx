import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { withQuery } from '../api/links.ts';
import type { PendingSignIn } from '../api/responses.ts';
import { type Account, useSession } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { readBack } from './back.ts';
import { offerPasskey, PasskeyButton, PasswordField, useWhyNoPasskeys } from './credentials.tsx';

/** The sign-in page. Visitors also get it at the address of each page that needs an account. */
export function SignInPage() {
  const { setSignedIn, signedOutMessage, signUp } = useSession();
  const { path, query, route } = useLocation();
  const back = readBack(query);
  const onSignedIn = (account: Account) => {
    if (path === PAGES.signIn) route(back ?? PAGES.home, true);
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
        <a href={PAGES.forgot}>Forgot your password?</a>
      </p>
      {signUp !== 'off' && (
        <p>
          New here? <a href={withQuery(PAGES.signUp, { back })}>Create an account</a>
        </p>
      )}
    </Page>
  );
}

interface FormProps {
  readonly email?: string;
  onSignedIn(account: Account): void;
}

/** Signs in with a passkey, or with a password and, if the account has one, a second factor. */
function SignInForm({ email = '', onSignedIn }: FormProps) {
  const [pending, setPending] = useState<PendingSignIn>();
  const hasPasskeys = useWhyNoPasskeys() === '';
  if (pending) {
    const restart = () => setPending(undefined);
    return <SecondStep {...pending} onSignedIn={onSignedIn} onRestart={restart} />;
  }
  return (
    <div class="stacked">
      <PasswordForm email={email} onSignedIn={onSignedIn} onPending={setPending} />
      {hasPasskeys && <PasskeySignIn onSignedIn={onSignedIn} />}
    </div>
  );
}

type PasswordFormProps = Required<FormProps> & { onPending(pending: PendingSignIn): void };

function PasswordForm({ email, onSignedIn, onPending }: PasswordFormProps) {
  const signIn = async (values: Values) => {
    const { data } = await post<{ data: Account | PendingSignIn }>('/dashboard/sign-in', values, {
      handlesUnauthorized: true,
    });
    if ('factors' in data) onPending(data);
    else onSignedIn(data);
  };
  return (
    <Form action="Sign in" onSubmit={signIn}>
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autocomplete="username webauthn"
        value={email}
      />
      <PasswordField />
    </Form>
  );
}

const PASSKEY_PATH = '/dashboard/sign-in/passkey';

/** Signs in with a passkey: by a button, or where the browser offers saved passwords. */
function PasskeySignIn({ onSignedIn }: Pick<FormProps, 'onSignedIn'>) {
  const latest = useRef(onSignedIn);
  latest.current = onSignedIn;
  useEffect(() => {
    return offerPasskey<Account>(PASSKEY_PATH, (account) => latest.current(account));
  }, []);
  return (
    <PasskeyButton<Account>
      label="Sign in with a passkey"
      path={PASSKEY_PATH}
      onDone={onSignedIn}
    />
  );
}

interface DialogProps {
  readonly email: string;
  onSignedIn(account: Account): void;
  /** Called when the reader does not want to sign in. */
  onCancel(): void;
}

/** Signs in again, over a page whose session has ended, without losing what the page shows. */
export function SignInDialog({ email, onSignedIn, onCancel }: DialogProps) {
  const form = useRef<HTMLDivElement>(null);
  // The e-mail address is already filled in.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLInputElement>('[type="password"]')?.focus();
  }, []);
  return (
    <Dialog title="Sign in again" onClose={onCancel} closeLabel="Not now">
      <p>Your session has ended. Sign in to continue where you left off.</p>
      <div ref={form}>
        <SignInForm email={email} onSignedIn={onSignedIn} />
      </div>
      <p>
        <a href={PAGES.forgot} target="_blank" rel="noreferrer">
          Forgot your password?
        </a>
      </p>
    </Dialog>
  );
}

interface SecondStepProps extends PendingSignIn {
  onSignedIn(account: Account): void;
  /** Called when the reader wants to start again with the password. */
  onRestart(): void;
}

/** Asks for a second factor, after the password was accepted. */
export function SecondStep({ factors, onSignedIn, onRestart }: SecondStepProps) {
  const text = useRef<HTMLParagraphElement>(null);
  // The form that had the focus no longer exists.
  useLayoutEffect(() => text.current?.focus(), []);
  const whyNoPasskeys = useWhyNoPasskeys();
  const hasPasskey = factors.includes('passkey') && whyNoPasskeys === '';
  return (
    <div class="stacked">
      <p ref={text} tabIndex={-1}>
        This account has a second factor. Use it to finish signing in.
      </p>
      {hasPasskey && (
        <PasskeyButton<Account>
          label="Use a passkey"
          path="/dashboard/sign-in/second-factor/passkey"
          onDone={onSignedIn}
        />
      )}
      <CodeForm factors={factors} onSignedIn={onSignedIn} />
      <button type="button" onClick={onRestart}>
        Start again
      </button>
    </div>
  );
}

function CodeForm({ factors, onSignedIn }: Omit<SecondStepProps, 'onRestart'>) {
  if (!factors.includes('totp') && !factors.includes('recovery-code')) return null;
  const send = async ({ code }: Values) => {
    const { data } = await post<{ data: Account }>(
      '/dashboard/sign-in/second-factor',
      { code },
      { handlesUnauthorized: true },
    );
    onSignedIn(data);
  };
  return (
    <Form action="Sign in" onSubmit={send}>
      <CodeField hasApp={factors.includes('totp')} />
    </Form>
  );
}

/** A field for a code of an authenticator app or a recovery code. */
export function CodeField({ hasApp }: { hasApp: boolean }) {
  return (
    <Field
      name="code"
      label={hasApp ? 'Code' : 'Recovery code'}
      hint={
        hasApp
          ? 'The six digits that your authenticator app shows, or one of your recovery codes.'
          : 'One of your recovery codes, if you do not have the passkey.'
      }
      autocomplete="one-time-code"
      maxLength={100}
    />
  );
}
