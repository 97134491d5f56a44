import { useId, useMemo } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { TryIt } from '../account/try-it.tsx';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { formatCount, formatMoney } from '../ui/format.ts';
import { SelectField } from '../ui/select-field.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { dashboardPath, gameSetsApiPath, setsHref } from './links.ts';
import type { SetBody } from './responses.ts';
import { SetRows } from './set-rows.tsx';
import { findSets, groupSets, parseSetOrder, SET_ORDERS, type SetOrder } from './sets.ts';
import { useScrollRestoration } from './use-scroll-restoration.ts';
import { useTypedText } from './use-typed-text.ts';

/** The sets of a game by year, with a box that filters them. */
export function SetList({ game }: { game: string }) {
  const { route } = useLocation();
  const { query } = useRoute();
  const order = parseSetOrder(query.sort);
  const hrefOf = (q: string, sort: SetOrder) => {
    return withQuery(setsHref(game), { q, sort: sort === 'newest' ? '' : sort });
  };
  const typed = useTypedText(query.q ?? '', (q) => route(hrefOf(q, order), true));
  const apiPath = gameSetsApiPath(game);
  const { body, error } = useData<{ data: SetBody[] }>(dashboardPath(apiPath));
  useScrollRestoration(hrefOf(typed.text, order), body !== undefined);
  if (!body) return <Loading error={error} />;
  return (
    <>
      <div class="toolbar">
        <FilterBox text={typed.text} onText={typed.type} onLeave={typed.flush} />
        <SelectField
          label="Sort by"
          value={order}
          options={Object.entries(SET_ORDERS)}
          onChange={(selected) => route(hrefOf(typed.text, parseSetOrder(selected)))}
        />
      </div>
      <PermanentError error={error} />
      <FoundSets sets={body.data} text={typed.text} order={order} />
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
  readonly sets: readonly SetBody[];
  readonly text: string;
  readonly order: SetOrder;
}

function FoundSets({ sets, text, order }: FoundSetsProps) {
  const found = useMemo(() => findSets(sets, text), [sets, text]);
  const groups = useMemo(() => groupSets(found, order), [found, order]);
  return (
    <>
      <p role="status" class="count">
        {found.length === 1 ? '1 set' : `${formatCount(found.length)} sets`}
      </p>
      {groups.map(({ title, sets: grouped }) => (
        <section key={title} class="year">
          {title !== '' && (
            <h2>
              {title} <span class="quiet">{summarize(grouped)}</span>
            </h2>
          )}
          <SetRows sets={grouped} label={title === '' ? 'Sets' : `Sets of ${title}`} />
        </section>
      ))}
    </>
  );
}

/** `12 sets, $4,310.25`: what one of each card costs. */
function summarize(sets: readonly SetBody[]): string {
  const count = sets.length === 1 ? '1 set' : `${formatCount(sets.length)} sets`;
  const value = sets.reduce((sum, set) => sum + (set.value ?? 0), 0);
  return value > 0 ? `${count}, ${formatMoney(value)}` : count;
}
