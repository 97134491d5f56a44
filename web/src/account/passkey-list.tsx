import { useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import type { Passkey, RecoveryCodes } from '../api/responses.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { GivenName } from '../ui/parts.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';
import { LastUse, LocalDate } from '../ui/time.tsx';
import { makePasskey, useWhyNoPasskeys } from './credentials.tsx';

/** Called with the outcome of a change, and with new recovery codes if there are any. */
export type OnChanged = (text: string, codes?: RecoveryCodes) => void;

interface Props {
  readonly passkeys: readonly Passkey[];
  readonly onChanged: OnChanged;
}

/** The passkeys of the account, with a form that adds one. */
export function Passkeys({ passkeys, onChanged }: Props) {
  const [removed, setRemoved] = useState<Passkey>();
  return (
    <>
      <h3>Passkeys</h3>
      <p>
        A passkey is on your device, in your password manager or on a security key. It signs you in
        without the password.
      </p>
      {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} onRemove={setRemoved} />}
      <AddPasskey onChanged={onChanged} />
      {removed && (
        <ConfirmDialog
          title="Remove the passkey?"
          action="Remove"
          onConfirm={() => post(`/dashboard/second-factors/passkeys/${removed.id}/remove`)}
          onClose={() => setRemoved(undefined)}
          onDone={() => onChanged(`The passkey “${removed.name}” is removed.`)}
        >
          <p>
            <GivenName name={removed.name} /> stops working at once. All other browsers are signed
            out.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface TableProps {
  readonly passkeys: readonly Passkey[];
  onRemove(passkey: Passkey): void;
}

function PasskeyTable({ passkeys, onRemove }: TableProps) {
  const columns: readonly Column<Passkey>[] = [
    { label: 'Name', kind: 'long', cell: ({ name }) => <bdi>{name}</bdi> },
    { label: 'Added', cell: ({ createdAt }) => <LocalDate iso={createdAt} /> },
    { label: 'Last used', cell: ({ lastUsedAt }) => <LastUse at={lastUsedAt} /> },
    actionsColumn((passkey) => (
      <button type="button" aria-label={`Remove ${passkey.name}`} onClick={() => onRemove(passkey)}>
        Remove…
      </button>
    )),
  ];
  return <Table caption="Passkeys" columns={columns} rows={passkeys} keyOf={({ id }) => id} />;
}

function AddPasskey({ onChanged }: Pick<Props, 'onChanged'>) {
  const whyNot = useWhyNoPasskeys();
  const add = async ({ name }: Values) => {
    const codes = await makePasskey(name?.trim() || 'passkey');
    onChanged('The passkey is added.', codes);
  };
  if (whyNot !== '') return <p class="notice">{whyNot}</p>;
  return (
    <Form action="Add a passkey" onSubmit={add} kind="secondary">
      <Field
        name="name"
        label="Name of the passkey"
        hint="A name to recognize the passkey by, such as “phone”."
        maxLength={100}
      />
    </Form>
  );
}
