import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
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
import {
  ACTION_PATHS,
  type Action,
  type Choice,
  describeDecision,
  groupBody,
} from './decisions.ts';
import { OperatorPage } from './operator-page.tsx';
import { QuarantineGroups } from './quarantine-groups.tsx';
import { QuarantineList } from './quarantine-list.tsx';
import type { Decision, QuarantineBody } from './responses.ts';

/** Items that are shown at once; the next ones are shown when these are decided. */
const PAGE_SIZE = 50;

/** The quarantined prices, which the operator approves or rejects, one by one or in groups. */
export function QuarantinePage() {
  const { query } = useRoute();
  const { source = '', rule = '', set = '', by = '' } = query;
  const isRejected = query.rejected !== undefined;
  const choice: Choice = { source, rule, set };
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<Error>();
  const decide = async (path: string, action: Action, what: object) => {
    setFailure(undefined);
    try {
      const { data } = await post<{ data: Decision }>(path, what);
      setOutcome({ text: describeDecision(action, data) });
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <OperatorPage title="Quarantine">
      <p>
        Prices that cannot be right are not served until you approve them. What you reject is not
        listed again.
      </p>
      <QuarantineFilters choice={choice} by={by} isRejected={isRejected} />
      <OutcomeMessage outcome={outcome} />
      <ErrorMessage error={failure} />
      {by === '' || isRejected ? (
        <Entries
          choice={choice}
          isRejected={isRejected}
          onDecide={(action, ids) => decide(ACTION_PATHS[action], action, { ids })}
        />
      ) : (
        <QuarantineGroups
          by={by}
          choice={choice}
          onDecide={(action, group) =>
            decide(`${ACTION_PATHS[action]}-group`, action, groupBody(group))
          }
        />
      )}
    </OperatorPage>
  );
}

interface EntriesProps {
  readonly choice: Choice;
  /** Whether those are listed that were rejected. */
  readonly isRejected: boolean;
  onDecide(action: Action, ids: readonly number[]): Promise<void>;
}

function Entries({ choice, isRejected, onDecide }: EntriesProps) {
  const { body, error, isLoading, refetch } = useData<QuarantineBody>(
    withQuery('/dashboard/operator/quarantine', {
      ...choice,
      rejected: isRejected ? 'true' : '',
      limit: PAGE_SIZE,
    }),
    { refetchOnVisible: true },
  );
  if (!body) return <Loading error={error} />;
  const decide = async (action: Action, ids: readonly number[]) => {
    await onDecide(action, ids);
    refetch();
  };
  return (
    <>
      <div aria-busy={isLoading}>
        <QuarantineCount {...body} what={isRejected ? 'rejected' : 'quarantined'} />
        <QuarantineList
          items={body.data}
          actions={isRejected ? ['undo'] : ['approve', 'reject']}
          onDecide={decide}
          key={`${Object.values(choice).join(' ')} ${isRejected}`}
        />
      </div>
      <PermanentError error={error} />
    </>
  );
}

function QuarantineCount({ data, total, what }: QuarantineBody & { readonly what: string }) {
  if (total === 0) return <p role="status">Nothing is {what}.</p>;
  return (
    <p role="status">
      {data.length < total
        ? `The oldest ${formatCount(data.length)} of ${formatCount(total)}`
        : `${formatCount(total)} ${what}`}
    </p>
  );
}

const ALL_OPTION = ['', 'all'] as const;

const GROUPINGS = [
  ['', 'nothing: one by one'],
  ['set', 'set'],
  ['rule', 'rule'],
  ['source', 'source'],
] as const;

interface FiltersProps {
  readonly choice: Choice;
  readonly by: string;
  readonly isRejected: boolean;
}

function QuarantineFilters({ choice, by, isRejected }: FiltersProps) {
  const { route } = useLocation();
  const rejected = isRejected ? 'true' : '';
  const navigate = (change: Choice & { by?: string; rejected?: string }) =>
    route(withQuery(PAGES.quarantine, { ...choice, by, rejected, ...change }));
  const rules = Object.entries(VALIDATION_RULES) as [ValidationRule, string][];
  return (
    <div class="operator-filters">
      <SelectField
        label="Source"
        value={choice.source ?? ''}
        options={[ALL_OPTION, ...PRICE_SOURCES.map(({ name }) => [name, name] as const)]}
        onChange={(selected) => navigate({ source: selected })}
      />
      <SelectField
        label="Rule"
        value={choice.rule ?? ''}
        options={[
          ALL_OPTION,
          ...rules.map(([name, meaning]) => [name, `${name}: ${meaning}`] as const),
        ]}
        onChange={(selected) => navigate({ rule: selected })}
      />
      <SelectField
        label="Show"
        value={rejected}
        options={[
          ['', 'what waits for a decision'],
          ['true', 'what was rejected'],
        ]}
        onChange={(selected) => navigate({ rejected: selected })}
      />
      <SelectField
        label="Group by"
        value={by}
        options={GROUPINGS}
        onChange={(selected) => navigate({ by: selected })}
      />
      {choice.set && <a href={withQuery(PAGES.quarantine, { ...choice, by, set: '' })}>All sets</a>}
    </div>
  );
}
