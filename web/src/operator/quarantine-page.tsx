import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { PRICE_SOURCES } from '../../../src/domain/sources.ts';
import { VALIDATION_RULES, type ValidationRule } from '../../../src/domain/validation-rules.ts';
import { post } from '../api/call.ts';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { type Outcome, OutcomeMessage } from '../ui/outcome.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { ErrorMessage, Loading, PermanentError } from '../ui/status.tsx';
import { OperatorPage } from './operator-page.tsx';
import { type Action, QuarantineList } from './quarantine-list.tsx';
import type { Decision, QuarantineBody } from './responses.ts';

/** Items that are shown at once; the next ones are shown when these are decided. */
const PAGE_SIZE = 50;

/** Where the decisions are posted to. */
const ACTION_PATHS: Readonly<Record<Action, string>> = {
  approve: '/dashboard/operator/quarantine/approve',
  reject: '/dashboard/operator/quarantine/reject',
};

/** The quarantined prices, which the operator approves or rejects. */
export function QuarantinePage() {
  const { query } = useLocation();
  const { source = '', rule = '' } = query;
  const { body, error, isLoading, refetch } = useData<QuarantineBody>(
    withQuery('/dashboard/operator/quarantine', { source, rule, limit: PAGE_SIZE }),
    { refetchOnVisible: true },
  );
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<Error>();
  const decide = async (action: Action, ids: readonly number[]) => {
    setFailure(undefined);
    try {
      const { data } = await post<{ data: Decision }>(ACTION_PATHS[action], { ids });
      setOutcome({ text: describeDecision(action, data) });
    } catch (error) {
      setFailure(error as Error);
    }
    refetch();
  };
  return (
    <OperatorPage title="Quarantine">
      <p>
        Prices that cannot be right are not served until you approve them. What you reject is not
        listed again.
      </p>
      <QuarantineFilters source={source} rule={rule} />
      <OutcomeMessage outcome={outcome} />
      <ErrorMessage error={failure} />
      {body ? (
        <div aria-busy={isLoading}>
          <QuarantineCount {...body} />
          <QuarantineList items={body.data} onDecide={decide} key={`${source} ${rule}`} />
        </div>
      ) : (
        <Loading error={error} />
      )}
      {body && <PermanentError error={error} />}
    </OperatorPage>
  );
}

function describeDecision(action: Action, decision: Decision): string {
  const { decided, pricesChanged, refused } = decision;
  if (action === 'reject') return `Rejected ${formatCount(decided)}.`;
  const approved = `Approved ${formatCount(decided)}; ${formatCount(pricesChanged)} of them are served now.`;
  if (refused === 0) return approved;
  return `${approved} ${formatCount(refused)} stay quarantined: no price can be what they say.`;
}

function QuarantineCount({ data, total }: QuarantineBody) {
  if (total === 0) return <p role="status">Nothing is quarantined.</p>;
  return (
    <p role="status">
      {data.length < total
        ? `The oldest ${formatCount(data.length)} of ${formatCount(total)}`
        : `${formatCount(total)} quarantined`}
    </p>
  );
}

const ALL_OPTION = ['', 'all'] as const;

function QuarantineFilters({ source, rule }: { source: string; rule: string }) {
  const { route } = useLocation();
  const navigate = (change: { source?: string; rule?: string }) =>
    route(withQuery(PAGES.quarantine, { source, rule, ...change }));
  const rules = Object.entries(VALIDATION_RULES) as [ValidationRule, string][];
  return (
    <div class="quarantine-filters">
      <SelectField
        label="Source"
        value={source}
        options={[ALL_OPTION, ...PRICE_SOURCES.map(({ name }) => [name, name] as const)]}
        onChange={(selected) => navigate({ source: selected })}
      />
      <SelectField
        label="Rule"
        value={rule}
        options={[
          ALL_OPTION,
          ...rules.map(([name, meaning]) => [name, `${name}: ${meaning}`] as const),
        ]}
        onChange={(selected) => navigate({ rule: selected })}
      />
    </div>
  );
}
