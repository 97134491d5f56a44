import { PAGES } from '../../../src/dashboard/pages.ts';
import { ErrorTable } from '../account/request-tables.tsx';
import type { Health, SourceHealth } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { formatBytes, formatCounted, formatShare } from '../ui/format.ts';
import { Disclosure, InlineCode } from '../ui/parts.tsx';
import { Fetched } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { AlarmList } from './alarm-list.tsx';
import { alarmsOf } from './alarms.ts';
import { useHealth, useSources } from './health.ts';
import { OperatorPage } from './operator-page.tsx';
import { ServiceFacts } from './service-facts.tsx';

/** The health of the service: its alarms first, then figures. */
export function HealthPage() {
  const health = useHealth();
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
  const alarms = alarmsOf({ health, sources, gameName: useGameNames() });
  return (
    <>
      {alarms.length > 0 ? (
        <>
          <h2>{formatCounted(alarms.length, 'alarm')}</h2>
          <AlarmList alarms={alarms} />
        </>
      ) : (
        <p class="all-well">
          All is well: every check passes, and the prices of all watched sources are fresh.
        </p>
      )}
      <PassedChecks findings={health.findings} />
      <h2>Figures</h2>
      <ServiceFacts health={health} />
      <Coverage games={health.games} />
      <Errors errors={health.errors} />
      <Files files={health.files} />
    </>
  );
}

/** The checks without findings, behind their number. */
function PassedChecks({ findings }: Pick<Health, 'findings'>) {
  const passed = findings.filter(({ state }) => state === 'good');
  return (
    <Disclosure
      summary={`${formatCounted(passed.length, 'check')} passed`}
      render={() => (
        <ul class="passed">
          {passed.map(({ about, says }) => (
            <li key={`${about} ${says}`}>
              <strong>{about}</strong> <InlineCode text={says} />
            </li>
          ))}
        </ul>
      )}
    />
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
        Failed calls with a key since midnight UTC. The usage page of each account shows earlier
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
