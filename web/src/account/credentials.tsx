import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useState } from 'preact/hooks';
import { type CallOptions, post } from '../api/call.ts';
import type { RecoveryCodes } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { Field, type FieldProps } from '../ui/form.tsx';
import { ErrorMessage } from '../ui/status.tsx';

/** A field for a password, which the reader may make visible. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'children'>) {
  const [isShown, setShown] = useState(false);
  const [verb, type] = isShown ? (['Hide', 'text'] as const) : (['Show', 'password'] as const);
  return (
    <Field {...props} type={type}>
      <button
        type="button"
        aria-label={`${verb} the ${props.label.toLowerCase()}`}
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

/** A field for the account's next password, with the shortest length that the server allows. */
export function NewPasswordField({ name, label }: NewPasswordProps) {
  // It has no `maxLength`, because an input would cut off a longer pasted password unseen.
  const { least } = useSession().password;
  return (
    <PasswordField
      name={name}
      label={label}
      hint={`At least ${least} characters, and none that is easy to guess; three words make a good one.`}
      autocomplete="new-password"
      minLength={least}
    />
  );
}

interface PasskeyButtonProps<Data> {
  readonly label: string;
  /** Where what the passkey has signed is sent to. */
  readonly path: string;
  onDone(data: Data): void;
}

/** A button that asks for a passkey, and shows why it was not accepted. */
export function PasskeyButton<Data>({ label, path, onDone }: PasskeyButtonProps<Data>) {
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      onDone(await askForPasskey<Data>(path, { handlesUnauthorized: true }));
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <button type="button" onClick={ask} aria-disabled={isBusy}>
        {label}
      </button>
      <ErrorMessage error={error} />
    </div>
  );
}

/** The library is loaded when there is a passkey to make or to use. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** Returns why passkeys do not work in this browser at this address; empty when they do. */
export function useWhyNoPasskeys(): string {
  const { passkeyOrigin } = useSession();
  if (passkeyOrigin === null) {
    return (
      'Passkeys need an https address, or localhost. Whoever runs this service sets ' +
      'CARDPRICE_URL to one.'
    );
  }
  if (passkeyOrigin !== location.origin) return `Passkeys work at ${passkeyOrigin} only.`;
  return 'PublicKeyCredential' in globalThis ? '' : 'This browser has no passkeys.';
}

/**
 * Has the reader use a passkey, and sends what it signed to `path`; what it is to sign comes from
 * `path` with the ending `-options`. Ends the offer of {@link offerPasskey}: a browser asks for one
 * passkey at a time.
 *
 * @throws Error with what the reader can do, CallError when the server refuses.
 */
export async function askForPasskey<Data>(path: string, options: CallOptions = {}): Promise<Data> {
  endOffer();
  return await signWithPasskey<Data>(path, options);
}

/** Ends the offer that the browser makes, or is about to make. */
let endOffer = () => {};

/**
 * Has the browser offer passkeys beside saved passwords, if it can; it asks for none by itself.
 * `onSigned` takes the data of the answer to what was signed. Returns what ends the offer.
 */
export function offerPasskey<Data>(path: string, onSigned: (data: Data) => void): () => void {
  const abort = new AbortController();
  const end = () => abort.abort();
  endOffer = end;
  const offer = async () => {
    if (!(await hasAutofill())) return;
    onSigned(await signWithPasskey(path, { handlesUnauthorized: true }, abort.signal));
  };
  // The reader has not asked for it, and a button says what is wrong.
  offer().catch(() => {});
  return end;
}

/** Whether the browser can offer passkeys beside saved passwords; older ones cannot say. */
async function hasAutofill(): Promise<boolean> {
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/** Signs what `path` gives to sign, and resolves with its answer. `offer` ends what is an offer. */
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
  const answer = await post<{ data: Data } | undefined>(path, { response }, options);
  return answer?.data as Data;
}

/**
 * Has the reader make a passkey, and adds it to the account. Resolves with new recovery codes, if
 * the account had none. Rejects as {@link askForPasskey}.
 */
export async function makePasskey(name: string): Promise<RecoveryCodes> {
  const { startRegistration } = await loadLibrary();
  const { data: optionsJSON } = await post<{ data: PublicKeyCredentialCreationOptionsJSON }>(
    '/dashboard/second-factors/passkey-options',
  );
  const response = await startRegistration({ optionsJSON }).catch(explain);
  const { data } = await post<{ data: { recoveryCodes: RecoveryCodes } }>(
    '/dashboard/second-factors/passkeys',
    { name, response },
  );
  return data.recoveryCodes;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  AbortError: 'No passkey was used.',
  InvalidStateError: 'This device has a passkey of this account already.',
  NotAllowedError: 'No passkey was used: it was cancelled, took too long, or there is none.',
};

function explain(error: unknown): never {
  const { name = '', message = '' } = error as Partial<Error>;
  throw new Error(EXPLANATIONS[name] ?? `The browser refused the passkey: ${message}`);
}
