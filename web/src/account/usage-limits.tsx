import { Fact, Facts } from '../ui/facts.tsx';
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
      <Facts>
        <Fact name="Plan">
          <a href="/plans">{label}</a>
        </Fact>
        <Fact name="Requests a day">{formatQuota(limit)}</Fact>
        <Fact name="Burst">{formatBurst(burst)}</Fact>
        {keyBurst && <Fact name="Burst of a key">{formatBurst(keyBurst)}</Fact>}
        {features.includes('history') && (
          <Fact name="History">
            {historyDays === null ? 'all days' : `the last ${formatCount(historyDays)} days`}
          </Fact>
        )}
        {limited.map(({ id, name, usedToday, dailyRequests }) => (
          <Fact key={id} name={<bdi>Key “{name}”</bdi>}>
            {formatCount(usedToday ?? 0)} of {formatCount(dailyRequests ?? 0)} today
          </Fact>
        ))}
      </Facts>
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

function formatBurst(burst: Usage['limits']['burst']): string {
  if (burst === null) return 'no limit';
  const { requests, seconds } = burst;
  return `${formatCount(requests)} within ${seconds === 1 ? 'a second' : `${seconds} s`}`;
}
