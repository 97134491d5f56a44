import { useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyableText } from '../ui/copyable-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { ErrorMessage } from '../ui/status.tsx';
import { LocalDate } from '../ui/time.tsx';
import { QrCode } from './qr-code.tsx';
import type { NewTotp, RecoveryCodes } from './responses.ts';
import type { OnChanged } from './second-factors.tsx';

const PATH = '/dashboard/second-factors/totp';

interface Props {
  /** Since when there is one; null for none. */
  readonly since: string | null;
  readonly onChanged: OnChanged;
}

/** The authenticator app of the account: one that makes codes of six digits. */
export function AuthenticatorApp({ since, onChanged }: Props) {
  return (
    <>
      <h3>Authenticator app</h3>
      {since === null ? (
        <AddApp onChanged={onChanged} />
      ) : (
        <RemoveApp since={since} onChanged={onChanged} />
      )}
    </>
  );
}

function AddApp({ onChanged }: Pick<Props, 'onChanged'>) {
  const [totp, setTotp] = useState<NewTotp>();
  const [error, setError] = useState<Error>();
  const begin = async () => {
    setError(undefined);
    await post<{ data: NewTotp }>(PATH).then(({ data }) => setTotp(data), setError);
  };
  const close = () => setTotp(undefined);
  const done = (codes: RecoveryCodes) => {
    close();
    onChanged('The authenticator app is added.', codes);
  };
  return (
    <>
      <p>An app on your phone that shows a new code every 30 seconds.</p>
      <button type="button" onClick={begin}>
        Add an authenticator app…
      </button>
      <ErrorMessage error={error} />
      {totp && <NewApp totp={totp} onConfirmed={done} onClose={close} />}
    </>
  );
}

interface NewAppProps {
  readonly totp: NewTotp;
  onConfirmed(codes: RecoveryCodes): void;
  onClose(): void;
}

function NewApp({ totp: { secret, uri }, onConfirmed, onClose }: NewAppProps) {
  const confirm = async ({ code }: Record<string, string>) => {
    const { data } = await post<{ data: { recoveryCodes: RecoveryCodes } }>(`${PATH}/confirm`, {
      code,
    });
    onConfirmed(data.recoveryCodes);
  };
  return (
    <Dialog title="Add an authenticator app" onClose={onClose}>
      <p>
        Scan this with the app, or <a href={uri}>open it on this device</a>.
      </p>
      <QrCode text={uri} label="QR code for the authenticator app" />
      <p>Or type the secret into the app:</p>
      <CopyableText text={secret.replace(/(.{4})(?=.)/g, '$1 ')} label="Copy the secret" />
      <Form action="Add the app" onSubmit={confirm}>
        <Field
          name="code"
          label="Code"
          hint="The six digits that the app shows now."
          autocomplete="one-time-code"
          maxLength={20}
        />
      </Form>
    </Dialog>
  );
}

function RemoveApp({ since, onChanged }: { since: string } & Pick<Props, 'onChanged'>) {
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    await post(`${PATH}/remove`);
    setAsking(false);
    onChanged('The authenticator app is removed.');
  };
  return (
    <>
      <p>
        Added <LocalDate iso={since} />.
      </p>
      <button type="button" onClick={() => setAsking(true)}>
        Remove the authenticator app…
      </button>
      {isAsking && (
        <ConfirmDialog
          title="Remove the authenticator app?"
          action="Remove"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>Its codes stop working at once. Every other browser is signed out.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
