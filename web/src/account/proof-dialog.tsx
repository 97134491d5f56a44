import { useEffect, useRef, useState } from 'preact/hooks';
import { onProofRequired, post } from '../api/call.ts';
import type { Account } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form, type Values } from '../ui/form.tsx';
import { HiddenUsername, PasskeyButton, PasswordField, useWhyNoPasskeys } from './credentials.tsx';
import { CodeField } from './sign-in.tsx';

const PATH = '/dashboard/reauthenticate';

/**
 * Makes dangerous calls wait until the reader has confirmed their identity. For an account without
 * a second factor, a password that was entered for the call is enough.
 */
export function useProof(account: Account | null) {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((isProved: boolean) => void)[]>([]);
  const latest = useRef(account);
  latest.current = account;
  useEffect(() => {
    onProofRequired(async (password) => {
      if (password !== undefined && latest.current?.secondFactors.length === 0) {
        await post(PATH, { password });
        return true;
      }
      setOpen(true);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
  }, []);
  const end = (isProved: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isProved);
    setOpen(false);
  };
  return { isOpen, confirm: () => end(true), cancel: () => end(false) };
}

interface Props {
  readonly account: Account;
  onProved(): void;
  onCancel(): void;
}

/** Asks for the password or a passkey before a dangerous call. */
export function ProofDialog({ account: { email, secondFactors }, onProved, onCancel }: Props) {
  const whyNoPasskeys = useWhyNoPasskeys();
  const prove = async ({ password, code }: Values) => {
    await post(PATH, { password, ...(code && { code }) });
    onProved();
  };
  return (
    <Dialog title="Confirm it's you" onClose={onCancel}>
      <p>You signed in some time ago. Confirm your identity to continue.</p>
      <Form action="Confirm" onSubmit={prove}>
        <HiddenUsername email={email} />
        <PasswordField />
        {secondFactors.length > 0 && <CodeField hasApp={secondFactors.includes('totp')} />}
      </Form>
      {secondFactors.includes('passkey') && whyNoPasskeys === '' && (
        <PasskeyButton label="Use a passkey instead" path={`${PATH}/passkey`} onDone={onProved} />
      )}
    </Dialog>
  );
}
