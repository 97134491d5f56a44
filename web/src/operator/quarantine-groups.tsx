import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { formatSpan } from '../../../src/domain/quarantined.ts';
import { withQuery } from '../api/links.ts';
import type {
  DecisionsBody,
  ListedDecision,
  QuarantinedItem,
  QuarantineGroup,
  QuarantineGroupsBody,
} from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Paging } from '../ui/controls.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { formatCount } from '../ui/format.ts';
import { Loading } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { ACTION_NAMES, type Action, type Choice, type Undoable } from './decisions.ts';
import { Change, Sparkline } from './quarantine-list.tsx';

const PAGE_SIZE = 20;

interface QuarantineGroupsProps {
  readonly by: 'set-rule' | 'source';
  /** The view of the page, from its address. */
  readonly show: string;
  readonly choice: Choice;
  /** Decides on a group. Resolves once the page shows the outcome. */
  onDecide(action: Action, group: Choice & { readonly upTo: number }): Promise<void>;
}

/** The quarantined prices by what they have in common, with one decision for a whole group. */
export function QuarantineGroups({ by, show, choice, onDecide }: QuarantineGroupsProps) {
  const { query } = useRoute();
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const { body, error, isLoading, refetch } = useData<QuarantineGroupsBody>(
    withQuery('/dashboard/operator/quarantine/groups', { ...choice, by, offset, limit: PAGE_SIZE }),
    { refetchOnVisible: true },
  );
  const [asked, setAsked] = useState<{ action: Action; group: QuarantineGroup }>();
  if (!body) return <Loading error={error} />;
  const decide = async () => {
    if (!asked) return;
    await onDecide(asked.action, {
      ...choiceOf(by, choice, asked.group),
      upTo: asked.group.lastId,
    });
    setAsked(undefined);
    refetch();
  };
  const hrefOf = (to: number) =>
    withQuery(PAGES.quarantine, { ...choice, show, offset: to || undefined });
  return (
    <div aria-busy={isLoading}>
      <ul class="quarantine">
        {body.data.map((group) => (
          <GroupItem
            key={`${group.name} ${group.set} ${group.rule}`}
            group={group}
            href={withQuery(PAGES.quarantine, { ...choiceOf(by, choice, group), show: 'each' })}
            onAsk={(action) => setAsked({ action, group })}
          />
        ))}
      </ul>
      <Paging {...body} shown={body.data.length} what="groups" hrefOf={hrefOf} />
      {asked && <GroupDialog {...asked} onConfirm={decide} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

/** Returns the filters that select the entries of a group, including the current ones. */
function choiceOf(
  by: QuarantineGroupsProps['by'],
  choice: Choice,
  { name, set, rule }: QuarantineGroup,
): Choice {
  if (by === 'source') return { ...choice, source: name ?? '' };
  return { ...choice, set: String(set ?? 0), rule: rule ?? '' };
}

/** Names a group by its rule and its set, or by its source. */
function nameOf({ name, rule }: QuarantineGroup): string {
  return rule === null ? (name ?? '') : `${rule} in ${name ?? 'no set'}`;
}

interface DialogProps {
  readonly action: Action;
  readonly group: QuarantineGroup;
  onConfirm(): Promise<void>;
  onClose(): void;
}

function GroupDialog({ action, group, onConfirm, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      title={`${ACTION_NAMES[action]} ${formatCount(group.count)} prices`}
      action={ACTION_NAMES[action]}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        All prices that wait now: <bdi>{nameOf(group)}</bdi>.{' '}
        {action === 'approve'
          ? 'They are served at once, except those that are not possible prices. You can undo this ' +
            'for a week, until their source reports them again.'
          : 'They are not listed again. You can undo this at any time.'}
      </p>
    </ConfirmDialog>
  );
}

interface ItemProps {
  readonly group: QuarantineGroup;
  /** The page with the entries of the group. */
  readonly href: string;
  onAsk(action: Action): void;
}

function GroupItem({ group, href, onAsk }: ItemProps) {
  const gameName = useGameNames();
  const { name, game, count, rule, rules, sources, oldest, change, examples } = group;
  return (
    <li>
      <div class="row">
        <strong class="clamped">
          <bdi>{name ?? 'No set'}</bdi>
        </strong>
        {game && <span class="quiet">{gameName(game)}</span>}
        <a href={href} aria-label={`see the ${formatCount(count)} of ${nameOf(group)}`}>
          {formatCount(count)}
        </a>
        {(['approve', 'reject'] as const).map((action) => (
          <button
            key={action}
            type="button"
            aria-label={`${ACTION_NAMES[action]} all of ${nameOf(group)}`}
            onClick={() => onAsk(action)}
          >
            {ACTION_NAMES[action]} all…
          </button>
        ))}
      </div>
      <p>
        <strong>{rule ?? rules.join(', ')}</strong>
        {change && ` ${formatSpan(change)} of what was accepted`}
        <span class="quiet">
          {' '}
          · {sources.join(', ')} · the oldest <Age iso={oldest} />
        </span>
      </p>
      <Examples items={examples} />
    </li>
  );
}

function Examples({ items }: { readonly items: readonly QuarantinedItem[] }) {
  return (
    <>
      {items.map((item) => (
        <div key={item.id} class="example">
          <p class="clamped">
            <bdi>{item.cardName ?? item.detail}</bdi>
            {item.cardName !== null && item.printing !== null && ` (${item.printing})`}{' '}
            <Change item={item} />
          </p>
          <Sparkline item={item} />
        </div>
      ))}
    </>
  );
}

const DECISIONS_SHOWN = 20;

interface QuarantineDecisionsProps {
  /** Undoes a decision. Resolves once the page shows the outcome. */
  onUndo(decision: Undoable): Promise<void>;
}

/** The decisions, newest first, each with a button that undoes it. */
export function QuarantineDecisions({ onUndo }: QuarantineDecisionsProps) {
  const { query } = useRoute();
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const { body, error, isLoading, refetch } = useData<DecisionsBody>(
    withQuery('/dashboard/operator/quarantine/decisions', { offset, limit: DECISIONS_SHOWN }),
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
        You can undo an approval for a week, and each of its prices until its source reports it
        again. After that, roll back the source. You can undo a rejection at any time.
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

interface DecisionProps {
  readonly decision: ListedDecision;
  onUndo(): void;
}

function DecisionItem({ decision: { decision, decidedAt, ...made }, onUndo }: DecisionProps) {
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
