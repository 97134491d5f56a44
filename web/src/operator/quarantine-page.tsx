import type { Ref } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { VALIDATION_RULES, type ValidationRule } from '../../../src/domain/quarantined.ts';
import { PRICE_SOURCES } from '../../../src/domain/sources.ts';
import { post } from '../api/call.ts';
import { withQuery } from '../api/links.ts';
import type { Decision, QuarantinedSet } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { Filters, SelectField } from '../ui/controls.tsx';
import { formatCount } from '../ui/format.ts';
import { useAction } from '../ui/hooks.ts';
import { late } from '../ui/late.tsx';
import { ErrorMessage, type Outcome } from '../ui/status.tsx';
import {
  ACTION_PATHS,
  type Action,
  type Choice,
  describeDecision,
  groupBody,
  undoableOf,
} from './decisions.ts';
import { isInEntry, useEntryKeys, useKeysSetting } from './entry-keys.ts';
import { OperatorPage } from './operator-page.tsx';
import { QuarantineDecisions, QuarantineDigest, QuarantineGroups } from './quarantine-groups.tsx';
import { QuarantineEntries } from './quarantine-list.tsx';

const KeyHelp = late('The help', () => import('./key-help.tsx').then((module) => module.KeyHelp));

/** The last decision, and how to undo it, if possible. */
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
  const sets = useData<{ data: readonly QuarantinedSet[] }>('/dashboard/operator/quarantine/sets', {
    refetchOnVisible: true,
  });
  const { error, run } = useAction();
  const message = useRef<HTMLParagraphElement>(null);
  // The button of the decision may have disappeared, unless the list has moved the focus to another
  // entry.
  useLayoutEffect(() => {
    if (decided && !isInEntry()) message.current?.focus();
  }, [decided]);
  /** Counts the undone decisions. The lists are fetched again after each. */
  const [undoings, setUndoings] = useState(0);
  const decide = (path: string, action: Action, what: object) =>
    run(async () => {
      const { data } = await post<{ data: Decision }>(path, what);
      setDecided({ text: describeDecision(action, data), undoable: undoableOf(data) });
      sets.refetch();
    });
  const undo = (decidedAt: string) =>
    decide('/dashboard/operator/quarantine/undo-decision', 'undo', { decidedAt });
  const undoLast = async (decidedAt: string) => {
    message.current?.focus();
    await undo(decidedAt);
    setUndoings(undoings + 1);
  };
  return (
    <OperatorPage title="Quarantine" quarantined={sets.body ? countOf(sets.body.data) : null}>
      <p>
        Implausible prices are not served until you approve them. Rejected prices are not listed
        again. Entries without a decision close automatically.
      </p>
      <QuarantineFilters show={show} choice={choice} sets={sets.body?.data ?? []} />
      <DecidedMessage decided={decided} error={error} line={message} onUndo={undoLast} />
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

/** Counts the prices that wait for a decision. */
function countOf(sets: readonly QuarantinedSet[]): number {
  return sets.reduce((sum, { count }) => sum + count, 0);
}

/** The keys of the lists, with a button that explains them. */
function Keys() {
  const [areOn, turn] = useKeysSetting();
  const [isOpen, setOpen] = useState(false);
  useEntryKeys(areOn);
  return (
    <>
      <button type="button" class="keys-button" aria-keyshortcuts="?" onClick={() => setOpen(true)}>
        Keys
      </button>
      {isOpen && <KeyHelp areOn={areOn} onTurn={turn} onClose={() => setOpen(false)} />}
    </>
  );
}

interface MessageProps {
  readonly decided: Decided | undefined;
  /** Why a later decision failed. */
  readonly error: Error | undefined;
  /** The line of text, which can take the focus. */
  readonly line: Ref<HTMLParagraphElement>;
  onUndo(decidedAt: string): Promise<void>;
}

/** The outcome of the last decision, with a button that undoes it. It stays in view. */
function DecidedMessage({ decided, error, line, onUndo }: MessageProps) {
  const undoable = decided?.undoable;
  return (
    <div class="decided">
      <ErrorMessage error={error} />
      <p role="status" tabIndex={-1} ref={line}>
        {decided?.text}
      </p>
      {undoable && (
        <button type="button" aria-keyshortcuts="u" onClick={() => onUndo(undoable)}>
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
      <QuarantineEntries
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

const ALL_OPTION = ['', 'all'] as const;

/** The views of the page, by their name in the address. */
const VIEWS = [
  ['', 'waiting, by set and rule'],
  ['digest', 'waiting, most important'],
  ['source', 'waiting, by source'],
  ['each', 'waiting, one by one'],
  ['decisions', 'decisions'],
  ['rejected', 'rejected, one by one'],
  ['closed', 'closed automatically, one by one'],
] as const;

interface FiltersProps {
  readonly show: string;
  readonly choice: Choice;
  /** The sets with waiting prices. */
  readonly sets: readonly QuarantinedSet[];
}

/** Chooses the view and filters the prices. */
function QuarantineFilters({ show, choice, sets }: FiltersProps) {
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
        <Filters count={Object.values(choice).filter(Boolean).length}>
          <SetFilter sets={sets} value={choice.set ?? ''} onChange={(set) => navigate({ set })} />
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
        </Filters>
      )}
      <Keys />
    </div>
  );
}

interface SetFilterProps extends Pick<FiltersProps, 'sets'> {
  readonly value: string;
  onChange(set: string): void;
}

/**
 * Filters by the sets with waiting prices. A selected set stays in the list even if none of its
 * prices waits.
 */
function SetFilter({ sets, value, onChange }: SetFilterProps) {
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

/** Options cannot wrap: a name of 500 characters would make the list as wide as the screen. */
function shorten(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : name;
}
