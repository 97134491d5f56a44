import { useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { Paging } from '../ui/paging.tsx';
import { Loading } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import type { Undoable } from './decisions.ts';
import type { DecisionsBody, ListedDecision } from './responses.ts';

const PAGE_SIZE = 20;

interface Props {
  /** Takes a decision back; resolves once that is done or the page shows why it failed. */
  onUndo(decision: Undoable): Promise<void>;
}

/** What was decided, the newest first, with a button that takes a whole decision back. */
export function QuarantineDecisions({ onUndo }: Props) {
  const { query } = useRoute();
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const { body, error, isLoading, refetch } = useData<DecisionsBody>(
    withQuery('/dashboard/operator/quarantine/decisions', { offset, limit: PAGE_SIZE }),
    { refetchOnVisible: true },
  );
  if (!body) return <Loading error={error} />;
  const undo = async (decision: Undoable) => {
    await onUndo(decision);
    refetch();
  };
  return (
    <div aria-busy={isLoading}>
      <p class="hint">
        An approval can be undone for a week, and each of its prices until its source reports it
        anew; after that, roll the source back. A rejection can be undone at any time.
      </p>
      <ul class="quarantine">
        {body.data.map((decision) => (
          <DecisionItem
            key={`${decision.decision} ${decision.decidedAt}`}
            decision={decision}
            onUndo={() => undo(decision)}
          />
        ))}
      </ul>
      <Paging
        {...body}
        shown={body.data.length}
        what="decisions"
        hrefOf={(to) => withQuery(PAGES.quarantine, { show: 'decisions', offset: to || undefined })}
      />
    </div>
  );
}

interface ItemProps {
  readonly decision: ListedDecision;
  onUndo(): void;
}

function DecisionItem({ decision: { decision, decidedAt, ...made }, onUndo }: ItemProps) {
  const { count, sets, setCount, rules } = made;
  const names = sets.map((name) => name ?? 'no set').join(', ');
  const more = setCount > sets.length ? ` and ${formatCount(setCount - sets.length)} more` : '';
  const verb = decision === 'approved' ? 'Approved' : 'Rejected';
  return (
    <li>
      <div class="row">
        <strong>
          {verb} {formatCount(count)}
        </strong>
        <span class="quiet">
          <Age iso={decidedAt} />
        </span>
        <button
          type="button"
          aria-label={`Undo: ${verb} ${formatCount(count)}, ${names}`}
          onClick={onUndo}
        >
          Undo
        </button>
      </div>
      <p class="clamped">
        <bdi>{names}</bdi>
        {more}
      </p>
      <p class="quiet">{rules.join(', ')}</p>
    </li>
  );
}
