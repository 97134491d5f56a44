import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { post } from '../api/call.ts';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { type Outcome, OutcomeMessage } from '../ui/outcome.tsx';
import { ErrorMessage, Loading, PermanentError } from '../ui/status.tsx';
import {
  ACTION_PATHS,
  type Action,
  type Choice,
  describeDecision,
  groupBody,
  type Undoable,
  undoableOf,
} from './decisions.ts';
import { OperatorPage } from './operator-page.tsx';
import { QuarantineDecisions } from './quarantine-decisions.tsx';
import { QuarantineFilters } from './quarantine-filters.tsx';
import { QuarantineGroups } from './quarantine-groups.tsx';
import { QuarantineList } from './quarantine-list.tsx';
import type { Decision, QuarantineBody } from './responses.ts';

/** Items that are shown at once; the next ones are shown when these are decided. */
const PAGE_SIZE = 50;

/** The last decision, with how it is taken back if it can be. */
interface Decided extends Outcome {
  readonly undoable: Undoable | undefined;
}

/** The quarantined prices, which the operator approves or rejects, one by one or in groups. */
export function QuarantinePage() {
  const { query } = useRoute();
  const { source = '', rule = '', set = '', show = '' } = query;
  const choice: Choice = { source, rule, set };
  const [decided, setDecided] = useState<Decided>();
  const [failure, setFailure] = useState<Error>();
  /** Counts the undone decisions: what is listed below is read anew after each. */
  const [undoings, setUndoings] = useState(0);
  const decide = async (path: string, action: Action, what: object) => {
    setFailure(undefined);
    try {
      const { data } = await post<{ data: Decision }>(path, what);
      setDecided({ text: describeDecision(action, data), undoable: undoableOf(action, data) });
    } catch (error) {
      setFailure(error as Error);
    }
  };
  const undo = ({ decision, decidedAt }: Undoable) =>
    decide('/dashboard/operator/quarantine/undo-decision', 'undo', { decision, decidedAt });
  const undoLast = async (decision: Undoable) => {
    await undo(decision);
    setUndoings(undoings + 1);
  };
  return (
    <OperatorPage title="Quarantine">
      <p>
        Prices that cannot be right are not served until you approve them. What you reject is not
        listed again.
      </p>
      <QuarantineFilters show={show} choice={choice} key={undoings} />
      <DecidedMessage decided={decided} onUndo={undoLast} />
      <ErrorMessage error={failure} />
      <View
        key={`${Object.values(choice).join(' ')} ${show} ${undoings}`}
        {...{ show, choice, decide, onUndo: undo }}
      />
    </OperatorPage>
  );
}

interface MessageProps {
  readonly decided: Decided | undefined;
  onUndo(decision: Undoable): Promise<void>;
}

/** What the last decision did, with a button that takes it back. */
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
  onUndo(decision: Undoable): Promise<void>;
}

function View({ show, choice, decide, onUndo }: ViewProps) {
  if (show === 'decisions') return <QuarantineDecisions onUndo={onUndo} />;
  if (show === 'each' || show === 'rejected') {
    return (
      <Entries
        choice={choice}
        isRejected={show === 'rejected'}
        onDecide={(action, ids) => decide(ACTION_PATHS[action], action, { ids })}
      />
    );
  }
  return (
    <QuarantineGroups
      by={show === 'source' ? 'source' : 'set-rule'}
      show={show}
      choice={choice}
      onDecide={(action, group) =>
        decide(`${ACTION_PATHS[action]}-group`, action, groupBody(group))
      }
    />
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
