import { useEffect, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import type { Sync, SyncRun } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { SelectField } from '../ui/controls.tsx';
import { useAction } from '../ui/hooks.ts';
import { InlineCode } from '../ui/parts.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';

const PATH = '/dashboard/operator/sync';

/**
 * The time between two fetches while a sync is running, and otherwise: somebody else may start one.
 */
const RUNNING_POLL_MS = 2000;
const POLL_MS = 30_000;

/**
 * Starts a sync of one source or of all, and shows its progress and the outcome of the last one.
 */
export function SyncNow() {
  const [isRunning, setRunning] = useState(false);
  const pollMs = isRunning ? RUNNING_POLL_MS : POLL_MS;
  const { body, error, refetch } = useData<{ data: Sync }>(PATH, { pollMs });
  useEffect(() => setRunning(body?.data.run?.state === 'running'), [body]);
  const starting = useAction();
  if (!body) return <Loading error={error} />;
  const start = async (source: string) => {
    await starting.run(() => post(PATH, source === '' ? {} : { source }));
    refetch();
  };
  const { sources, run } = body.data;
  const isBusy = starting.isBusy || run?.state === 'running';
  return (
    <>
      <StartSync sources={sources} isBusy={isBusy} onStart={start} />
      <ErrorMessage error={starting.error} />
      <RunState run={run} />
      {run && <RunLog run={run} />}
    </>
  );
}

interface StartProps {
  readonly sources: Sync['sources'];
  /** Whether a sync is running or being started. */
  readonly isBusy: boolean;
  /** Starts the sync of a source; of all sources for an empty text. */
  onStart(source: string): Promise<void>;
}

function StartSync({ sources, isBusy, onStart }: StartProps) {
  const [source, setSource] = useState('');
  const ready = sources.filter(({ hindrance }) => hindrance === null);
  return (
    <>
      {ready.length > 0 && (
        <div class="row sync-now">
          <SelectField
            label="What to sync"
            value={source}
            options={[['', 'all due sources'], ...ready.map(({ name }) => [name, name] as const)]}
            onChange={setSource}
          />
          <button type="button" aria-disabled={isBusy} onClick={() => isBusy || onStart(source)}>
            Sync now
          </button>
        </div>
      )}
      <Hindrances sources={sources} />
    </>
  );
}

/** Why sources cannot be synced. */
function Hindrances({ sources }: Pick<Sync, 'sources'>) {
  if (sources.length === 0) {
    return (
      <p>
        Nothing can be synced: <code>CARDPRICE_SYNC</code> names no source.
      </p>
    );
  }
  return sources.map(({ name, hindrance }) => {
    if (hindrance === null) return null;
    return (
      <p key={name} class="hint">
        <InlineCode text={hindrance} />
      </p>
    );
  });
}

const STATES: Readonly<Record<SyncRun['state'], string>> = {
  running: 'is running',
  succeeded: 'succeeded',
  incomplete: 'succeeded, except for unreadable parts',
  failed: 'failed',
  interrupted: 'was interrupted: the service or the sync was stopped',
};

function RunState({ run }: Pick<Sync, 'run'>) {
  if (run === null) return <p role="status">No sync has been started here yet.</p>;
  const { source, state, startedAt } = run;
  return (
    <p role="status">
      The sync of {source ?? 'all sources'}, started <Age iso={startedAt} />,{' '}
      {state === 'failed' ? <strong class="stale">{STATES[state]}</strong> : STATES[state]}.
    </p>
  );
}

function RunLog({ run: { lines } }: { run: SyncRun }) {
  if (lines.length === 0) return null;
  return (
    <figure class="sync-log">
      <figcaption>Last lines of its log</figcaption>
      <pre>{lines.join('\n')}</pre>
    </figure>
  );
}
