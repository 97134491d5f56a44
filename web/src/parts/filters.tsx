import type { TargetedEvent } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { useSession } from '../session.tsx';
import type { Filters as Choices } from './card-bodies.ts';
import { Choice } from './choice.tsx';
import { type Search, SORTS } from './filters-address.ts';

interface Props {
  readonly search: Search;
  /** What there is to choose of the game; undefined until that is known. */
  readonly choices: Choices | undefined;
  onChange(change: Partial<Search>): void;
}

/** What a search is narrowed down to, and its order. */
export function Filters({ search, choices, onChange }: Props) {
  const { games } = useSession();
  const { game, set, rarity, sort } = search;
  return (
    <fieldset class="filters">
      <legend class="unseen">Narrow down and sort</legend>
      <Choice
        label="Game"
        value={game}
        options={[['', 'All games'], ...games.map(({ id, name }) => [id, name] as const)]}
        onChoose={(chosen) => onChange({ game: chosen, set: '', rarity: '' })}
      />
      {(game || set) && (
        <SetChoice
          // Another set that the address says is shown even where the reader has typed in the box.
          key={`${game} ${set}`}
          value={set}
          sets={choices?.sets ?? []}
          onChoose={(chosen) => onChange({ set: chosen })}
        />
      )}
      {(game || rarity) && (
        <Choice
          label="Rarity"
          value={rarity}
          options={[['', 'All rarities'], ...rarityOptions(rarity, choices?.rarities ?? [])]}
          onChoose={(chosen) => onChange({ rarity: chosen })}
        />
      )}
      <Choice
        label="Sort by"
        value={sort}
        options={Object.entries(SORTS)}
        onChoose={(chosen) => onChange({ sort: chosen as Search['sort'] })}
      />
    </fieldset>
  );
}

/** The rarities, with the chosen one even while they are not known. */
function rarityOptions(chosen: string, known: readonly string[]) {
  const missing = chosen === '' || known.includes(chosen) ? [] : [chosen];
  return [...missing, ...known].map((rarity) => [rarity, rarity] as const);
}

interface SetChoiceProps {
  readonly value: string;
  readonly sets: Choices['sets'];
  onChoose(set: string): void;
}

/** A set, found by typing a part of its name: a game has up to a thousand. */
function SetChoice({ value, sets, onChoose }: SetChoiceProps) {
  const id = useId();
  const options = useMemo(
    () =>
      sets.map(({ code, name }) => <option key={`${code} ${name}`} value={name} label={code} />),
    [sets],
  );
  const type = ({ currentTarget, type }: TargetedEvent<HTMLInputElement>) => {
    const typed = currentTarget.value.trim();
    const isWhole = type === 'change' || typed === '' || sets.some(({ name }) => name === typed);
    if (isWhole && typed !== value) onChoose(typed);
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
        defaultValue={value}
        onInput={type}
        onChange={type}
      />
      <datalist id={`${id}-sets`}>{options}</datalist>
    </div>
  );
}
