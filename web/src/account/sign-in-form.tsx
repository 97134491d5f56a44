import { useLayoutEffect, useRef } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { call } from '../api/call.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { PasswordField } from './password-field.tsx';
import type { Account } from './session.tsx';

interface FormProps {
  readonly email?: string;
  onSignedIn(account: Account): void;
}

export function SignInForm({ email = '', onSignedIn }: FormProps) {
  const signIn = async (values: Record<string, string>) => {
    const { data } = await call<{ data: Account }>('/dashboard/sign-in', {
      method: 'POST',
      body: values,
      handlesUnauthorized: true,
    });
    onSignedIn(data);
  };
  return (
    <Form action="Sign in" onSubmit={signIn}>
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autocomplete="username"
        value={email}
      />
      <PasswordField name="password" label="Password" autocomplete="current-password" />
    </Form>
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
