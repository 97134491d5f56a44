import { useState } from 'preact/hooks';
import { KeyLifetime, NameAndHint } from '../account/key-cells.tsx';
import type { ApiKey } from '../account/responses.ts';
import { post } from '../api/call.ts';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { ActionsHeading } from '../ui/actions-heading.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { type Outcome, OutcomeMessage } from '../ui/outcome.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';

/** The API keys of an account, which an operator can revoke. */
export function AccountKeys({ email }: { email: string }) {
  const { body, error, refetch } = useData<{ data: ApiKey[] }>(
    withQuery('/dashboard/operator/keys', { email }),
  );
  const [doomed, setDoomed] = useState<ApiKey>();
  const [outcome, setOutcome] = useState<Outcome>();
  const revoke = async ({ id, name }: ApiKey) => {
    await post(`/dashboard/operator/keys/${id}/revoke`);
    setDoomed(undefined);
    setOutcome({ text: `The key “${name}” is revoked.` });
    refetch();
  };
  const keys = body?.data.filter(({ status }) => status === 'active');
  return (
    <>
      <h2>Keys</h2>
      <OutcomeMessage outcome={outcome} />
      {keys ? <PermanentError error={error} /> : <Loading error={error} />}
      {keys?.length === 0 && <p>The account has no key that works.</p>}
      {keys && keys.length > 0 && <KeyTable keys={keys} onRevoke={setDoomed} />}
      {doomed && (
        <ConfirmDialog
          title="Revoke the key?"
          action="Revoke"
          onConfirm={() => revoke(doomed)}
          onClose={() => setDoomed(undefined)}
        >
          <p>
            <strong>
              <bdi>{doomed.name}</bdi>
            </strong>{' '}
            stops working at once and for good.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface TableProps {
  readonly keys: readonly ApiKey[];
  onRevoke(key: ApiKey): void;
}

function KeyTable({ keys, onRevoke }: TableProps) {
  return (
    <table class="stack">
      <caption class="sr-only">Keys that work</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          <th scope="col">Created</th>
          <th scope="col">Works until</th>
          <th scope="col">Last used</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <NameAndHint apiKey={key} />
            <KeyLifetime apiKey={key} />
            <td data-label="Last used">
              {key.lastUsedAt === null ? 'never' : <Age iso={key.lastUsedAt} />}
            </td>
            <td>
              <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
                Revoke…
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
