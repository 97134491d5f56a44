import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { UNLIMITED } from '../../../src/domain/plans.ts';
import type { ApiKey, Requests, Usage } from '../api/responses.ts';
import { useAccount, usePlanLabels } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { formatClock, formatCount, formatQuota, formatRemaining } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Fact, Facts } from '../ui/parts.tsx';
import { Fetched } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { FEATURE_LABELS } from './labels.ts';
import { KeyUsageTable, RecentTable, RequestErrors } from './request-tables.tsx';
import { buildUsageBars, type Grouping } from './usage.ts';
import { UsageChart, UsageTable } from './usage-chart.tsx';

/** The time between two fetches of today's count while the tab is visible. */
const POLL_MS = 2000;

/** The time between two fetches of the requests, which are written once a second. */
const REQUESTS_POLL_MS = 5000;

/** The used quota of today, the requests of the last 30 days, and the limits of the account. */
export function UsagePage() {
  const usage = useData<{ data: Usage }>('/dashboard/usage', { pollMs: POLL_MS });
  const keys = useData<{ data: ApiKey[] }>('/dashboard/keys', { refetchOnVisible: true });
  return (
    <Page title="Usage">
      <Fetched of={usage}>
        {({ data }) => (
          <Fetched of={keys}>
            {({ data: ownKeys }) => <UsageDetails usage={data} keys={ownKeys} />}
          </Fetched>
        )}
      </Fetched>
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
        Every request with the account's keys, by day (UTC). Unchanged responses (304) and server
        errors (5xx) do not count toward the quota.
      </p>
      <fieldset class="choice">
        <legend class="sr-only">Group requests</legend>
        <GroupingButton grouping="endpoint" label="By endpoint" current={grouping} />
        <GroupingButton grouping="status" label="By status" current={grouping} />
      </fieldset>
      <UsageChart bars={bars} grouping={grouping} />
      <UsageTable bars={bars} grouping={grouping} />
    </>
  );
}

/** Explains why there is no chart. */
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
          No key was used in these days. The last use was <Age iso={last} />.
        </>
      )}
      {last === undefined && active > 0 && (
        <>
          There is no chart because no key has been used yet. <a href={PAGES.keys}>Create a key</a>{' '}
          and try it on the same page.
        </>
      )}
      {last === undefined && active === 0 && (
        <>
          There is no chart because the account has no active keys.{' '}
          <a href={PAGES.keys}>Create a key</a>
        </>
      )}{' '}
      Lookups on these pages do not count toward the quota.
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

/** The requests used today, and the quota. */
function UsageToday({ usage }: { usage: Usage }) {
  const id = useId();
  return (
    <section aria-labelledby={id} class="today">
      <h2 id={id}>Today</h2>
      {usage.limit === UNLIMITED ? <Unlimited usage={usage} /> : <Quota usage={usage} />}
    </section>
  );
}

function Unlimited({ usage: { used } }: { usage: Usage }) {
  return (
    <p class="figure">
      <strong>{formatCount(used)}</strong> requests used, without a limit
    </p>
  );
}

/** The used and remaining quota of today, and when it resets. */
function Quota({ usage }: { usage: Usage }) {
  const { used, limit, remaining, resetAt } = usage;
  return (
    <>
      <p class="figure">
        <strong>{formatCount(used)}</strong> of {formatCount(limit)} requests used
      </p>
      <meter
        class={remaining === 0 ? 'full' : undefined}
        min={0}
        max={limit}
        value={Math.min(used, limit)}
        aria-label="Requests used today"
      />
      <p>
        {formatCount(remaining)} remain. The quota resets at{' '}
        <time dateTime={resetAt}>{formatClock(resetAt)}</time>, in <Countdown usage={usage} />.
      </p>
      <Announcement
        text={`${formatCount(used)} requests used today, ${formatCount(remaining)} remain`}
      />
    </>
  );
}

/** The time until the next quota begins, by the server's clock. */
function Countdown({ usage: { now, resetAt } }: { usage: Usage }) {
  const clockOffset = useMemo(() => Date.parse(now) - Date.now(), [now]);
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const remainingMs = Date.parse(resetAt) - Date.now() - clockOffset;
  return <span class="countdown">{formatRemaining(remainingMs)}</span>;
}

/** The time between two announcements, because the count may change every second. */
const ANNOUNCEMENT_MS = 20_000;

/** Announces the newest text to screen readers from time to time. */
function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState(text);
  const newest = useRef(text);
  newest.current = text;
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(newest.current), ANNOUNCEMENT_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="sr-only" role="status">
      {announced}
    </p>
  );
}

interface UsageLimitsProps {
  readonly usage: Usage;
  readonly keys: readonly ApiKey[];
}

/** The limits of the account and its API keys. */
function UsageLimits({ usage: { limit, limits }, keys }: UsageLimitsProps) {
  const planLabel = usePlanLabels();
  const { plan } = useAccount();
  const { burst, keyBurst, historyDays, features, alerts } = limits;
  const limited = keys.filter(({ status, dailyRequests }) => {
    return status === 'active' && dailyRequests !== null;
  });
  return (
    <>
      <h2>Limits</h2>
      <Facts>
        <Fact name="Plan">
          <a href={PAGES.plans}>{planLabel(plan)}</a>
        </Fact>
        <Fact name="Requests per day">{formatQuota(limit)}</Fact>
        <Fact name="Burst">{formatBurst(burst)}</Fact>
        {keyBurst && <Fact name="Burst limit per key">{formatBurst(keyBurst)}</Fact>}
        {features.includes('history') && (
          <Fact name="History">
            {historyDays === null ? 'all days' : `the last ${formatCount(historyDays)} days`}
          </Fact>
        )}
        <Fact name="Alerts">up to {formatCount(alerts)}</Fact>
        {limited.map(({ id, name, usedToday, dailyRequests }) => (
          <Fact key={id} name={<bdi>Key “{name}”</bdi>}>
            {formatCount(usedToday ?? 0)} of {formatCount(dailyRequests ?? 0)} today
          </Fact>
        ))}
      </Facts>
      {features.length > 0 && (
        <details>
          <summary>More features of the plan</summary>
          <ul>
            {features.map((feature) => (
              <li key={feature}>{FEATURE_LABELS[feature]}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function formatBurst(burst: Usage['limits']['burst']): string {
  if (burst === null) return 'no limit';
  const { requests, seconds } = burst;
  return `${formatCount(requests)} within ${seconds === 1 ? 'a second' : `${seconds} s`}`;
}
