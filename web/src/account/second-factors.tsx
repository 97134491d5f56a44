import { useState } from 'preact/hooks';
import { useData } from '../api/use-data.ts';
import { type Outcome, OutcomeMessage } from '../ui/outcome.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkey-list.tsx';
import { NewRecoveryCodes, RecoveryCodesLeft } from './recovery-codes.tsx';
import type { Factors, RecoveryCodes } from './responses.ts';
import { useAccount, useSession } from './session.tsx';
import './second-factors.css';

/** Called with what was changed, and with new recovery codes if there are any. */
export type OnChanged = (text: string, codes?: RecoveryCodes) => void;

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
        <p class="notice">
          Operators need a second factor here. Add one; everything else is open after that.
        </p>
      )}
      <p>Whoever learns your password cannot sign in without the second factor.</p>
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
