import { OperatorError } from '../domain/errors.ts';
import type { GameSlug } from '../domain/games.ts';
import { findSets } from '../store/catalogue/find-sets.ts';
import type { SetRow } from '../store/catalogue/schema.ts';
import type { Store } from '../store/connect.ts';

/**
 * Returns the sets that an operator names as the API's filters do: the set of a setId, else all sets
 * of a code or a name.
 *
 * @throws OperatorError when there is none.
 */
export async function requireSets({ db }: Store, text: string, game?: GameSlug): Promise<SetRow[]> {
  const found = await findSets(db, text, game);
  if (found.length === 0) throw new OperatorError(`There is no set "${text}".`);
  return found;
}
