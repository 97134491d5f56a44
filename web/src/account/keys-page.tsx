import { useState } from 'preact/hooks';
import { CallError, post } from '../api/call.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { type Outcome, OutcomeMessage } from '../ui/outcome.tsx';
import { Page } from '../ui/page.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { ChangeKey } from './change-key.tsx';
import { EndedKeys, type KeyAction, KeyTable } from './key-table.tsx';
import { CreateKey, NewKey } from './new-key.tsx';
import type { ApiKey, NewApiKey } from './responses.ts';
import './keys-page.css';

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
      <p>Programs send a key with each call. Whoever has a key uses up the quota of its account.</p>
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
          onChanged={() => showOutcome('The key is changed.')}
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
        'Nothing was changed: this key was already changed somewhere else, such as in another ' +
          'tab. Below is how it is now.',
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
        <KeyName apiKey={apiKey} /> gets a new text. The old one fails at its next request.
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
