import { PAGES } from '../../../src/dashboard/pages.ts';
import { ErrorTable } from '../account/request-tables.tsx';
import type { Health, SourceHealth } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { formatBytes, formatCount, formatShare } from '../ui/format.ts';
import { Fact, Facts, InlineCode } from '../ui/parts.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { OperatorPage } from './operator-page.tsx';
import { SourceTable } from './sources-page.tsx';
import { SyncNow } from './sync-now.tsx';

/** The time between two fetches. */
const POLL_MS = 30_000;

/** The health of the service on one page: findings, sources, coverage, errors and files. */
export function HealthPage() {
  const { body, error } = useData<{ data: Health }>('/dashboard/operator/health', {
    pollMs: POLL_MS,
  });
  const { body: sources, error: sourcesError } = useData<{ data: SourceHealth[] }>(
    '/dashboard/operator/sources',
    { pollMs: POLL_MS },
  );
  return (
    <OperatorPage title="Health">
      {body && sources ? (
        <HealthDetails health={body.data} sources={sources.data} />
      ) : (
        <Loading error={error ?? sourcesError} />
      )}
      {body && sources && <PermanentError error={error ?? sourcesError} />}
    </OperatorPage>
  );
}

interface DetailsProps {
  readonly health: Health;
  readonly sources: readonly SourceHealth[];
}

function HealthDetails({ health, sources }: DetailsProps) {
  return (
    <>
      <HealthFacts health={health} />
      <h2>Sources</h2>
      <SourceTable rows={sources} />
      <h2>Sync</h2>
      <SyncNow />
      <Findings findings={health.findings} />
      <Coverage games={health.games} />
      <Errors errors={health.errors} />
      <Files files={health.files} />
    </>
  );
}

function HealthFacts({ health }: { health: Health }) {
  const { version, processes, nextSyncAt, backupAt, freeBytes } = health;
  const waiting = health.findings.filter(({ state }) => state !== 'good').length;
  return (
    <Facts>
      <Fact name="State">{waiting === 0 ? 'all good' : `${formatCount(waiting)} to check`}</Fact>
      <Fact name="Version">{version}</Fact>
      <Fact name="Processes">{formatCount(processes)}</Fact>
      <Fact name="Next sync">
        {nextSyncAt === null ? 'not scheduled' : <Age iso={nextSyncAt} />}
      </Fact>
      <Fact name="Newest backup">{backupAt === null ? 'none found' : <Age iso={backupAt} />}</Fact>
      {freeBytes !== null && <Fact name="Free on the disk">{formatBytes(freeBytes)}</Fact>}
    </Facts>
  );
}

const STATES = { good: 'good', warning: 'warning', wrong: 'wrong' } as const;

/** The findings, worst first, except those about sources, which have a table. */
function Findings({ findings }: Pick<Health, 'findings'>) {
  const order = Object.keys(STATES).toReversed();
  const others = findings.filter(({ about }) => about !== 'sources');
  const sorted = others.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <>
      <h2>Checks</h2>
      <ul class="findings">
        {sorted.map(({ about, state, says, mend }) => (
          <li key={`${about} ${says}`} class={state}>
            <strong>{STATES[state]}</strong> <span class="quiet">{about}</span>{' '}
            <InlineCode text={says} />
            {mend !== '' && (
              <p class="hint">
                <InlineCode text={mend} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Coverage({ games }: Pick<Health, 'games'>) {
  const gameName = useGameNames();
  if (games.length === 0) return null;
  return (
    <>
      <h2>Coverage</h2>
      <table>
        <caption class="sr-only">Cards with a price by game</caption>
        <thead>
          <tr>
            <th scope="col">Game</th>
            <th scope="col" class="number">
              Cards with a price
            </th>
          </tr>
        </thead>
        <tbody>
          {games.map(({ game, cards, priced }) => (
            <tr key={game}>
              <th scope="row">{gameName(game)}</th>
              <td class="number">{formatShare(priced, cards)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The errors that callers got today (UTC), with the advice they got. */
function Errors({ errors }: Pick<Health, 'errors'>) {
  return (
    <>
      <h2>Errors today</h2>
      <p class="quiet">
        Errors of calls with a key since midnight UTC. The usage page of each account shows earlier
        days.
      </p>
      <ErrorTable
        errors={errors}
        caption="Errors today by code"
        none="No call with a key has failed today (UTC)."
      />
      <p class="quiet">
        The <a href={PAGES.audit}>audit log</a> shows who did what.
      </p>
    </>
  );
}

function Files({ files }: Pick<Health, 'files'>) {
  if (files.length === 0) return null;
  return (
    <>
      <h2>Database files</h2>
      <table>
        <caption class="sr-only">Files by size</caption>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="number">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {files
            .toSorted((a, b) => b.bytes - a.bytes)
            .map(({ name, bytes }) => (
              <tr key={name}>
                <th scope="row">
                  <code class="long">{name}</code>
                </th>
                <td class="number">{formatBytes(bytes)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </>
  );
}
