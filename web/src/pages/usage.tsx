import { useLocation } from 'preact-iso';
import type { Static } from 'typebox';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { UsageView } from '../../../src/dashboard/schemas.ts';
import { useData } from '../data.ts';
import { Page } from '../parts/page.tsx';
import { UsageChart } from '../parts/usage-chart.tsx';
import { UsageTable } from '../parts/usage-table.tsx';
import { Today } from '../parts/usage-today.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { type Grouping, stackDays } from '../usage-bars.ts';
import './usage.css';

export type Usage = Static<typeof UsageView>;

/** How often today's count is asked for while the reader looks, in milliseconds. */
const POLL_MS = 2000;

/** What the account has used of its quota today, and on the days before. */
export function UsagePage() {
  const { body, error } = useData<{ data: Usage }>('/dashboard/usage', { everyMs: POLL_MS });
  return (
    <Page title="Usage">
      {body ? <Shown usage={body.data} /> : <Waiting error={error} />}
      {body && error && !error.isPassing && <Waiting error={error} />}
    </Page>
  );
}

function Shown({ usage }: { usage: Usage }) {
  const { query } = useLocation();
  const grouping: Grouping = query.by === 'status' ? 'status' : 'endpoint';
  const bars = stackDays(usage.days, grouping);
  return (
    <>
      <Today usage={usage} />
      <h2>The last 30 days</h2>
      <p class="quiet">
        Every request with the account's keys, days in UTC. An unchanged answer (304) and a failure
        of the service (5xx) cost nothing of the quota.
      </p>
      <fieldset class="choice">
        <legend class="unseen">Tell requests apart</legend>
        <Choice grouping="endpoint" label="By endpoint" current={grouping} />
        <Choice grouping="status" label="By status" current={grouping} />
      </fieldset>
      <UsageChart bars={bars} grouping={grouping} />
      <UsageTable bars={bars} grouping={grouping} />
    </>
  );
}

interface ChoiceProps {
  readonly grouping: Grouping;
  readonly label: string;
  readonly current: Grouping;
}

function Choice({ grouping, label, current }: ChoiceProps) {
  const { route } = useLocation();
  const address = grouping === 'endpoint' ? PAGES.usage : `${PAGES.usage}?by=${grouping}`;
  return (
    <button
      type="button"
      aria-pressed={grouping === current}
      onClick={() => grouping !== current && route(address)}
    >
      {label}
    </button>
  );
}
