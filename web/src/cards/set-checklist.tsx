import { formatCount } from '../ui/format.ts';
import { SelectField } from '../ui/select-field.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { dashboardPath } from './links.ts';
import { PriceField } from './price-field.tsx';
import { rarityOptions } from './rarities.ts';
import type { CardSummaryBody, PageBody, SetDetailBody } from './responses.ts';
import { MAX_ROWS } from './results/batches.ts';
import { CardPages } from './results/card-pages.tsx';
import { usePages } from './results/use-pages.ts';
import { ViewSwitch } from './results/view-switch.tsx';
import { useView } from './results/views.ts';
import {
  SET_SORT_LABELS,
  type SetQuery,
  type SetSort,
  setCardsApiPath,
  setQueryHref,
} from './set-query.ts';
import { useScrollRestoration } from './use-scroll-restoration.ts';

interface Props {
  readonly set: SetDetailBody;
  readonly query: SetQuery;
  onChange(change: Partial<SetQuery>): void;
}

/** All cards of a set, or those that filters leave. */
export function SetChecklist({ set, query, onChange }: Props) {
  const [view, setView] = useView();
  const { game, setId } = set;
  const path = dashboardPath(setCardsApiPath(setId, query));
  const pages = usePages<PageBody<CardSummaryBody>>(path);
  const [first] = pages.batches;
  const hrefOf = (page: number) => setQueryHref(game, setId, { ...query, page });
  useScrollRestoration(hrefOf(query.page), first !== undefined && pages.path === path);
  return (
    <section class="found" aria-labelledby="checklist" aria-busy={pages.isLoading}>
      <h2 id="checklist">Cards</h2>
      <div class="toolbar">
        <ChecklistFilters set={set} query={query} onChange={onChange} />
        <SelectField
          label="Sort by"
          value={query.sort}
          options={Object.entries(SET_SORT_LABELS)}
          onChange={(selected) => onChange({ sort: selected as SetSort })}
        />
        <ViewSwitch view={view} onChange={setView} />
      </div>
      <PermanentError error={pages.error} />
      {first ? (
        <>
          <p role="status" class="count">
            {first.total === 1 ? '1 card' : `${formatCount(first.total)} cards`}
          </p>
          <CardPages
            pages={pages}
            view={view}
            label="Cards of this set"
            without={WITHOUT}
            hrefOf={(offset) => hrefOf(1 + Math.floor(offset / MAX_ROWS))}
          />
        </>
      ) : (
        <Loading error={pages.error} />
      )}
    </section>
  );
}

/** What is the same for all cards of a set. */
const WITHOUT = ['set'] as const;

function ChecklistFilters({ set, query, onChange }: Props) {
  const { rarities, printings } = set;
  const { rarity, printing, prices } = query;
  return (
    <>
      {(rarities.length > 1 || rarity) && (
        <SelectField
          label="Rarity"
          value={rarity}
          options={rarityOptions(rarity, rarities)}
          onChange={(selected) => onChange({ rarity: selected })}
        />
      )}
      {(printings.length > 1 || printing) && (
        <SelectField
          label="Printing"
          value={printing}
          options={[['', 'All printings'], ...printingOptions(printing, printings)]}
          onChange={(selected) => onChange({ printing: selected })}
        />
      )}
      <PriceField prices={prices} onChange={(changed) => onChange({ prices: changed })} />
    </>
  );
}

/** The printings of a set, and the selected one even if it is not among them. */
function printingOptions(selected: string, known: readonly string[]) {
  const missing = selected === '' || known.includes(selected) ? [] : [selected];
  return [...missing, ...known].map((printing) => [printing, printing] as const);
}
