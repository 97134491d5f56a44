import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
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
import type { QuarantineGroup, QuarantineGroupsBody } from './responses.ts';

const PAGE_SIZE = 20;

interface Props {
  readonly by: string;
  readonly choice: Choice;
  /** Decides on a group; resolves once that is done or the page shows why it failed. */
  onDecide(action: Action, group: Choice & { readonly upTo: number }): Promise<void>;
}

/** The quarantined prices by what they have in common, with one decision for a whole group. */
export function QuarantineGroups({ by, choice, onDecide }: Props) {
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
    withQuery(PAGES.quarantine, { ...choice, by, offset: to || undefined });
  return (
    <div aria-busy={isLoading}>
      <ul class="quarantine">
        {body.data.map((group) => (
          <GroupItem
            key={`${group.name} ${group.set}`}
            group={group}
            href={withQuery(PAGES.quarantine, choiceOf(by, choice, group))}
            onAsk={(action) => setAsked({ action, group })}
          />
        ))}
      </ul>
      <Paging {...body} shown={body.data.length} what="groups" hrefOf={hrefOf} />
      {asked && (
        <ConfirmDialog
          title={`${ACTION_NAMES[asked.action]} ${formatCount(asked.group.count)} prices`}
          action={ACTION_NAMES[asked.action]}
          onConfirm={decide}
          onClose={() => setAsked(undefined)}
        >
          <p>
            All quarantined prices of <bdi>{asked.group.name ?? 'no set'}</bdi> that wait now.{' '}
            {asked.action === 'approve'
              ? 'They are served at once, but for those that no price can be.'
              : 'They are not listed again.'}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** What chooses the entries of a group, besides what was chosen before. */
function choiceOf(by: string, choice: Choice, { name, set }: QuarantineGroup): Choice {
  if (by === 'set') return { ...choice, set: String(set ?? '') };
  return { ...choice, [by]: name ?? '' };
}

interface ItemProps {
  readonly group: QuarantineGroup;
  /** The page with the entries of the group. */
  readonly href: string;
  onAsk(action: Action): void;
}

function GroupItem({ group, href, onAsk }: ItemProps) {
  const { games } = useSession();
  const { name, game, count, rules, sources, oldest, examples } = group;
  const gameName = games.find(({ id }) => id === game)?.name ?? game;
  return (
    <li>
      <div class="row">
        <strong>
          <bdi>{name ?? 'Of no set'}</bdi>
        </strong>
        {gameName && <span class="quiet">{gameName}</span>}
        <a href={href} aria-label={`see the ${formatCount(count)} of ${name ?? 'no set'}`}>
          {formatCount(count)}
        </a>
        {/* Without a set there is nothing by which the group could be decided on. */}
        {name !== null &&
          (['approve', 'reject'] as const).map((action) => (
            <button
              key={action}
              type="button"
              aria-label={`${ACTION_NAMES[action]} all of ${name}`}
              onClick={() => onAsk(action)}
            >
              {ACTION_NAMES[action]} all…
            </button>
          ))}
      </div>
      <p class="quiet">
        {rules.join(', ')} · {sources.join(', ')} · the oldest <Age iso={oldest} />
      </p>
      {examples.map((item) => (
        <p key={item.id}>
          <bdi>{item.cardName ?? item.detail}</bdi>
          {item.cardName !== null && item.printing !== null && ` (${item.printing})`}{' '}
          <Change item={item} />
        </p>
      ))}
    </li>
  );
}
