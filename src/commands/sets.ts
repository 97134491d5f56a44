import { readSetName } from '../domain/card-name.ts';
import { OperatorError } from '../domain/errors.ts';
import { foldText } from '../domain/text.ts';
import { type KnownSet, readSets } from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';

/**
 * Returns the sets that an operator names as the API's filters do: the set of a setId, else all sets
 * of a code or a name.
 *
 * @throws OperatorError when there is none.
 */
export async function requireSets(store: Store, text: string): Promise<KnownSet[]> {
  const sets = await readSets(store.db);
  const byId = sets.filter((set) => set.public_set_id === text.trim().toLowerCase());
  const wanted = foldText(text);
  const found = byId.length > 0 ? byId : sets.filter((set) => labelsOf(set).includes(wanted));
  if (found.length === 0) throw new OperatorError(`There is no set "${text}".`);
  return found;
}

function labelsOf({ code, name }: KnownSet): string[] {
  return [code, name, readSetName(name).name].map(foldText);
}
