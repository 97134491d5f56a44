import { PAGES } from '../../../src/dashboard/pages.ts';
import { ErrorTable } from '../account/request-tables.tsx';
import type { Health, SourceHealth } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { formatBytes, formatCount, formatShare } from '../ui/format.ts';
import { Fact, Facts, InlineCode } from '../ui/parts.tsx';
import { Fetched } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { Age } from '../ui/time.tsx';
import { OperatorPage } from './operator-page.tsx';
import { SourceTable, useSources } from './sources-page.tsx';
import { SyncNow } from './sync-now.tsx';

/** The time between two fetches. */
const POLL_MS = 30_000;

/** The health of the service on one page: findings, sources, coverage, errors and files. */
export function HealthPage() {
  const health = useData<{ data: Health }>('/dashboard/operator/health', { pollMs: POLL_MS });
  const sources = useSources();
  return (
    <OperatorPage title="Health">
      <Fetched of={health}>
        {({ data }) => (
          <Fetched of={sources}>
            {({ data: rows }) => <HealthDetails health={data} sources={rows} />}
          </Fetched>
        )}
      </Fetched>
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
        {sorted.map(({ about, state, says, fix }) => (
          <li key={`${about} ${says}`} class={state}>
            <strong>{STATES[state]}</strong> <span class="quiet">{about}</span>{' '}
            <InlineCode text={says} />
            {fix !== '' && (
              <p class="hint">
                <InlineCode text={fix} />
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
      <Table
        caption="Cards with a price by game"
        look=""
        columns={[
          { label: 'Game', cell: ({ game }) => gameName(game) },
          {
            label: 'Cards with a price',
            kind: 'number',
            cell: ({ priced, cards }) => formatShare(priced, cards),
          },
        ]}
        rows={games}
        keyOf={({ game }) => game}
      />
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
      <Table
        caption="Files by size"
        look=""
        columns={[
          { label: 'File', cell: ({ name }) => <code class="long">{name}</code> },
          { label: 'Size', kind: 'number', cell: ({ bytes }) => formatBytes(bytes) },
        ]}
        rows={files.toSorted((a, b) => b.bytes - a.bytes)}
        keyOf={({ name }) => name}
      />
    </>
  );
}
