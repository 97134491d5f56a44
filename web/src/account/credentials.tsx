import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useState } from 'preact/hooks';
import { type CallOptions, post } from '../api/call.ts';
import { postOnce } from '../api/post-once.ts';
import type { RecoveryCodes } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { Field, type FieldProps } from '../ui/form.tsx';
import { useAction } from '../ui/hooks.ts';
import { ErrorMessage } from '../ui/status.tsx';

/** Shows password managers the account of a password. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="email" hidden autocomplete="username" value={email} readOnly />;
}

/** A field for a password, by default the account's. The reader may make it visible. */
export function PasswordField(props: Partial<Omit<FieldProps, 'type' | 'children'>>) {
  const { name = 'password', label = 'Password', ...rest } = props;
  const [isShown, setShown] = useState(false);
  const [verb, type] = isShown ? (['Hide', 'text'] as const) : (['Show', 'password'] as const);
  return (
    <Field name={name} label={label} autocomplete="current-password" {...rest} type={type}>
      <button
        type="button"
        aria-label={`${verb} the ${label.toLowerCase()}`}
        onClick={() => setShown(!isShown)}
      >
        {verb}
      </button>
    </Field>
  );
}

interface NewPasswordProps {
  readonly name: string;
  readonly label: string;
}

/** A field for a new password, with the shortest length that the server allows. */
export function NewPasswordField({ name, label }: NewPasswordProps) {
  // No `maxLength`: the input would silently cut off a longer pasted password.
  const { least } = useSession().password;
  return (
    <PasswordField
      name={name}
      label={label}
      hint={`At least ${least} characters, and not easy to guess. Three random words work well.`}
      autocomplete="new-password"
      minLength={least}
    />
  );
}

interface PasskeyButtonProps<Data> {
  readonly label: string;
  /** The path that the signature is sent to. */
  readonly path: string;
  onDone(data: Data): void;
}

/** A button that asks for a passkey, and shows why it was not accepted. */
export function PasskeyButton<Data>({ label, path, onDone }: PasskeyButtonProps<Data>) {
  const { isBusy, error, run } = useAction();
  const ask = async () => onDone(await askForPasskey<Data>(path, { handlesUnauthorized: true }));
  return (
    <div>
      <button type="button" onClick={() => run(ask)} aria-disabled={isBusy}>
        {label}
      </button>
      <ErrorMessage error={error} />
    </div>
  );
}

/** The library is loaded when a passkey is created or used. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** Returns why passkeys do not work in this browser at this address; empty if they do. */
export function useWhyNoPasskeys(): string {
  const { passkeyOrigin } = useSession();
  if (passkeyOrigin === null) {
    return (
      'Passkeys need an https address or localhost. The operator of this service sets ' +
      'CARDPRICE_URL to one.'
    );
  }
  if (passkeyOrigin !== location.origin) return `Passkeys work only at ${passkeyOrigin}.`;
  return 'PublicKeyCredential' in globalThis ? '' : 'This browser does not support passkeys.';
}

/**
 * Asks the reader for a passkey to sign the challenge from `path` with the suffix `-options`, and
 * sends the signature to `path`. Ends the offer of {@link offerPasskey}, because a browser asks for
 * one passkey at a time.
 *
 * @throws Error with advice for the reader, or a CallError.
 */
async function askForPasskey<Data>(path: string, options: CallOptions = {}): Promise<Data> {
  endOffer();
  return await signWithPasskey<Data>(path, options);
}

/** Ends the offer that the browser makes, or is about to make. */
let endOffer = () => {};

/**
 * Makes the browser offer passkeys along with saved passwords, if it can. `onSigned` gets the data
 * of the server's answer. Returns a function that ends the offer.
 */
export function offerPasskey<Data>(path: string, onSigned: (data: Data) => void): () => void {
  const abort = new AbortController();
  const end = () => abort.abort();
  endOffer = end;
  const offer = async () => {
    if (!(await hasAutofill())) return;
    onSigned(await signWithPasskey(path, { handlesUnauthorized: true }, abort.signal));
  };
  // The reader did not ask for it. If passkeys fail, the button shows why.
  offer().catch(() => {});
  return end;
}

/**
 * Whether the browser can offer passkeys along with saved passwords. Older browsers cannot report
 * it.
 */
async function hasAutofill(): Promise<boolean> {
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/** Signs a challenge from `path` and resolves with the server's answer. `offer` aborts an offer. */
async function signWithPasskey<Data>(
  path: string,
  options: CallOptions,
  offer?: AbortSignal,
): Promise<Data> {
  const { startAuthentication, WebAuthnAbortService } = await loadLibrary();
  const { data: optionsJSON } = await post<{ data: PublicKeyCredentialRequestOptionsJSON }>(
    `${path}-options`,
    undefined,
    options,
  );
  offer?.throwIfAborted();
  offer?.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony());
  const response = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: offer !== undefined,
  }).catch(explain);
  offer?.throwIfAborted();
  const answer = await post<{ data: Data } | undefined>(path, { response }, options);
  return answer?.data as Data;
}

/**
 * Asks the reader to create a passkey and adds it to the account. Resolves with new recovery codes
 * if the account had none. Rejects as {@link askForPasskey} does.
 */
export async function makePasskey(name: string): Promise<RecoveryCodes> {
  const { startRegistration } = await loadLibrary();
  const { data: optionsJSON } = await post<{ data: PublicKeyCredentialCreationOptionsJSON }>(
    '/dashboard/second-factors/passkey-options',
  );
  const response = await startRegistration({ optionsJSON }).catch(explain);
  const { data } = await postOnce<{ data: { recoveryCodes: RecoveryCodes } }>(
    '/dashboard/second-factors/passkeys',
    { name, response },
  );
  return data.recoveryCodes;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  AbortError: 'No passkey was used.',
  InvalidStateError: 'This device already has a passkey for this account.',
  NotAllowedError:
    'No passkey was used. The request was canceled or timed out, or there is no passkey.',
};

function explain(error: unknown): never {
  const { name = '', message = '' } = error as Partial<Error>;
  throw new Error(EXPLANATIONS[name] ?? `The browser refused the passkey: ${message}`);
}
