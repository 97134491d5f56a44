import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { formatSpan } from '../../../src/domain/quarantined.ts';
import { useSession } from '../account/session.tsx';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { formatCount } from '../ui/format.ts';
import { Paging } from '../ui/paging.tsx';
import { Loading } from '../ui/status.tsx';
import { Age } from '../ui/time.tsx';
import { ACTION_NAMES, type Action, type Choice } from './decisions.ts';
import { Change } from './quarantine-list.tsx';
import type { QuarantinedItem, QuarantineGroup, QuarantineGroupsBody } from './responses.ts';
import { Sparkline } from './sparkline.tsx';

const PAGE_SIZE = 20;

interface Props {
  readonly by: 'set-rule' | 'source';
  /** What the page shows, as its address has it. */
  readonly show: string;
  readonly choice: Choice;
  /** Decides on a group; resolves once that is done or the page shows why it failed. */
  onDecide(action: Action, group: Choice & { readonly upTo: number }): Promise<void>;
}

/** The quarantined prices by what they have in common, with one decision for a whole group. */
export function QuarantineGroups({ by, show, choice, onDecide }: Props) {
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

/** What chooses the entries of a group, besides what was chosen before. */
function choiceOf(by: Props['by'], choice: Choice, { name, set, rule }: QuarantineGroup): Choice {
  if (by === 'source') return { ...choice, source: name ?? '' };
  return { ...choice, set: String(set ?? 0), rule: rule ?? '' };
}

/** What a group is called: its rule and its set, or its source. */
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
        All that waits now by <bdi>{nameOf(group)}</bdi>.{' '}
        {action === 'approve'
          ? 'They are served at once, but for those that no price can be. You can undo it until their source reports them anew, for a week.'
          : 'They are not listed again. You can undo it at any time.'}
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
  const { games } = useSession();
  const { name, game, count, rule, rules, sources, oldest, change, examples } = group;
  const gameName = games.find(({ id }) => id === game)?.name ?? game;
  return (
    <li>
      <div class="row">
        <strong class="clamped">
          <bdi>{name ?? 'Of no set'}</bdi>
        </strong>
        {gameName && <span class="quiet">{gameName}</span>}
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
