import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Static } from 'typebox';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type {
  DecisionView,
  QuarantinedView,
  QuarantineList,
} from '../../../src/dashboard/schemas.ts';
import { PRICE_SOURCES } from '../../../src/domain/sources.ts';
import { VALIDATION_RULES, type ValidationRule } from '../../../src/domain/validation-rules.ts';
import { post } from '../api.ts';
import { useData } from '../data.ts';
import { formatCount } from '../format.ts';
import { Choice } from '../parts/choice.tsx';
import { HoldList } from '../parts/hold-list.tsx';
import { OperatorPage } from '../parts/operator-page.tsx';
import { type Outcome, Told } from '../parts/told.tsx';
import { ErrorNote, Waiting } from '../parts/waiting.tsx';
import { withQuery } from '../query.ts';

export type Hold = Static<typeof QuarantinedView>;
type Decision = Static<typeof DecisionView>;

/** So many are shown at once; the others come when these are decided on. */
const LIMIT = 50;

/** What was held back because it cannot be right, and the operator's word on it. */
export function QuarantinePage() {
  const { query } = useLocation();
  const { source = '', rule = '' } = query;
  const { body, error, isLoading, reload } = useData<Static<typeof QuarantineList>>(
    withQuery('/dashboard/operator/quarantine', { source, rule, limit: LIMIT }),
    { whenSeen: true },
  );
  const [outcome, setOutcome] = useState<Outcome>();
  const [refusal, setRefusal] = useState<Error>();
  const decide = async (what: 'approve' | 'reject', ids: readonly number[]) => {
    setRefusal(undefined);
    try {
      const { data } = await post<{ data: Decision }>(`/dashboard/operator/quarantine/${what}`, {
        ids,
      });
      setOutcome({ words: wordsOf(what, data) });
    } catch (failure) {
      setRefusal(failure as Error);
    }
    reload();
  };
  return (
    <OperatorPage title="Held back">
      <p>
        Prices that cannot be right are not served until you let them through. What is kept back for
        good is not listed again.
      </p>
      <Filters source={source} rule={rule} />
      <Told outcome={outcome} />
      <ErrorNote error={refusal} />
      {body ? (
        <div aria-busy={isLoading}>
          <Count {...body} />
          <HoldList holds={body.data} onDecide={decide} key={`${source} ${rule}`} />
        </div>
      ) : (
        <Waiting error={error} />
      )}
      {body && error && !error.isPassing && <Waiting error={error} />}
    </OperatorPage>
  );
}

function wordsOf(
  what: 'approve' | 'reject',
  { decided, pricesChanged, refused }: Decision,
): string {
  if (what === 'reject') return `Kept back ${formatCount(decided)} for good.`;
  const served = `Let through ${formatCount(decided)}; ${formatCount(pricesChanged)} of them are served now.`;
  if (refused === 0) return served;
  return `${served} ${formatCount(refused)} stay held back: no price can be what they say.`;
}

function Count({ data, total }: Static<typeof QuarantineList>) {
  if (total === 0) return <p role="status">Nothing is held back.</p>;
  return (
    <p role="status">
      {data.length < total
        ? `The oldest ${formatCount(data.length)} of ${formatCount(total)}`
        : `${formatCount(total)} held back`}
    </p>
  );
}

const ALL = ['', 'all'] as const;

function Filters({ source, rule }: { source: string; rule: string }) {
  const { route } = useLocation();
  const go = (changed: { source?: string; rule?: string }) =>
    route(withQuery(PAGES.quarantine, { source, rule, ...changed }));
  const reasons = Object.entries(VALIDATION_RULES) as [ValidationRule, string][];
  return (
    <div class="hold-filters">
      <Choice
        label="Source"
        value={source}
        options={[ALL, ...PRICE_SOURCES.map(({ name }) => [name, name] as const)]}
        onChoose={(chosen) => go({ source: chosen })}
      />
      <Choice
        label="Reason"
        value={rule}
        options={[ALL, ...reasons.map(([name, meaning]) => [name, `${name}: ${meaning}`] as const)]}
        onChoose={(chosen) => go({ rule: chosen })}
      />
    </div>
  );
}
