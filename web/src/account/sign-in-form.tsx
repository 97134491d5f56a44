import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { offerPasskey, useWhyNoPasskeys } from './passkeys.ts';
import { PasswordField } from './password-field.tsx';
import type { PendingSignIn } from './responses.ts';
import { SecondStep } from './second-step.tsx';
import type { Account } from './session.tsx';

interface FormProps {
  readonly email?: string;
  onSignedIn(account: Account): void;
}

/** Signs in with a passkey, or a password and a second factor where the account has one. */
export function SignInForm({ email = '', onSignedIn }: FormProps) {
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
  const signIn = async (values: Record<string, string>) => {
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
      <PasswordField name="password" label="Password" autocomplete="current-password" />
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
  // The e-mail address is filled in already.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLInputElement>('[type="password"]')?.focus();
  }, []);
  return (
    <Dialog title="Sign in again" onClose={onCancel} closeLabel="Not now">
      <p>Your session has ended. Nothing is lost: what you were doing goes on after this.</p>
      <div ref={form}>
        <SignInForm email={email} onSignedIn={onSignedIn} />
      </div>
      <p>
        <a href={PAGES.forgot} target="_blank" rel="noreferrer">
          Forgotten password
        </a>
      </p>
    </Dialog>
  );
}
