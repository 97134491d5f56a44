import { useLayoutEffect, useRef } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { Account } from '../session.tsx';
import { Dialog } from './dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface Props {
  readonly email: string;
  onSignedIn(account: Account): void;
  /** Called when the reader does not want to: what waited for it fails. */
  onCancel(): void;
}

/** Over a page whose session has ended: signs in again without losing what stands in the page. */
export function SignInDialog({ email, onSignedIn, onCancel }: Props) {
  const form = useRef<HTMLDivElement>(null);
  // The address is there already.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLInputElement>('[type="password"]')?.focus();
  }, []);
  return (
    <Dialog title="Sign in again" onClose={onCancel} closing="Not now">
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
