import type { Static } from 'typebox';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { SourceHealthView } from '../../../src/dashboard/schemas.ts';
import { useData } from '../data.ts';
import { formatCount } from '../format.ts';
import { OperatorPage } from '../parts/operator-page.tsx';
import { Age } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { withQuery } from '../query.ts';
import { useSession } from '../session.tsx';

type Health = Static<typeof SourceHealthView>;

/** How often the page looks again, in milliseconds: a sync may be under way. */
const POLL_MS = 30_000;

/** How fresh the prices of each source are, game by game. */
export function SourcesPage() {
  const { body, error } = useData<{ data: Health[] }>('/dashboard/operator/sources', {
    everyMs: POLL_MS,
  });
  return (
    <OperatorPage title="Sources">
      {body ? <Sources rows={body.data} /> : <Waiting error={error} />}
      {body && error && !error.isPassing && <Waiting error={error} />}
    </OperatorPage>
  );
}

function Sources({ rows }: { rows: readonly Health[] }) {
  if (rows.length === 0) {
    return (
      <p>
        Nothing was imported yet, and no source is synced. In the terminal,{' '}
        <code>cardprice sources</code> lists what there is.
      </p>
    );
  }
  return (
    <>
      <Summary rows={rows} />
      <table class="stack">
        <caption class="unseen">Health of the sources</caption>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Game</th>
            <th scope="col">State</th>
            <th scope="col">Last success</th>
            <th scope="col">Newest price</th>
            <th scope="col">Cards with a price</th>
            <th scope="col">Held back</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.source} ${row.game}`} row={row} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Summary({ rows }: { rows: readonly Health[] }) {
  const stale = rows.filter(({ isStale }) => isStale).length;
  return (
    <p role="status">
      {stale === 0
        ? 'No prices are older than they may be.'
        : `${stale} of ${rows.length} rows are stale: their prices are older than they may be.`}
    </p>
  );
}

function Row({ row }: { row: Health }) {
  const { source, succeededAt, observedAt, quarantined } = row;
  const { games } = useSession();
  const game = games.find(({ id }) => id === row.game)?.name ?? row.game ?? 'all';
  return (
    <tr>
      <th scope="row">{source}</th>
      <td data-label="Game">{game}</td>
      <td data-label="State">
        <State row={row} />
      </td>
      <td data-label="Last success">{succeededAt ? <Age iso={succeededAt} /> : 'never'}</td>
      <td data-label="Newest price">{observedAt ? <Age iso={observedAt} /> : 'none'}</td>
      <td data-label="Cards with a price">{shareOf(row)}</td>
      <td data-label="Held back">
        {quarantined === 0 ? (
          'nothing'
        ) : (
          <a href={withQuery(PAGES.quarantine, { source })}>{formatCount(quarantined)}</a>
        )}
      </td>
    </tr>
  );
}

function State({ row: { isStale, error, errorAt } }: { row: Health }) {
  return (
    <>
      {isStale ? <strong class="stale">stale</strong> : error === null ? 'fresh' : 'failing'}
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
    </>
  );
}

function shareOf({ priced, cards }: Health): string {
  if (cards === 0) return 'no cards';
  const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
  return `${formatCount(priced)} of ${formatCount(cards)} (${share.format(priced / cards)})`;
}
