import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';
import { post } from '../api/call.ts';
import { postOnce } from '../api/post-once.ts';
import type { Factors, NewTotp, RecoveryCodes } from '../api/responses.ts';
import { useAccount, useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmButton, Dialog } from '../ui/dialog.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { useAction } from '../ui/hooks.ts';
import { CopyableText } from '../ui/parts.tsx';
import { ErrorMessage, Fetched, type Outcome, OutcomeMessage } from '../ui/status.tsx';
import { LocalDate } from '../ui/time.tsx';
import { type OnChanged, Passkeys } from './passkey-list.tsx';

/** The second factors of the account. */
export function SecondFactors() {
  const { refresh } = useSession();
  const { needsSecondFactor } = useAccount();
  const loaded = useData<{ data: Factors }>('/dashboard/second-factors', {
    refetchOnVisible: true,
  });
  const [outcome, setOutcome] = useState<Outcome>();
  const [codes, setCodes] = useState<RecoveryCodes>([]);
  const onChanged: OnChanged = (text, newCodes = []) => {
    setOutcome({ text });
    if (newCodes.length > 0) setCodes(newCodes);
    loaded.refetch();
    refresh();
  };
  const dismiss = () => {
    setCodes([]);
    setOutcome({ text: 'The recovery codes are hidden.' });
  };
  return (
    <section aria-labelledby="second-factors">
      <h2 id="second-factors">Second factors</h2>
      {needsSecondFactor && (
        <p class="notice">Operators of this service need a second factor. Add one to continue.</p>
      )}
      <p>With a second factor, the password alone is not enough to sign in.</p>
      <OutcomeMessage outcome={outcome} />
      {codes.length > 0 && <NewRecoveryCodes codes={codes} onDismiss={dismiss} />}
      <Fetched of={loaded}>
        {({ data: { totpSince, passkeys, recoveryCodes } }) => (
          <>
            <AuthenticatorApp since={totpSince} onChanged={onChanged} />
            <Passkeys passkeys={passkeys} onChanged={onChanged} />
            {(totpSince !== null || passkeys.length > 0) && (
              <RecoveryCodesLeft left={recoveryCodes} onChanged={onChanged} />
            )}
          </>
        )}
      </Fetched>
    </section>
  );
}

const PATH = '/dashboard/second-factors/totp';

/** An answer with new recovery codes. */
interface NewCodes {
  readonly data: { readonly recoveryCodes: RecoveryCodes };
}

interface AuthenticatorAppProps {
  /** When the app was added; null for none. */
  readonly since: string | null;
  readonly onChanged: OnChanged;
}

/** The authenticator app of the account, which shows codes of six digits. */
function AuthenticatorApp({ since, onChanged }: AuthenticatorAppProps) {
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
  const { error, run } = useAction();
  const begin = async () => setTotp((await postOnce<{ data: NewTotp }>(PATH)).data);
  const close = () => setTotp(undefined);
  const done = (codes: RecoveryCodes) => {
    close();
    onChanged('The authenticator app is added.', codes);
  };
  return (
    <>
      <p>An app on your phone that shows a new code every 30 seconds.</p>
      <button type="button" onClick={() => run(begin)}>
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
  const confirm = async ({ code }: Values) => {
    const { data } = await postOnce<NewCodes>(`${PATH}/confirm`, { code });
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
  return (
    <>
      <p>
        Added <LocalDate iso={since} />.
      </p>
      <ConfirmButton
        label="Remove the authenticator app…"
        title="Remove the authenticator app?"
        action="Remove"
        onConfirm={() => post(`${PATH}/remove`)}
        onDone={() => onChanged('The authenticator app is removed.')}
      >
        <p>Its codes stop working at once. All other browsers are signed out.</p>
      </ConfirmButton>
    </>
  );
}

/** A text as a QR code, dark on white in every color scheme, because cameras expect that. */
function QrCode({ text, label }: { text: string; label: string }) {
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
function NewRecoveryCodes({ codes, onDismiss }: { codes: RecoveryCodes; onDismiss(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="fresh" aria-labelledby="new-codes">
      <h3 id="new-codes" ref={heading} tabIndex={-1}>
        Your recovery codes
      </h3>
      <p>
        Keep them somewhere you can reach without this device. Each code signs you in once if you
        lose the second factor. They are not shown again, and the service does not store them.
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
function RecoveryCodesLeft({ left, onChanged }: LeftProps) {
  return (
    <>
      <h3>Recovery codes</h3>
      <p>{left === 0 ? 'None left.' : `${left} left. Each works once.`}</p>
      <ConfirmButton
        label="Create new recovery codes…"
        title="Create new recovery codes?"
        action="Create new codes"
        onConfirm={() => postOnce<NewCodes>('/dashboard/second-factors/recovery-codes')}
        onDone={({ data }) => onChanged('New recovery codes were created.', data.recoveryCodes)}
      >
        <p>Your old codes stop working at once. All other browsers are signed out.</p>
      </ConfirmButton>
    </>
  );
}
