import './account.css';
import { useState } from 'preact/hooks';
import { CallError, post } from '../api/call.ts';
import type { ApiKey, NewApiKey } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { formatDay } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { ActionsHeading } from '../ui/parts.tsx';
import { Loading, type Outcome, OutcomeMessage, PermanentError } from '../ui/status.tsx';
import { Age, LocalDate } from '../ui/time.tsx';
import { ChangeKey, KeyLifetime, NameAndHint, RestrictionSummary } from './key-settings.tsx';
import { CreateKey, NewKey } from './new-key.tsx';

/** An action that the reader has yet to confirm. */
interface PendingAction {
  readonly action: KeyAction;
  readonly apiKey: ApiKey;
}

/** The API keys of the account. */
export function KeysPage() {
  const { body, error, refetch } = useData<{ data: ApiKey[] }>('/dashboard/keys', {
    refetchOnVisible: true,
  });
  const [newKey, setNewKey] = useState<NewApiKey>();
  const [pending, setPending] = useState<PendingAction>();
  const [outcome, setOutcome] = useState<Outcome>();

  const showNewKey = (created: NewApiKey) => {
    setNewKey(created);
    setOutcome(undefined);
    refetch();
  };
  const showOutcome = (text: string) => {
    setOutcome({ text });
    refetch();
  };
  const hideNewKey = () => {
    setNewKey(undefined);
    showOutcome('The key is hidden.');
  };
  const closeDialog = () => {
    setPending(undefined);
    // The action may have failed because another tab has changed the key.
    refetch();
  };
  const keys = body?.data;
  return (
    <Page title="Keys">
      <p>
        Programs send a key with each call. Anyone who has a key can use the quota of its account.
      </p>
      {newKey && <NewKey key={newKey.key} apiKey={newKey} onDismiss={hideNewKey} />}
      <OutcomeMessage outcome={outcome} />
      {keys ? <PermanentError error={error} /> : <Loading error={error} />}
      {keys && (
        <>
          <KeyTable
            keys={keys.filter(({ status }) => status === 'active')}
            onAction={(action, apiKey) => setPending({ action, apiKey })}
          />
          <CreateKey keys={keys} onCreated={showNewKey} onFailed={refetch} />
          <EndedKeys keys={keys.filter(({ status }) => status !== 'active')} />
        </>
      )}
      {pending?.action === 'change' && (
        <ChangeKey
          apiKey={pending.apiKey}
          onClose={closeDialog}
          onChanged={() => showOutcome('The key was changed.')}
        />
      )}
      {pending && pending.action !== 'change' && (
        <ConfirmAction
          {...pending}
          action={pending.action}
          onClose={closeDialog}
          onRegenerated={showNewKey}
          onOutcome={showOutcome}
        />
      )}
    </Page>
  );
}

interface ConfirmActionProps extends PendingAction {
  readonly action: Exclude<KeyAction, 'change'>;
  onClose(): void;
  onRegenerated(key: NewApiKey): void;
  onOutcome(text: string): void;
}

function ConfirmAction(props: ConfirmActionProps) {
  const { apiKey, action, onClose, onRegenerated, onOutcome } = props;
  const path = `/dashboard/keys/${apiKey.id}/${action}`;
  const regenerate = async () => {
    try {
      const { data } = await post<{ data: NewApiKey }>(path, { hint: apiKey.hint });
      onClose();
      onRegenerated(data);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'CONFLICT') throw error;
      onClose();
      onOutcome(
        'Nothing was changed. This key had already been changed elsewhere, such as in another ' +
          'tab. Its current state is below.',
      );
    }
  };
  const revoke = async () => {
    await post(path);
    onClose();
    onOutcome(`The key “${apiKey.name}” is revoked.`);
  };
  if (action === 'revoke') {
    return (
      <ConfirmDialog title="Revoke the key?" action="Revoke" onConfirm={revoke} onClose={onClose}>
        <p>
          <KeyName apiKey={apiKey} /> stops working at once and for good.
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Regenerate the key?"
      action="Regenerate"
      onConfirm={regenerate}
      onClose={onClose}
    >
      <p>
        <KeyName apiKey={apiKey} /> gets a new secret. The old one stops working at once.
      </p>
    </ConfirmDialog>
  );
}

function KeyName({ apiKey: { name, hint } }: { apiKey: ApiKey }) {
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      (<code>…{hint}</code>)
    </>
  );
}

export type KeyAction = 'change' | 'regenerate' | 'revoke';

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  onAction(action: KeyAction, apiKey: ApiKey): void;
}

/** The active API keys with their actions. */
export function KeyTable({ keys, onAction }: KeyTableProps) {
  if (keys.length === 0) return <p>The account has no active keys.</p>;
  return (
    <table class="stack">
      <caption>Active keys</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          <th scope="col">Created</th>
          <th scope="col">Works until</th>
          <th scope="col">Permissions</th>
          <th scope="col">Last used</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {keys.map((apiKey) => (
          <tr key={apiKey.id}>
            <NameAndHint apiKey={apiKey} />
            <KeyLifetime apiKey={apiKey} />
            <td data-label="Permissions">
              <RestrictionSummary apiKey={apiKey} />
            </td>
            <td data-label="Last used">
              <LastUsed apiKey={apiKey} />
            </td>
            <td>
              <KeyActions apiKey={apiKey} onAction={onAction} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LastUsed({ apiKey: { lastUsedAt, lastUsedFrom } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null) return <>never</>;
  return (
    <>
      <Age iso={lastUsedAt} />
      {lastUsedFrom !== null && (
        <>
          {' from '}
          <code class="long">{lastUsedFrom}</code>
        </>
      )}
    </>
  );
}

function KeyActions({ apiKey, onAction }: { apiKey: ApiKey } & Pick<KeyTableProps, 'onAction'>) {
  return (
    <div class="row">
      <button
        type="button"
        onClick={() => onAction('change', apiKey)}
        aria-label={`Change ${apiKey.name}`}
      >
        Change…
      </button>
      <button
        type="button"
        onClick={() => onAction('regenerate', apiKey)}
        aria-label={`Regenerate ${apiKey.name}`}
      >
        Regenerate…
      </button>
      <button
        type="button"
        onClick={() => onAction('revoke', apiKey)}
        aria-label={`Revoke ${apiKey.name}`}
      >
        Revoke…
      </button>
    </div>
  );
}

/** The revoked and expired API keys. */
export function EndedKeys({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return null;
  return (
    <details class="more">
      <summary>Revoked and expired keys ({keys.length})</summary>
      <table class="stack">
        <caption class="sr-only">Revoked and expired keys</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Ended</th>
            <th scope="col">Last used</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((apiKey) => (
            <tr key={apiKey.id}>
              <NameAndHint apiKey={apiKey} />
              <td data-label="Ended">
                <KeyEnd apiKey={apiKey} />
              </td>
              <td data-label="Last used">
                <LastUsed apiKey={apiKey} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function KeyEnd({ apiKey: { revokedAt, expires } }: { apiKey: ApiKey }) {
  if (revokedAt !== null) {
    return (
      <>
        revoked <LocalDate iso={revokedAt} />
      </>
    );
  }
  return <>expired{expires !== null && ` after ${formatDay(expires)} (UTC)`}</>;
}
