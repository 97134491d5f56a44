import { useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { KeyView, NewKeyView } from '../../../src/dashboard/schemas.ts';
import { CallError, post } from '../api.ts';
import { useData } from '../data.ts';
import { Confirm } from '../parts/confirm.tsx';
import { EndedKeys, KeyTable } from '../parts/key-table.tsx';
import { CreateKey, NewKey } from '../parts/new-key.tsx';
import { Page } from '../parts/page.tsx';
import { type Outcome, Told } from '../parts/told.tsx';
import { ErrorNote, Waiting } from '../parts/waiting.tsx';
import './keys.css';

export type Key = Static<typeof KeyView>;
export type FreshKey = Static<typeof NewKeyView>;

/** What the reader is asked to confirm. */
interface Question {
  readonly about: Key;
  readonly what: 'regenerate' | 'revoke';
}

/** The keys of the account. */
export function KeysPage() {
  const { body, error, reload } = useData<{ data: Key[] }>('/dashboard/keys', { whenSeen: true });
  const [fresh, setFresh] = useState<FreshKey>();
  const [question, setQuestion] = useState<Question>();
  const [outcome, setOutcome] = useState<Outcome>();

  const show = (key: FreshKey) => {
    setFresh(key);
    setOutcome(undefined);
    reload();
  };
  const tell = (words: string) => {
    setOutcome({ words });
    reload();
  };
  const hide = () => {
    setFresh(undefined);
    tell('The key is hidden.');
  };
  const close = () => {
    setQuestion(undefined);
    // What was refused may be because another tab has changed something.
    reload();
  };
  const keys = body?.data;
  return (
    <Page title="Keys">
      <p>Programs send a key with each call. Whoever has a key uses up the quota of its account.</p>
      {fresh && <NewKey key={fresh.key} fresh={fresh} onDismiss={hide} />}
      <Told outcome={outcome} />
      {keys ? (
        <ErrorNote error={error?.isPassing ? undefined : error} />
      ) : (
        <Waiting error={error} />
      )}
      {keys && (
        <>
          <KeyTable
            keys={keys.filter(({ status }) => status === 'active')}
            onAsk={(what, about) => setQuestion({ what, about })}
          />
          <CreateKey keys={keys} onCreated={show} onFailed={reload} />
          <EndedKeys keys={keys.filter(({ status }) => status !== 'active')} />
        </>
      )}
      {question && <Ask {...question} onClose={close} onFresh={show} onDone={tell} />}
    </Page>
  );
}

interface AskProps extends Question {
  onClose(): void;
  onFresh(key: FreshKey): void;
  onDone(outcome: string): void;
}

function Ask({ about, what, onClose, onFresh, onDone }: AskProps) {
  const path = `/dashboard/keys/${about.id}/${what}`;
  const regenerate = async () => {
    try {
      const { data } = await post<{ data: FreshKey }>(path, { hint: about.hint });
      onClose();
      onFresh(data);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'CONFLICT') throw error;
      onClose();
      onDone(
        'Nothing was changed: this key was already changed somewhere else, such as in another ' +
          'tab. Below is how it is now.',
      );
    }
  };
  const revoke = async () => {
    await post(path);
    onClose();
    onDone(`The key “${about.name}” is revoked.`);
  };
  if (what === 'revoke') {
    return (
      <Confirm title="Revoke the key?" action="Revoke" onConfirm={revoke} onClose={onClose}>
        <p>
          <KeyName of={about} /> stops working at once and for good.
        </p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title="Regenerate the key?"
      action="Regenerate"
      onConfirm={regenerate}
      onClose={onClose}
    >
      <p>
        <KeyName of={about} /> gets a new text. The old one fails at its next request.
      </p>
    </Confirm>
  );
}

function KeyName({ of: { name, hint } }: { of: Key }) {
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      (<code>…{hint}</code>)
    </>
  );
}
