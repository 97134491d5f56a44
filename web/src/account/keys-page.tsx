import { useState } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { CallError, post } from '../api/call.ts';
import { postOnce } from '../api/post-once.ts';
import type { ApiKey, NewApiKey } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { formatDay } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { GivenName } from '../ui/parts.tsx';
import { Fetched, type Outcome, OutcomeMessage } from '../ui/status.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';
import { LastUse, LocalDate } from '../ui/time.tsx';
import { ChangeKey, KEY_COLUMNS, NAME_COLUMNS, RestrictionSummary } from './key-settings.tsx';
import { CreateKey, NewKey } from './new-key.tsx';

/** An action that the reader has yet to confirm. */
interface PendingAction {
  readonly action: KeyAction;
  readonly apiKey: ApiKey;
}

type KeyAction = keyof typeof ACTION_NAMES;

const ACTION_NAMES = { change: 'Change', regenerate: 'Regenerate', revoke: 'Revoke' } as const;

/** The API keys of the account. */
export function KeysPage() {
  const loaded = useData<{ data: ApiKey[] }>('/dashboard/keys', { refetchOnVisible: true });
  const { refetch } = loaded;
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
  return (
    <Page title="Keys">
      <p>
        Programs send a key with each call. Anyone who has a key can use the quota of its account.
        To be called when new prices are published, add a <a href={PAGES.webhooks}>webhook</a>.
      </p>
      {newKey && <NewKey key={newKey.key} apiKey={newKey} onDismiss={hideNewKey} />}
      <OutcomeMessage outcome={outcome} />
      <Fetched of={loaded}>
        {({ data: keys }) => (
          <>
            <KeyTable
              keys={keys.filter(({ status }) => status === 'active')}
              onAction={(action, apiKey) => setPending({ action, apiKey })}
            />
            <CreateKey keys={keys} onCreated={showNewKey} onFailed={refetch} />
            <EndedKeys keys={keys.filter(({ status }) => status !== 'active')} />
          </>
        )}
      </Fetched>
      {pending && (
        <ActionDialog
          {...pending}
          onClose={closeDialog}
          onRegenerated={showNewKey}
          onOutcome={showOutcome}
        />
      )}
    </Page>
  );
}

interface ActionDialogProps extends PendingAction {
  onClose(): void;
  onRegenerated(key: NewApiKey): void;
  onOutcome(text: string): void;
}

function ActionDialog({ apiKey, action, onClose, onRegenerated, onOutcome }: ActionDialogProps) {
  const path = `/dashboard/keys/${apiKey.id}/${action}`;
  switch (action) {
    case 'change':
      return (
        <ChangeKey
          apiKey={apiKey}
          onClose={onClose}
          onChanged={() => onOutcome('The key was changed.')}
        />
      );
    case 'regenerate':
      return (
        <ConfirmDialog
          title="Regenerate the key?"
          action="Regenerate"
          onConfirm={() => regenerate(path, apiKey)}
          onClose={onClose}
          onDone={(created) => (created ? onRegenerated(created) : onOutcome(CHANGED_ELSEWHERE))}
        >
          <p>
            <KeyName apiKey={apiKey} /> gets a new secret. The old one stops working at once.
          </p>
        </ConfirmDialog>
      );
    case 'revoke':
      return (
        <ConfirmDialog
          title="Revoke the key?"
          action="Revoke"
          onConfirm={() => post(path)}
          onClose={onClose}
          onDone={() => onOutcome(`The key “${apiKey.name}” is revoked.`)}
        >
          <p>
            <KeyName apiKey={apiKey} /> stops working at once and for good.
          </p>
        </ConfirmDialog>
      );
  }
}

const CHANGED_ELSEWHERE =
  'Nothing was changed. This key had already been changed elsewhere, such as in another tab. Its ' +
  'current state is below.';

/** Resolves with the new key; undefined if the key had already been changed elsewhere. */
async function regenerate(path: string, { hint }: ApiKey): Promise<NewApiKey | undefined> {
  try {
    return (await postOnce<{ data: NewApiKey }>(path, { hint })).data;
  } catch (error) {
    if (error instanceof CallError && error.code === 'CONFLICT') return undefined;
    throw error;
  }
}

function KeyName({ apiKey: { name, hint } }: { apiKey: ApiKey }) {
  return (
    <>
      <GivenName name={name} /> (<code>…{hint}</code>)
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  onAction(action: KeyAction, apiKey: ApiKey): void;
}

/** The active API keys with their actions. */
function KeyTable({ keys, onAction }: KeyTableProps) {
  if (keys.length === 0) return <p>The account has no active keys.</p>;
  const columns: readonly Column<ApiKey>[] = [
    ...KEY_COLUMNS,
    { label: 'Permissions', cell: (apiKey) => <RestrictionSummary apiKey={apiKey} /> },
    LAST_USED,
    actionsColumn((apiKey) => (
      <div class="row">
        {(Object.keys(ACTION_NAMES) as KeyAction[]).map((action) => (
          <button
            key={action}
            type="button"
            onClick={() => onAction(action, apiKey)}
            aria-label={`${ACTION_NAMES[action]} ${apiKey.name}`}
          >
            {ACTION_NAMES[action]}…
          </button>
        ))}
      </div>
    )),
  ];
  const isUnused = keys.some(({ lastUsedAt }) => lastUsedAt === null);
  return (
    <>
      <Table
        caption="Active keys"
        hasCaption
        columns={columns}
        rows={keys}
        keyOf={({ id }) => id}
      />
      {isUnused && <p>If you have lost a key that was never used, regenerate or revoke it.</p>}
    </>
  );
}

const LAST_USED: Column<ApiKey> = {
  label: 'Last used',
  cell: ({ lastUsedAt, lastUsedFrom }) => (
    <>
      <LastUse at={lastUsedAt} />
      {lastUsedAt !== null && lastUsedFrom !== null && (
        <>
          {' from '}
          <code class="long">{lastUsedFrom}</code>
        </>
      )}
    </>
  ),
};

const ENDED_COLUMNS = [...NAME_COLUMNS, { label: 'Ended', cell: describeEnd }, LAST_USED];

/** The revoked and expired API keys. */
function EndedKeys({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return null;
  const title = 'Revoked and expired keys';
  return (
    <details class="more">
      <summary>
        {title} ({keys.length})
      </summary>
      <Table caption={title} columns={ENDED_COLUMNS} rows={keys} keyOf={({ id }) => id} />
    </details>
  );
}

function describeEnd({ revokedAt, expires }: ApiKey) {
  if (revokedAt === null)
    return `expired${expires === null ? '' : ` after ${formatDay(expires)} (UTC)`}`;
  return (
    <>
      revoked <LocalDate iso={revokedAt} />
    </>
  );
}
