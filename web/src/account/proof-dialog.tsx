import { useEffect, useRef, useState } from 'preact/hooks';
import { onProofRequired, post } from '../api/call.ts';
import type { Account } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { PasskeyButton, PasswordField, useWhyNoPasskeys } from './credentials.tsx';
import { CodeField } from './sign-in.tsx';

const PATH = '/dashboard/reauthenticate';

/**
 * Makes calls that are dangerous wait until the reader has proved again who they are. A password
 * that was entered for the call is proof enough for an account without a second factor.
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

/** Asks for the password or a passkey, over a page that wants to do something dangerous. */
export function ProofDialog({ account: { email, secondFactors }, onProved, onCancel }: Props) {
  const whyNoPasskeys = useWhyNoPasskeys();
  const prove = async ({ password, code }: Record<string, string>) => {
    await post(PATH, { password, ...(code && { code }) });
    onProved();
  };
  return (
    <Dialog title="Is it you?" onClose={onCancel}>
      <p>
        You signed in some time ago. Prove that it is still you, and what you were doing goes on.
      </p>
      <Form action="It is me" onSubmit={prove}>
        <input type="email" hidden autocomplete="username" value={email} readOnly />
        <PasswordField name="password" label="Password" autocomplete="current-password" />
        {secondFactors.length > 0 && <CodeField hasApp={secondFactors.includes('totp')} />}
      </Form>
      {secondFactors.includes('passkey') && whyNoPasskeys === '' && (
        <PasskeyButton label="Use a passkey instead" path={`${PATH}/passkey`} onDone={onProved} />
      )}
    </Dialog>
  );
}
