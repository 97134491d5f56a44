import { useLocation, useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { useData } from '../api/use-data.ts';
import { Page } from '../ui/page.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { RecentTable } from './recent-table.tsx';
import { KeyUsageTable, RequestErrors } from './request-tables.tsx';
import type { ApiKey, Requests, Usage } from './responses.ts';
import { buildUsageBars, type Grouping } from './usage-bars.ts';
import { UsageChart } from './usage-chart.tsx';
import { UsageLimits } from './usage-limits.tsx';
import { UsageTable } from './usage-table.tsx';
import { UsageToday } from './usage-today.tsx';
import './usage-page.css';

/** The time between two fetches of today's count while the tab is visible. */
const POLL_MS = 2000;

/** The time between two fetches of the requests, which are written once a second. */
const REQUESTS_POLL_MS = 5000;

/** What the account has used of its quota today, its requests of the last 30 days, and its limits. */
export function UsagePage() {
  const { body, error } = useData<{ data: Usage }>('/dashboard/usage', { pollMs: POLL_MS });
  const { body: keys } = useData<{ data: ApiKey[] }>('/dashboard/keys', { refetchOnVisible: true });
  return (
    <Page title="Usage">
      {body && keys ? (
        <UsageDetails usage={body.data} keys={keys.data} />
      ) : (
        <Loading error={error} />
      )}
      {body && <PermanentError error={error} />}
    </Page>
  );
}

interface DetailsProps {
  readonly usage: Usage;
  readonly keys: readonly ApiKey[];
}

function UsageDetails({ usage, keys }: DetailsProps) {
  const { body } = useData<{ data: Requests }>('/dashboard/requests', {
    pollMs: REQUESTS_POLL_MS,
  });
  const isUsed = usage.days.some(({ requests }) => requests.length > 0);
  return (
    <>
      <UsageToday usage={usage} />
      <UsageLimits usage={usage} keys={keys} />
      <h2>The last 30 days</h2>
      {isUsed ? <UsageDays usage={usage} /> : <NoRequests keys={keys} />}
      {isUsed && body && <KeyUsageTable counts={body.data.counts} />}
      {isUsed && body && <RequestErrors counts={body.data.counts} />}
      {body && body.data.recent.length > 0 && <RecentTable requests={body.data.recent} />}
    </>
  );
}

function UsageDays({ usage: { days } }: { usage: Usage }) {
  const { query } = useRoute();
  const grouping: Grouping = query.by === 'status' ? 'status' : 'endpoint';
  const bars = buildUsageBars(days, grouping);
  return (
    <>
      <p class="quiet">
        Every request with the account's keys, days in UTC. An unchanged answer (304) and a failure
        of the service (5xx) cost nothing of the quota.
      </p>
      <fieldset class="choice">
        <legend class="sr-only">Tell requests apart</legend>
        <GroupingButton grouping="endpoint" label="By endpoint" current={grouping} />
        <GroupingButton grouping="status" label="By status" current={grouping} />
      </fieldset>
      <UsageChart bars={bars} grouping={grouping} />
      <UsageTable bars={bars} grouping={grouping} />
    </>
  );
}

/** Says in the place of the chart why there is none. */
function NoRequests({ keys }: { keys: readonly ApiKey[] }) {
  const active = keys.filter(({ status }) => status === 'active').length;
  const last = keys
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .sort()
    .at(-1);
  return (
    <p class="empty">
      {last !== undefined && (
        <>
          No key was used in these days, the last time was <Age iso={last} />.
        </>
      )}
      {last === undefined && active > 0 && (
        <>
          There is no chart because no key was used yet. <a href={PAGES.keys}>A new key</a> can be
          tried where it is made.
        </>
      )}
      {last === undefined && active === 0 && (
        <>
          There is no chart because the account has no key that works.{' '}
          <a href={PAGES.keys}>Create a key</a>
        </>
      )}{' '}
      What you look up on these pages is not counted here.
    </p>
  );
}

interface GroupingButtonProps {
  readonly grouping: Grouping;
  readonly label: string;
  readonly current: Grouping;
}

function GroupingButton({ grouping, label, current }: GroupingButtonProps) {
  const { route } = useLocation();
  const href = grouping === 'endpoint' ? PAGES.usage : `${PAGES.usage}?by=${grouping}`;
  return (
    <button
      type="button"
      aria-pressed={grouping === current}
      onClick={() => grouping !== current && route(href)}
    >
      {label}
    </button>
  );
}
