import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { type CallOptions, post } from '../api/call.ts';
import type { RecoveryCodes } from './responses.ts';
import { useSession } from './session.tsx';

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
