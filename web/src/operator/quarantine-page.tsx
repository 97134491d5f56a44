import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { VALIDATION_RULES, type ValidationRule } from '../../../src/domain/quarantined.ts';
import { PRICE_SOURCES } from '../../../src/domain/sources.ts';
import { post } from '../api/call.ts';
import { withQuery } from '../api/links.ts';
import type { Decision, QuarantineBody, QuarantinedSet } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { SelectField } from '../ui/controls.tsx';
import { formatCount } from '../ui/format.ts';
import { useAction } from '../ui/hooks.ts';
import { ErrorMessage, Fetched, type Outcome, OutcomeMessage } from '../ui/status.tsx';
import {
  ACTION_PATHS,
  type Action,
  type Choice,
  describeDecision,
  groupBody,
  undoableOf,
} from './decisions.ts';
import { OperatorPage } from './operator-page.tsx';
import { QuarantineDecisions, QuarantineDigest, QuarantineGroups } from './quarantine-groups.tsx';
import { QuarantineList } from './quarantine-list.tsx';

/** The items shown at once. More follow when these are decided. */
const PAGE_SIZE = 50;

/** The last decision, and how to undo it if that is possible. */
interface Decided extends Outcome {
  /** The moment of a decision that can be undone. */
  readonly undoable: string | undefined;
}

/** The quarantined prices, which the operator approves or rejects, one by one or in groups. */
export function QuarantinePage() {
  const { query } = useRoute();
  const { source = '', rule = '', set = '', show = '' } = query;
  const choice: Choice = { source, rule, set };
  const [decided, setDecided] = useState<Decided>();
  const [decisions, setDecisions] = useState(0);
  const { error, run } = useAction();
  /** Counts the undone decisions. The lists are fetched again after each. */
  const [undoings, setUndoings] = useState(0);
  const decide = (path: string, action: Action, what: object) =>
    run(async () => {
      const { data } = await post<{ data: Decision }>(path, what);
      setDecided({ text: describeDecision(action, data), undoable: undoableOf(data) });
      setDecisions((count) => count + 1);
    });
  const undo = (decidedAt: string) =>
    decide('/dashboard/operator/quarantine/undo-decision', 'undo', { decidedAt });
  const undoLast = async (decidedAt: string) => {
    await undo(decidedAt);
    setUndoings(undoings + 1);
  };
  return (
    <OperatorPage title="Quarantine" decisions={decisions}>
      <p>
        Implausible prices are not served until you approve them. Rejected prices are not listed
        again. What nobody decides on closes by itself.
      </p>
      <QuarantineFilters show={show} choice={choice} key={undoings} />
      <DecidedMessage decided={decided} onUndo={undoLast} />
      <ErrorMessage error={error} />
      <View
        key={`${Object.values(choice).join(' ')} ${show} ${undoings}`}
        show={show}
        choice={choice}
        decide={decide}
        onUndo={undo}
      />
    </OperatorPage>
  );
}

interface MessageProps {
  readonly decided: Decided | undefined;
  onUndo(decidedAt: string): Promise<void>;
}

/** The outcome of the last decision, with a button that undoes it. */
function DecidedMessage({ decided, onUndo }: MessageProps) {
  const undoable = decided?.undoable;
  return (
    <div class="row">
      <OutcomeMessage outcome={decided} />
      {undoable && (
        <button type="button" onClick={() => onUndo(undoable)}>
          Undo it
        </button>
      )}
    </div>
  );
}

interface ViewProps {
  readonly show: string;
  readonly choice: Choice;
  decide(path: string, action: Action, what: object): Promise<void>;
  onUndo(decidedAt: string): Promise<void>;
}

function View({ show, choice, decide, onUndo }: ViewProps) {
  if (show === 'decisions') return <QuarantineDecisions onUndo={onUndo} />;
  const decideOnGroup = (action: Action, group: Choice & { readonly upTo: number }) =>
    decide(`${ACTION_PATHS[action]}-group`, action, groupBody(group));
  if (show === 'digest') return <QuarantineDigest onDecide={decideOnGroup} />;
  if (show === 'each' || show === 'rejected' || show === 'closed') {
    return (
      <Entries
        choice={choice}
        state={show === 'each' ? 'quarantined' : show}
        onDecide={(action, ids) => decide(ACTION_PATHS[action], action, { ids })}
      />
    );
  }
  return (
    <QuarantineGroups
      by={show === 'source' ? 'source' : 'set-rule'}
      show={show}
      choice={choice}
      onDecide={decideOnGroup}
    />
  );
}

interface EntriesProps {
  readonly choice: Choice;
  /** What the prices of the list are. */
  readonly state: 'quarantined' | 'rejected' | 'closed';
  onDecide(action: Action, ids: readonly number[]): Promise<void>;
}

function Entries({ choice, state, onDecide }: EntriesProps) {
  const loaded = useData<QuarantineBody>(
    withQuery('/dashboard/operator/quarantine', {
      ...choice,
      ...(state !== 'quarantined' && { [state]: 'true' }),
      limit: PAGE_SIZE,
    }),
    { refetchOnVisible: true },
  );
  return (
    <Fetched of={loaded}>
      {(body) => (
        <div aria-busy={loaded.isLoading}>
          <QuarantineCount {...body} what={state} />
          <QuarantineList
            items={body.data}
            actions={state === 'quarantined' ? ['approve', 'reject'] : ['undo']}
            onDecide={(action, ids) => onDecide(action, ids).then(loaded.refetch)}
          />
        </div>
      )}
    </Fetched>
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

/** The views of the page, by their name in the address. */
const VIEWS = [
  ['', 'waiting, by set and rule'],
  ['digest', 'waiting, what matters most'],
  ['source', 'waiting, by source'],
  ['each', 'waiting, one by one'],
  ['decisions', 'decisions'],
  ['rejected', 'rejected, one by one'],
  ['closed', 'closed by themselves, one by one'],
] as const;

interface FiltersProps {
  readonly show: string;
  readonly choice: Choice;
}

/** Chooses the view and filters the prices. */
function QuarantineFilters({ show, choice }: FiltersProps) {
  const { route } = useLocation();
  const navigate = (change: Choice & { show?: string }) =>
    route(withQuery(PAGES.quarantine, { ...choice, show, ...change }));
  const rules = Object.entries(VALIDATION_RULES) as [ValidationRule, string][];
  return (
    <div class="operator-filters">
      <SelectField
        label="Show"
        value={show}
        options={VIEWS}
        onChange={(selected) => navigate({ show: selected })}
      />
      {show !== 'decisions' && show !== 'digest' && (
        <>
          <SetFilter value={choice.set ?? ''} onChange={(set) => navigate({ set })} />
          <SelectField
            label="Rule"
            value={choice.rule ?? ''}
            options={[
              ALL_OPTION,
              ...rules.map(([name, meaning]) => [name, `${name}: ${meaning}`] as const),
            ]}
            onChange={(rule) => navigate({ rule })}
          />
          <SelectField
            label="Source"
            value={choice.source ?? ''}
            options={[ALL_OPTION, ...PRICE_SOURCES.map(({ name }) => [name, name] as const)]}
            onChange={(source) => navigate({ source })}
          />
        </>
      )}
    </div>
  );
}

interface SetFilterProps {
  readonly value: string;
  onChange(set: string): void;
}

/** Filters by the sets with waiting prices. A selected set stays when none of its prices waits. */
function SetFilter({ value, onChange }: SetFilterProps) {
  const { body } = useData<{ data: readonly QuarantinedSet[] }>(
    '/dashboard/operator/quarantine/sets',
    { refetchOnVisible: true },
  );
  const sets = body?.data ?? [];
  const options = sets.map(({ set, name, count }) => {
    return [String(set ?? 0), `${shorten(name ?? 'no set')} (${formatCount(count)})`] as const;
  });
  const isListed = value === '' || options.some(([set]) => set === value);
  const chosen = isListed ? [] : [[value, 'the selected set'] as const];
  return (
    <SelectField
      label="Set"
      value={value}
      options={[ALL_OPTION, ...chosen, ...options]}
      onChange={onChange}
    />
  );
}

const LONGEST_NAME = 60;

/** An option cannot wrap: a name of 500 characters would make the list as wide as the screen. */
function shorten(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : name;
}
