import { useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import type { Passkey, RecoveryCodes } from '../api/responses.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { ActionsHeading } from '../ui/parts.tsx';
import { Age, LocalDate } from '../ui/time.tsx';
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
        <RemovePasskey
          passkey={removed}
          onClose={() => setRemoved(undefined)}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

interface TableProps {
  readonly passkeys: readonly Passkey[];
  onRemove(passkey: Passkey): void;
}

function PasskeyTable({ passkeys, onRemove }: TableProps) {
  return (
    <table class="stack">
      <caption class="sr-only">Passkeys</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Added</th>
          <th scope="col">Last used</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {passkeys.map((passkey) => (
          <tr key={passkey.id}>
            <th scope="row" class="long">
              <bdi>{passkey.name}</bdi>
            </th>
            <td data-label="Added">
              <LocalDate iso={passkey.createdAt} />
            </td>
            <td data-label="Last used">
              {passkey.lastUsedAt === null ? 'never' : <Age iso={passkey.lastUsedAt} />}
            </td>
            <td>
              <button
                type="button"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => onRemove(passkey)}
              >
                Remove…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function AddPasskey({ onChanged }: Pick<Props, 'onChanged'>) {
  const whyNot = useWhyNoPasskeys();
  const add = async ({ name }: Record<string, string>) => {
    const codes = await makePasskey(name?.trim() || 'passkey');
    onChanged('The passkey is added.', codes);
  };
  if (whyNot !== '') return <p class="notice">{whyNot}</p>;
  return (
    <Form action="Add a passkey" onSubmit={add} kind="secondary">
      <Field
        name="name"
        label="Name of the passkey"
        hint="A name that tells your passkeys apart, such as “phone”."
        autocomplete="off"
        maxLength={100}
      />
    </Form>
  );
}

interface RemoveProps extends Pick<Props, 'onChanged'> {
  readonly passkey: Passkey;
  onClose(): void;
}

function RemovePasskey({ passkey: { id, name }, onClose, onChanged }: RemoveProps) {
  const remove = async () => {
    await post(`/dashboard/second-factors/passkeys/${id}/remove`);
    onClose();
    onChanged(`The passkey “${name}” is removed.`);
  };
  return (
    <ConfirmDialog title="Remove the passkey?" action="Remove" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        stops working at once. All other browsers are signed out.
      </p>
    </ConfirmDialog>
  );
}
