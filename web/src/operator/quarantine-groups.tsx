import { useEffect, useState } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/links.ts';
import type {
  DecisionsBody,
  ListedDecision,
  QuarantineDigestBody,
  QuarantinedItem,
  QuarantineGroup,
  QuarantineGroupsBody,
} from '../api/responses.ts';
import { useGameNames } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { formatCount } from '../ui/format.ts';
import { PagedList } from '../ui/paged-list.tsx';
import { Fetched } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { ACTION_NAMES, type Action, type Choice } from './decisions.ts';
import { leaveEntry } from './entry-keys.ts';
import { ActionButton, Change, Closing, Entry, EntryPicture } from './quarantine-parts.tsx';
import { Sparkline } from './sparkline.tsx';

/** The groups, and the decisions, on a page. */
const PAGE_SIZE = 8;

interface GroupsOf {
  readonly by: 'set-rule' | 'source' | 'decision';
  readonly choice: Choice;
  /** Decides on a group. Resolves once the page shows the outcome. */
  onDecide(action: Action, group: Choice & { readonly upTo: number }): Promise<void>;
}

interface GroupListProps extends GroupsOf {
  readonly groups: readonly QuarantineGroup[];
  /** Called once a decision is made. */
  onDone(): void;
}

/** Groups, with buttons that decide on a whole group after a confirmation. */
function GroupList({ groups, by, choice, onDecide, onDone }: GroupListProps) {
  const [asked, setAsked] = useState<{ action: Action; group: QuarantineGroup }>();
  const [doneCount, setDone] = useState(0);
  // In an effect, the dialog is already closed and has returned the focus to the group.
  useEffect(() => {
    if (doneCount === 0) return;
    leaveEntry();
    onDone();
  }, [doneCount]);
  const decide = async () => {
    if (!asked) return;
    const { action, group } = asked;
    await onDecide(action, { ...choiceOf(by, choice, group), upTo: group.lastId });
  };
  return (
    <>
      <ul class="entries">
        {groups.map((group) => (
          <GroupItem
            key={`${group.name} ${group.set} ${group.rule} ${group.sources.join(' ')}`}
            group={group}
            href={withQuery(PAGES.quarantine, { ...choiceOf(by, choice, group), show: 'each' })}
            onAsk={(action) => setAsked({ action, group })}
          />
        ))}
      </ul>
      {asked && (
        <GroupDialog
          {...asked}
          onConfirm={decide}
          onClose={() => setAsked(undefined)}
          onDone={() => setDone(doneCount + 1)}
        />
      )}
    </>
  );
}

/** The most important decisions, by the money at stake. */
export function QuarantineDigest({ onDecide }: Pick<GroupsOf, 'onDecide'>) {
  const loaded = useData<QuarantineDigestBody>('/dashboard/operator/quarantine/digest', {
    refetchOnVisible: true,
  });
  return (
    <Fetched of={loaded}>
      {({ data, total, entries }) => (
        <div aria-busy={loaded.isLoading}>
          <p role="status">
            {total === 0
              ? 'Nothing waits for a decision.'
              : `${formatCount(entries)} prices wait for ${formatCount(total)} decisions. Those ` +
                'with the most money at stake come first.'}
          </p>
          <GroupList
            groups={data}
            by="decision"
            choice={{}}
            onDecide={onDecide}
            onDone={loaded.refetch}
          />
        </div>
      )}
    </Fetched>
  );
}

interface QuarantineGroupsProps extends GroupsOf {
  readonly by: 'set-rule' | 'source';
  /** The view of the page, from its address. */
  readonly show: string;
}

/** The quarantined prices in groups with common properties, with one decision for a whole group. */
export function QuarantineGroups({ by, show, choice, onDecide }: QuarantineGroupsProps) {
  return (
    <PagedList<QuarantineGroupsBody>
      call={withQuery('/dashboard/operator/quarantine/groups', { ...choice, by })}
      address={withQuery(PAGES.quarantine, { ...choice, show })}
      what="groups"
      limit={PAGE_SIZE}
    >
      {({ data }, refetch) => (
        <GroupList groups={data} by={by} choice={choice} onDecide={onDecide} onDone={refetch} />
      )}
    </PagedList>
  );
}

/** Returns the filters that select the entries of a group, including the current ones. */
function choiceOf(
  by: GroupsOf['by'],
  choice: Choice,
  { name, set, rule, sources }: QuarantineGroup,
): Choice {
  if (by === 'source') return { ...choice, source: name ?? '' };
  const source = by === 'decision' ? sources[0] : choice.source;
  return { ...choice, ...(source && { source }), set: String(set ?? 0), rule: rule ?? '' };
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
  onDone(): void;
}

function GroupDialog({ action, group, ...handlers }: DialogProps) {
  return (
    <ConfirmDialog
      title={`${ACTION_NAMES[action]} ${formatCount(group.count)} prices`}
      action={ACTION_NAMES[action]}
      {...handlers}
    >
      <p>
        All prices that wait now: <bdi>{nameOf(group)}</bdi>.{' '}
        {action === 'approve'
          ? 'They are served immediately, except impossible prices. You can undo this ' +
            'for a week, unless their source reports them again first.'
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
  const { name, game, rule, count, sentence, oldest, closesOn, examples } = group;
  const link = count === 1 ? 'See it' : `See each of ${formatCount(count)}`;
  return (
    <Entry
      heading={<bdi>{name ?? 'No set'}</bdi>}
      facts={[rule, game && gameName(game)].filter(Boolean).join(' · ')}
    >
      <p>
        <bdi>{sentence}</bdi>
      </p>
      <ul class="examples">
        {examples.map((item) => (
          <Example key={item.id} item={item} />
        ))}
      </ul>
      <p class="quiet">
        The oldest is from <Age iso={oldest} />.{' '}
        <Closing of={count === 1 ? 'It' : 'The first'} closesOn={closesOn} />
      </p>
      <div class="entry-actions">
        {(['approve', 'reject'] as const).map((action) => (
          <ActionButton
            key={action}
            action={action}
            of={`all of ${nameOf(group)}`}
            suffix=" all…"
            onClick={() => onAsk(action)}
          />
        ))}
        <a class="button" href={href} aria-label={`${link}: ${nameOf(group)}`}>
          {link}
        </a>
      </div>
    </Entry>
  );
}

function Example({ item }: { readonly item: QuarantinedItem }) {
  const { cardName, detail, printing } = item;
  return (
    <li>
      <EntryPicture item={item} />
      <span>
        <span class="clamped">
          <bdi>{cardName ?? detail}</bdi>
          {cardName !== null && printing !== null && `, ${printing}`}
        </span>
        <Change item={item} />
        <Sparkline item={item} />
      </span>
    </li>
  );
}

interface QuarantineDecisionsProps {
  /** Undoes a decision. Resolves once the page shows the outcome. */
  onUndo(decidedAt: string): Promise<void>;
}

/** The decisions, newest first, each with a button that undoes it. */
export function QuarantineDecisions({ onUndo }: QuarantineDecisionsProps) {
  return (
    <PagedList<DecisionsBody>
      call="/dashboard/operator/quarantine/decisions"
      address={withQuery(PAGES.quarantine, { show: 'decisions' })}
      what="decisions"
      limit={PAGE_SIZE}
    >
      {({ data }, refetch) => (
        <>
          <p class="hint">
            You can undo an approval for a week, and each of its prices until its source reports it
            again. After that, roll back the source. You can undo a rejection at any time.
          </p>
          <ul class="entries">
            {data.map((decision) => (
              <DecisionItem
                key={`${decision.decision} ${decision.decidedAt}`}
                decision={decision}
                onUndo={() => {
                  leaveEntry();
                  onUndo(decision.decidedAt).then(refetch);
                }}
              />
            ))}
          </ul>
        </>
      )}
    </PagedList>
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
    <Entry
      heading={`${verb} ${formatCount(count)}`}
      facts={
        <>
          <Age iso={decidedAt} /> · {rules.join(', ')}
        </>
      }
    >
      <p class="clamped">
        <bdi>{names}</bdi>
        {more}
      </p>
      <div class="entry-actions">
        <ActionButton
          action="undo"
          of={`the decision: ${verb} ${formatCount(count)}, ${names}`}
          onClick={onUndo}
        />
      </div>
    </Entry>
  );
}
