import './account.css';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';
import { post } from '../api/call.ts';
import type { Factors, NewTotp, RecoveryCodes } from '../api/responses.ts';
import { useAccount, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { CopyableText } from '../ui/parts.tsx';
import {
  ErrorMessage,
  Loading,
  type Outcome,
  OutcomeMessage,
  PermanentError,
} from '../ui/status.tsx';
import { LocalDate } from '../ui/time.tsx';
import { type OnChanged, Passkeys } from './passkey-list.tsx';

/** The second factors of the account. */
export function SecondFactors() {
  const { refresh } = useSession();
  const { needsSecondFactor } = useAccount();
  const { body, error, refetch } = useData<{ data: Factors }>('/dashboard/second-factors', {
    refetchOnVisible: true,
  });
  const [outcome, setOutcome] = useState<Outcome>();
  const [codes, setCodes] = useState<RecoveryCodes>([]);
  const onChanged: OnChanged = (text, newCodes = []) => {
    setOutcome({ text });
    if (newCodes.length > 0) setCodes(newCodes);
    refetch();
    refresh();
  };
  const dismiss = () => {
    setCodes([]);
    setOutcome({ text: 'The recovery codes are hidden.' });
  };
  const factors = body?.data;
  return (
    <section aria-labelledby="second-factors">
      <h2 id="second-factors">Second factors</h2>
      {needsSecondFactor && (
        <p class="notice">Operators of this service need a second factor. Add one to continue.</p>
      )}
      <p>With a second factor, the password alone is not enough to sign in.</p>
      <OutcomeMessage outcome={outcome} />
      {codes.length > 0 && <NewRecoveryCodes codes={codes} onDismiss={dismiss} />}
      {factors ? <PermanentError error={error} /> : <Loading error={error} />}
      {factors && (
        <>
          <AuthenticatorApp since={factors.totpSince} onChanged={onChanged} />
          <Passkeys passkeys={factors.passkeys} onChanged={onChanged} />
          {(factors.totpSince !== null || factors.passkeys.length > 0) && (
            <RecoveryCodesLeft left={factors.recoveryCodes} onChanged={onChanged} />
          )}
        </>
      )}
    </section>
  );
}

const PATH = '/dashboard/second-factors/totp';

interface AuthenticatorAppProps {
  /** When the app was added; null for none. */
  readonly since: string | null;
  readonly onChanged: OnChanged;
}

/** The authenticator app of the account, which shows codes of six digits. */
export function AuthenticatorApp({ since, onChanged }: AuthenticatorAppProps) {
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

function AddApp({ onChanged }: Pick<AuthenticatorAppProps, 'onChanged'>) {
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
      <p>Or enter this secret in the app:</p>
      <CopyableText text={secret.replace(/(.{4})(?=.)/g, '$1 ')} label="Copy the secret" />
      <Form action="Add the app" onSubmit={confirm}>
        <Field
          name="code"
          label="Code"
          hint="The six digits that the app shows."
          autocomplete="one-time-code"
          maxLength={20}
        />
      </Form>
    </Dialog>
  );
}

function RemoveApp({
  since,
  onChanged,
}: { since: string } & Pick<AuthenticatorAppProps, 'onChanged'>) {
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
          <p>Its codes stop working at once. All other browsers are signed out.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** A text as a QR code, dark on white in every color scheme, because cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x},${y}h1v1h-1z` : '')),
  );
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}

/** New recovery codes, which are not shown again. */
export function NewRecoveryCodes({
  codes,
  onDismiss,
}: {
  codes: RecoveryCodes;
  onDismiss(): void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="fresh" aria-labelledby="new-codes">
      <h3 id="new-codes" ref={heading} tabIndex={-1}>
        Your recovery codes
      </h3>
      <p>
        Keep them somewhere you can reach without this device. Each signs you in once if you lose
        the second factor. They are not shown again, and the service does not store them.
      </p>
      <CopyableText text={codes.join('\n')} label="Copy the codes" />
      <button type="button" onClick={onDismiss}>
        I saved them, hide them
      </button>
    </section>
  );
}

interface LeftProps {
  readonly left: number;
  readonly onChanged: OnChanged;
}

/** The number of recovery codes left, and a button that replaces them. */
export function RecoveryCodesLeft({ left, onChanged }: LeftProps) {
  const [isAsking, setAsking] = useState(false);
  const replace = async () => {
    const { data } = await post<{ data: { recoveryCodes: RecoveryCodes } }>(
      '/dashboard/second-factors/recovery-codes',
    );
    setAsking(false);
    onChanged('New recovery codes were created.', data.recoveryCodes);
  };
  return (
    <>
      <h3>Recovery codes</h3>
      <p>{left === 0 ? 'None left.' : `${left} left. Each works once.`}</p>
      <button type="button" onClick={() => setAsking(true)}>
        Create new recovery codes…
      </button>
      {isAsking && (
        <ConfirmDialog
          title="Create new recovery codes?"
          action="Create new codes"
          onConfirm={replace}
          onClose={() => setAsking(false)}
        >
          <p>Your old codes stop working at once. All other browsers are signed out.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
