import { useId, useMemo, useState } from 'preact/hooks';
import { dashboardPath, gameSetsApiPath, setApiPath } from '../api/links.ts';
import type { SetBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { CardName } from '../cards/parts.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { CLOSED } from '../ui/list-state.ts';
import { findSets } from './find-sets.ts';

/** The most sets in the list. To find others, the reader types more. */
const MAX_OPTIONS = 60;

interface SetFieldProps {
  /** The setId of the selected set, or a name or code from an address; empty for all sets. */
  readonly value: string;
  /** The slug of the game; empty if a set is selected without a game. */
  readonly game: string;
  /** Called with the setId of the selected set, or an empty text for all sets. */
  onChange(set: string): void;
}

/**
 * Selects a set by a part of its name or code. The typed text itself selects nothing and is dropped
 * when the reader leaves the box.
 */
export function SetField({ value, game, onChange }: SetFieldProps) {
  const id = useId();
  const [wasEntered, setEntered] = useState(false);
  const sets = useSets(wasEntered ? game : '');
  const name = useSetName(value, sets);
  /** The text that the reader is typing; undefined while the box shows the selected set. */
  const [typed, setTyped] = useState<string>();
  const [list, setList] = useState(CLOSED);
  const found = useMemo(() => {
    return sets && list.isOpen ? findSets(sets, typed ?? '').slice(0, MAX_OPTIONS) : [];
  }, [sets, typed, list.isOpen]);
  const select = (set: string) => {
    setTyped(undefined);
    if (set !== value) onChange(set);
  };
  const isCleared = typed?.trim() === '';
  return (
    <div class="field set-field">
      <label for={id}>Set</label>
      <Combobox
        box={{
          id,
          placeholder: 'All sets',
          value: typed ?? name,
          onClick: () => setList({ isOpen: true, active: -1 }),
          onFocus: ({ currentTarget }) => {
            setEntered(true);
            currentTarget.select();
          },
        }}
        list={list}
        onList={setList}
        items={found}
        keyOf={({ setId }) => setId}
        render={optionOf}
        label="Sets"
        look="options"
        onText={(text) => {
          setTyped(text);
          setList({ isOpen: true, active: text.trim() === '' ? -1 : 0 });
        }}
        onSelect={({ setId }) => select(setId)}
        onEnter={() => {
          if (!isCleared) return;
          setList(CLOSED);
          select('');
        }}
        onEscape={() => {
          setList(CLOSED);
          setTyped(undefined);
        }}
        onLeave={() => (isCleared ? select('') : setTyped(undefined))}
      />
      <div role="status">
        {sets && list.isOpen && typed && found.length === 0 && (
          <div class="options">
            <p>No set has this name or code.</p>
          </div>
        )}
      </div>
    </div>
  );
}

function optionOf({ code, name, releaseDate }: SetBody) {
  return (
    <>
      <CardName name={name} />{' '}
      <span class="quiet">
        <bdi>{code}</bdi> {releaseDate?.slice(0, 4)}
      </span>
    </>
  );
}

/** Returns the sets of a game. They are fetched on demand, because a game can have a thousand. */
function useSets(game: string): readonly SetBody[] | undefined {
  const wanted = game === '' ? null : dashboardPath(gameSetsApiPath(game));
  const { body, path } = useData<{ data: SetBody[] }>(wanted);
  return path === wanted ? body?.data : undefined;
}

/** Returns the name of a set, from `sets` or fetched. An unknown setId is returned unchanged. */
function useSetName(set: string, sets: readonly SetBody[] = []): string {
  const known = sets.find(({ setId }) => setId === set);
  const wanted = set === '' || known ? null : dashboardPath(setApiPath(set));
  const { body, path } = useData<{ data: SetBody }>(wanted);
  const fetched = path === wanted ? body?.data : undefined;
  return (known ?? fetched)?.name ?? set;
}
