import { post } from '../api/call.ts';
import type { Account } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form, type Values } from '../ui/form.tsx';
import { HiddenUsername, PasskeyButton, PasswordField, useWhyNoPasskeys } from './credentials.tsx';
import { PROOF_PATH } from './proof.ts';
import { CodeField } from './sign-in.tsx';

interface Props {
  readonly account: Account;
  onProved(): void;
  onCancel(): void;
}

/** Asks for the password or a passkey before a dangerous call. */
export function ProofDialog({ account: { email, secondFactors }, onProved, onCancel }: Props) {
  const whyNoPasskeys = useWhyNoPasskeys();
  const prove = async ({ password, code }: Values) => {
    await post(PROOF_PATH, { password, ...(code && { code }) });
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
        <PasskeyButton
          label="Use a passkey instead"
          path={`${PROOF_PATH}/passkey`}
          onDone={onProved}
        />
      )}
    </Dialog>
  );
}
