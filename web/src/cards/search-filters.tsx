import { useId, useState } from 'preact/hooks';
import { useSession } from '../account/session.tsx';
import { useData } from '../api/use-data.ts';
import { SelectField } from '../ui/select-field.tsx';
import { dashboardPath, raritiesApiPath } from './links.ts';
import { PriceField } from './price-field.tsx';
import { rarityOptions } from './rarities.ts';
import type { RarityBody } from './responses.ts';
import { ViewSwitch } from './results/view-switch.tsx';
import type { View } from './results/views.ts';
import { countFilters, type SearchQuery, SORT_LABELS } from './search-query.ts';
import { SetField } from './set-field.tsx';

interface Props {
  readonly search: SearchQuery;
  readonly view: View;
  onView(view: View): void;
  onChange(change: Partial<SearchQuery>): void;
}

/**
 * The filters of a search, the order of its results and how they are shown. On a phone a button
 * opens the filters.
 */
export function SearchFilters({ search, view, onView, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const count = countFilters(search);
  return (
    <div class="toolbar">
      <button
        type="button"
        class="filters-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </button>
      <fieldset id={id} class={isOpen ? 'filters open' : 'filters'}>
        <legend class="sr-only">Narrow down</legend>
        <Filters search={search} onChange={onChange} />
      </fieldset>
      <SelectField
        label="Sort by"
        value={search.sort}
        options={Object.entries(SORT_LABELS)}
        onChange={(selected) => onChange({ sort: selected as SearchQuery['sort'] })}
      />
      <ViewSwitch view={view} onChange={onView} />
    </div>
  );
}

function Filters({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const { games } = useSession();
  const { game, set, rarity, prices } = search;
  const rarities = useRarities(game);
  return (
    <>
      <SelectField
        label="Game"
        value={game}
        options={[['', 'All games'], ...games.map(({ id, name }) => [id, name] as const)]}
        onChange={(selected) => onChange({ game: selected, set: '', rarity: '' })}
      />
      {(game || set) && (
        <SetField value={set} game={game} onChange={(selected) => onChange({ set: selected })} />
      )}
      {(game || rarity) && (
        <SelectField
          label="Rarity"
          value={rarity}
          options={rarityOptions(rarity, rarities)}
          onChange={(selected) => onChange({ rarity: selected })}
        />
      )}
      <PriceField prices={prices} onChange={(changed) => onChange({ prices: changed })} />
    </>
  );
}

/** The rarities of a game, as far as they are loaded. */
function useRarities(game: string): readonly RarityBody[] {
  const wanted = game === '' ? null : dashboardPath(raritiesApiPath(game));
  const { body, path } = useData<{ data: RarityBody[] }>(wanted);
  return (path === wanted ? body?.data : undefined) ?? [];
}
