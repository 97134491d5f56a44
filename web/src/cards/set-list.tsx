import { useId, useMemo, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { TryIt } from '../account/try-it.tsx';
import { formatCount, formatMoney } from '../ui/format.ts';
import { SelectField } from '../ui/select-field.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { dashboardPath } from './links.ts';
import type { PageBody, SetBody } from './responses.ts';
import { MAX_ROWS } from './results/batches.ts';
import { LoadMore } from './results/load-more.tsx';
import { type Pages, usePages } from './results/use-pages.ts';
import { SetRows } from './set-rows.tsx';
import { groupSets, parseSetOrder, SET_ORDERS, type SetGroup } from './sets.ts';
import { parseSetsQuery, type SetsQuery, setsApiPath, setsQueryHref } from './sets-query.ts';
import { useScrollRestoration } from './use-scroll-restoration.ts';
import { useTypedText } from './use-typed-text.ts';

/** The sets of a game by year, with a box that filters them. */
export function SetList({ game }: { game: string }) {
  const { route } = useLocation();
  const addressed = parseSetsQuery(useRoute().query);
  const typed = useTypedText(addressed.q, (q) => {
    route(setsQueryHref(game, { ...addressed, q, page: 1 }), true);
  });
  const hasTyped = typed.text !== addressed.q;
  const query = hasTyped ? { ...addressed, q: typed.text, page: 1 } : addressed;
  const apiPath = setsApiPath(game, query);
  const pages = usePages<PageBody<SetBody>>(dashboardPath(apiPath));
  const isReady = pages.batches.length > 0 && pages.path === dashboardPath(apiPath);
  useScrollRestoration(setsQueryHref(game, query), isReady);
  return (
    <>
      <div class="toolbar">
        <FilterBox text={typed.text} onText={typed.type} onLeave={typed.flush} />
        <SelectField
          label="Sort by"
          value={query.sort}
          options={Object.entries(SET_ORDERS)}
          onChange={(selected) => {
            route(setsQueryHref(game, { ...query, sort: parseSetOrder(selected), page: 1 }));
          }}
        />
      </div>
      <FoundSets game={game} query={query} pages={pages} />
      <TryIt path={apiPath} />
    </>
  );
}

interface FilterBoxProps {
  readonly text: string;
  onText(text: string): void;
  onLeave(): void;
}

function FilterBox({ text, onText, onLeave }: FilterBoxProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Name or code</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        maxLength={200}
        dir="auto"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onBlur={onLeave}
      />
    </div>
  );
}

interface FoundSetsProps {
  readonly game: string;
  readonly query: SetsQuery;
  readonly pages: Pages<PageBody<SetBody>>;
}

function FoundSets({ game, query, pages }: FoundSetsProps) {
  const { batches, error, isLoading } = pages;
  const list = useRef<HTMLDivElement>(null);
  const sets = useMemo(() => batches.flatMap(({ data }) => data), batches);
  const [first] = batches;
  if (!first) return <Loading error={error} />;
  const { total, offset } = first;
  return (
    <div ref={list} aria-busy={isLoading}>
      <PermanentError error={error} />
      <p role="status" class="count">
        {total === 1 ? '1 set' : `${formatCount(total)} sets`}
      </p>
      <SetGroups
        groups={groupSets(sets, query.sort)}
        goesBack={offset > 0}
        goesOn={offset + sets.length < total}
      />
      <LoadMore
        pages={pages}
        list={list}
        shown={sets.length}
        offset={offset}
        total={total}
        hrefOf={(from) => setsQueryHref(game, { ...query, page: 1 + Math.floor(from / MAX_ROWS) })}
      />
    </div>
  );
}

interface GroupsProps {
  readonly groups: readonly SetGroup[];
  /** Whether the list has sets before these, and after these. */
  readonly goesBack: boolean;
  readonly goesOn: boolean;
}

/** Sets under their year. A year is summed up when all of its sets are there. */
function SetGroups({ groups, goesBack, goesOn }: GroupsProps) {
  return groups.map(({ title, sets }, index) => {
    const isCut = (goesBack && index === 0) || (goesOn && index === groups.length - 1);
    return (
      <section key={title} class="year">
        {title !== '' && (
          <h2>
            {title} {!isCut && <span class="quiet">{summarize(sets)}</span>}
          </h2>
        )}
        <SetRows sets={sets} label={title === '' ? 'Sets' : `Sets of ${title}`} />
      </section>
    );
  });
}

/** `12 sets, $4,310.25`: what one of each card costs. */
function summarize(sets: readonly SetBody[]): string {
  const count = sets.length === 1 ? '1 set' : `${formatCount(sets.length)} sets`;
  const value = sets.reduce((sum, set) => sum + (set.value ?? 0), 0);
  return value > 0 ? `${count}, ${formatMoney(value)}` : count;
}
