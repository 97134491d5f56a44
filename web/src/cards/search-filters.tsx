import type { TargetedEvent } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { useSession } from '../account/session.tsx';
import { SelectField } from '../ui/select-field.tsx';
import type { FiltersBody } from './responses.ts';
import { type SearchQuery, SORT_LABELS, setFilter, setName } from './search-query.ts';

interface Props {
  readonly search: SearchQuery;
  /** The sets and rarities of the game; undefined until they are loaded. */
  readonly options: FiltersBody | undefined;
  onChange(change: Partial<SearchQuery>): void;
}

/** The filters of a search, and the order of its results. */
export function SearchFilters({ search, options, onChange }: Props) {
  const { games } = useSession();
  const { game, set, rarity, sort } = search;
  return (
    <fieldset class="filters">
      <legend class="sr-only">Narrow down and sort</legend>
      <SelectField
        label="Game"
        value={game}
        options={[['', 'All games'], ...games.map(({ id, name }) => [id, name] as const)]}
        onChange={(selected) => onChange({ game: selected, set: '', rarity: '' })}
      />
      {(game || set) && (
        <SetField
          // The key makes the box show a set that comes from the address, whatever was typed in it.
          key={`${game} ${setName(set, options?.sets ?? [])}`}
          value={set}
          sets={options?.sets ?? []}
          onChange={(selected) => onChange({ set: selected })}
        />
      )}
      {(game || rarity) && (
        <SelectField
          label="Rarity"
          value={rarity}
          options={[['', 'All rarities'], ...rarityOptions(rarity, options?.rarities ?? [])]}
          onChange={(selected) => onChange({ rarity: selected })}
        />
      )}
      <SelectField
        label="Sort by"
        value={sort}
        options={Object.entries(SORT_LABELS)}
        onChange={(selected) => onChange({ sort: selected as SearchQuery['sort'] })}
      />
    </fieldset>
  );
}

/** Returns the known rarities, and the selected one even if it is not among them. */
function rarityOptions(selected: string, known: readonly string[]) {
  const missing = selected === '' || known.includes(selected) ? [] : [selected];
  return [...missing, ...known].map((rarity) => [rarity, rarity] as const);
}

interface SetFieldProps {
  readonly value: string;
  readonly sets: FiltersBody['sets'];
  onChange(set: string): void;
}

/** A set, found by typing a part of its name: a game has up to a thousand. */
function SetField({ value, sets, onChange }: SetFieldProps) {
  const id = useId();
  const options = useMemo(
    () => sets.map(({ setId, code, name }) => <option key={setId} value={name} label={code} />),
    [sets],
  );
  const update = ({ currentTarget, type }: TargetedEvent<HTMLInputElement>) => {
    const typed = currentTarget.value.trim();
    const isComplete = type === 'change' || typed === '' || sets.some(({ name }) => name === typed);
    const selected = setFilter(typed, sets);
    if (isComplete && selected !== value) onChange(selected);
  };
  return (
    <div>
      <label for={id}>Set</label>
      <input
        id={id}
        type="text"
        list={`${id}-sets`}
        autocomplete="off"
        placeholder="All sets"
        dir="auto"
        defaultValue={setName(value, sets)}
        onInput={update}
        onChange={update}
      />
      <datalist id={`${id}-sets`}>{options}</datalist>
    </div>
  );
}
