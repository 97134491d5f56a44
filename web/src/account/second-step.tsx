import { useLayoutEffect, useRef } from 'preact/hooks';
import { post } from '../api/call.ts';
import { Field, Form } from '../ui/form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { useWhyNoPasskeys } from './passkeys.ts';
import type { PendingSignIn } from './responses.ts';
import type { Account } from './session.tsx';
import './second-factors.css';

interface Props extends PendingSignIn {
  onSignedIn(account: Account): void;
  /** Called when the reader wants to begin with the password again. */
  onRestart(): void;
}

/** Asks for a second factor, after the password was right. */
export function SecondStep({ factors, onSignedIn, onRestart }: Props) {
  const text = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone.
  useLayoutEffect(() => text.current?.focus(), []);
  const whyNoPasskeys = useWhyNoPasskeys();
  const hasPasskey = factors.includes('passkey') && whyNoPasskeys === '';
  return (
    <div class="stacked">
      <p ref={text} tabIndex={-1}>
        The account has a second factor: prove with it that it is you.
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

function CodeForm({ factors, onSignedIn }: Omit<Props, 'onRestart'>) {
  if (!factors.includes('totp') && !factors.includes('recovery-code')) return null;
  const send = async ({ code }: Record<string, string>) => {
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
          : 'One of your recovery codes, if the passkey is not at hand.'
      }
      autocomplete="one-time-code"
      maxLength={100}
    />
  );
}
