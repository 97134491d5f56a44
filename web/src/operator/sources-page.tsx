import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/links.ts';
import type { SourceHealth } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { formatCount, formatShare } from '../ui/format.ts';
import { Fetched } from '../ui/status.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Age, LastUse } from '../ui/time.tsx';
import { useSources } from './health.ts';
import { OperatorPage } from './operator-page.tsx';
import { SyncNow } from './sync-now.tsx';

/** The health of each source in each game: how fresh and how complete its prices are. */
export function SourcesPage() {
  const loaded = useSources();
  return (
    <OperatorPage title="Sources">
      <Fetched of={loaded}>
        {({ data }) => (
          <>
            <SourceTable rows={data} />
            <h2>Sync</h2>
            <SyncNow />
          </>
        )}
      </Fetched>
    </OperatorPage>
  );
}

/** The health of each source, with a summary of stale sources. */
function SourceTable({ rows }: { rows: readonly SourceHealth[] }) {
  const gameName = useGameNames();
  if (rows.length === 0) {
    return (
      <p>
        Nothing has been imported yet, and no source is synced. In a terminal,{' '}
        <code>cardprice sources</code> lists the sources.
      </p>
    );
  }
  const columns: readonly Column<SourceHealth>[] = [
    { label: 'Source', cell: ({ source }) => source },
    { label: 'Game', cell: ({ game }) => (game === null ? 'all' : gameName(game)) },
    { label: 'State', cell: (row) => <SourceState row={row} /> },
    { label: 'Last success', cell: ({ succeededAt }) => <LastUse at={succeededAt} /> },
    {
      label: 'Newest price',
      cell: ({ observedAt }) => (observedAt ? <Age iso={observedAt} /> : 'none'),
    },
    {
      label: 'Cards with a price',
      cell: ({ priced, cards }) => (cards === 0 ? 'no cards' : formatShare(priced, cards)),
    },
    { label: 'Quarantined', cell: quarantinedOf },
  ];
  return (
    <>
      <StaleSummary rows={rows} />
      <Table
        caption="Health of the sources"
        columns={columns}
        rows={rows}
        keyOf={({ source, game }) => `${source} ${game}`}
      />
    </>
  );
}

function StaleSummary({ rows }: { rows: readonly SourceHealth[] }) {
  const stale = rows.filter(({ isStale }) => isStale).length;
  const unwatched = rows.filter(({ isWatched }) => !isWatched).length;
  const of = (count: number) => `${formatCount(count)} of ${formatCount(rows.length)} rows`;
  return (
    <p role="status">
      {stale > 0 && `${of(stale)} are stale: their prices are older than allowed.`}
      {stale === 0 && unwatched < rows.length && 'No prices are older than allowed.'}
      {unwatched > 0 && (
        <>
          {' '}
          {unwatched < rows.length ? `${of(unwatched)} are not watched` : 'Nothing is watched'}:{' '}
          <code>CARDPRICE_SYNC</code> and <code>CARDPRICE_STALE_AFTER</code> select the sources to
          watch.
        </>
      )}
    </p>
  );
}

function quarantinedOf({ source, quarantined }: SourceHealth) {
  if (quarantined === 0) return 'nothing';
  return <a href={withQuery(PAGES.quarantine, { source })}>{formatCount(quarantined)}</a>;
}

function SourceState({ row }: { row: SourceHealth }) {
  const { isStale, error, errorAt } = row;
  return (
    <>
      {isStale ? <strong class="stale">stale</strong> : stateOf(row)}
      {error !== null && (
        <p class="hint long">
          {errorAt && (
            <>
              <Age iso={errorAt} />:{' '}
            </>
          )}
          {error}
        </p>
      )}
      <FailedParts row={row} />
    </>
  );
}

function stateOf({ error, failedPartCount, isWatched }: SourceHealth): string {
  if (error !== null) return 'failing';
  if (failedPartCount > 0) return 'incomplete';
  return isWatched ? 'fresh' : 'not watched';
}

/** The unreadable parts of a source, since when, and an example of each. */
function FailedParts({ row: { failedParts, failedPartCount } }: { row: SourceHealth }) {
  if (failedPartCount === 0) return null;
  return (
    <ul class="hint long">
      {failedParts.map(({ part, since, badRows, example }) => (
        <li key={part}>
          {part}, {badRows === null ? 'not read' : `${formatCount(badRows)} left out`},{' '}
          <Age iso={since} />: {example}
        </li>
      ))}
      {failedPartCount > failedParts.length && (
        <li>and {formatCount(failedPartCount - failedParts.length)} more</li>
      )}
    </ul>
  );
}
