import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyableText } from '../ui/copyable-text.tsx';
import type { RecoveryCodes } from './responses.ts';
import type { OnChanged } from './second-factors.tsx';
import './keys-page.css';

/** New recovery codes, which nothing shows again once they are hidden. */
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
        Keep them where you find them without this device. Each signs you in once when the second
        factor is lost. They are shown this once; the service itself does not know them.
      </p>
      <CopyableText text={codes.join('\n')} label="Copy the codes" />
      <button type="button" onClick={onDismiss}>
        I have them, hide them
      </button>
    </section>
  );
}

interface LeftProps {
  readonly left: number;
  readonly onChanged: OnChanged;
}

/** How many recovery codes are left, and a way to new ones. */
export function RecoveryCodesLeft({ left, onChanged }: LeftProps) {
  const [isAsking, setAsking] = useState(false);
  const replace = async () => {
    const { data } = await post<{ data: { recoveryCodes: RecoveryCodes } }>(
      '/dashboard/second-factors/recovery-codes',
    );
    setAsking(false);
    onChanged('There are new recovery codes.', data.recoveryCodes);
  };
  return (
    <>
      <h3>Recovery codes</h3>
      <p>{left === 0 ? 'None is left.' : `${left} left. Each works once.`}</p>
      <button type="button" onClick={() => setAsking(true)}>
        Make new recovery codes…
      </button>
      {isAsking && (
        <ConfirmDialog
          title="Make new recovery codes?"
          action="Make new ones"
          onConfirm={replace}
          onClose={() => setAsking(false)}
        >
          <p>The codes that you have stop working at once. Every other browser is signed out.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
