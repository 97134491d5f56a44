import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { useData } from '../api/use-data.ts';
import { Page } from '../ui/page.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import type { Usage } from './responses.ts';
import { buildUsageBars, type Grouping } from './usage-bars.ts';
import { UsageChart } from './usage-chart.tsx';
import { UsageTable } from './usage-table.tsx';
import { UsageToday } from './usage-today.tsx';
import './usage-page.css';

/** The time between two fetches of today's count while the tab is visible. */
const POLL_MS = 2000;

/** What the account has used of its quota today, and its requests of the last 30 days. */
export function UsagePage() {
  const { body, error } = useData<{ data: Usage }>('/dashboard/usage', { pollMs: POLL_MS });
  return (
    <Page title="Usage">
      {body ? <UsageDetails usage={body.data} /> : <Loading error={error} />}
      {body && <PermanentError error={error} />}
    </Page>
  );
}

function UsageDetails({ usage }: { usage: Usage }) {
  const { query } = useLocation();
  const grouping: Grouping = query.by === 'status' ? 'status' : 'endpoint';
  const bars = buildUsageBars(usage.days, grouping);
  return (
    <>
      <UsageToday usage={usage} />
      <h2>The last 30 days</h2>
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
