import type { ComponentChildren } from 'preact';
import { formatCount, formatQuota } from '../ui/format.ts';
import { FEATURE_LABELS } from './feature-labels.ts';
import type { ApiKey, Usage } from './responses.ts';
import { useAccount, useSession } from './session.tsx';

interface Props {
  readonly usage: Usage;
  readonly keys: readonly ApiKey[];
}

/** What limits the account and its API keys. */
export function UsageLimits({ usage: { limit, limits }, keys }: Props) {
  const { plans } = useSession();
  const { plan } = useAccount();
  const label = plans.find(({ name }) => name === plan)?.label ?? plan;
  const { burst, keyBurst, historyDays, features } = limits;
  const limited = keys.filter(({ status, dailyRequests }) => {
    return status === 'active' && dailyRequests !== null;
  });
  return (
    <>
      <h2>Limits</h2>
      <dl class="facts">
        <Fact name="Plan" value={<a href="/plans">{label}</a>} />
        <Fact name="Requests a day" value={formatQuota(limit)} />
        <Fact name="Burst" value={formatBurst(burst)} />
        {keyBurst && <Fact name="Burst of a key" value={formatBurst(keyBurst)} />}
        {features.includes('history') && (
          <Fact
            name="History"
            value={historyDays === null ? 'all days' : `the last ${formatCount(historyDays)} days`}
          />
        )}
        {limited.map(({ id, name, usedToday, dailyRequests }) => (
          <Fact
            key={id}
            name={<bdi>Key “{name}”</bdi>}
            value={`${formatCount(usedToday ?? 0)} of ${formatCount(dailyRequests ?? 0)} today`}
          />
        ))}
      </dl>
      {features.length > 0 && (
        <details>
          <summary>What the plan includes besides prices</summary>
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

function Fact({ name, value }: { name: ComponentChildren; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function formatBurst(burst: Usage['limits']['burst']): string {
  if (burst === null) return 'no limit';
  const { requests, seconds } = burst;
  return `${formatCount(requests)} within ${seconds === 1 ? 'a second' : `${seconds} s`}`;
}
