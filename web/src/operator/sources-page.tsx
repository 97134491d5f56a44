import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/links.ts';
import type { SourceHealth } from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { formatCount, formatShare } from '../ui/format.ts';
import { Loading, PermanentError } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { OperatorPage } from './operator-page.tsx';

/** The time between two fetches: a sync may be running. */
const POLL_MS = 30_000;

/** The health of each source in each game: how fresh and how complete its prices are. */
export function SourcesPage() {
  const { body, error } = useData<{ data: SourceHealth[] }>('/dashboard/operator/sources', {
    pollMs: POLL_MS,
  });
  return (
    <OperatorPage title="Sources">
      {body ? <SourceTable rows={body.data} /> : <Loading error={error} />}
      {body && <PermanentError error={error} />}
    </OperatorPage>
  );
}

/** The health of each source, with a summary of stale sources. */
export function SourceTable({ rows }: { rows: readonly SourceHealth[] }) {
  if (rows.length === 0) {
    return (
      <p>
        Nothing has been imported yet, and no source is synced. In a terminal,{' '}
        <code>cardprice sources</code> lists the sources.
      </p>
    );
  }
  return (
    <>
      <StaleSummary rows={rows} />
      <table class="stack">
        <caption class="sr-only">Health of the sources</caption>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Game</th>
            <th scope="col">State</th>
            <th scope="col">Last success</th>
            <th scope="col">Newest price</th>
            <th scope="col">Cards with a price</th>
            <th scope="col">Quarantined</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SourceRow key={`${row.source} ${row.game}`} row={row} />
          ))}
        </tbody>
      </table>
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
          <code>CARDPRICE_SYNC</code> and <code>CARDPRICE_STALE_AFTER</code> select what is watched.
        </>
      )}
    </p>
  );
}

function SourceRow({ row }: { row: SourceHealth }) {
  const { source, succeededAt, observedAt, quarantined } = row;
  const gameName = useGameNames();
  const game = row.game === null ? 'all' : gameName(row.game);
  return (
    <tr>
      <th scope="row">{source}</th>
      <td data-label="Game">{game}</td>
      <td data-label="State">
        <SourceState row={row} />
      </td>
      <td data-label="Last success">{succeededAt ? <Age iso={succeededAt} /> : 'never'}</td>
      <td data-label="Newest price">{observedAt ? <Age iso={observedAt} /> : 'none'}</td>
      <td data-label="Cards with a price">
        {row.cards === 0 ? 'no cards' : formatShare(row.priced, row.cards)}
      </td>
      <td data-label="Quarantined">
        {quarantined === 0 ? (
          'nothing'
        ) : (
          <a href={withQuery(PAGES.quarantine, { source })}>{formatCount(quarantined)}</a>
        )}
      </td>
    </tr>
  );
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

/** The parts of a source that could not be read, since when, and an example of each. */
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
