import { useState } from 'preact/hooks';
import { ErrorMessage } from '../ui/status.tsx';
import { askForPasskey } from './passkeys.ts';

interface Props<Data> {
  readonly label: string;
  /** Where what the passkey has signed is sent to. */
  readonly path: string;
  onDone(data: Data): void;
}

/** A button that asks for a passkey, and shows why it was not accepted. */
export function PasskeyButton<Data>({ label, path, onDone }: Props<Data>) {
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
