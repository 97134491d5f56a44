import { OperatorError } from '../domain/errors.ts';
import type { GameSlug } from '../domain/games.ts';
import { findSets } from '../store/catalogue/find-sets.ts';
import type { SetRow } from '../store/catalogue/schema.ts';
import type { Store } from '../store/connect.ts';

/**
 * Returns the sets that a text names, like the filters of the API: the set with this setId, or all
 * sets with this code or name.
 *
 * @throws OperatorError if there is none.
 */
export async function requireSets({ db }: Store, text: string, game?: GameSlug): Promise<SetRow[]> {
  const found = await findSets(db, text, game);
  if (found.length === 0) throw new OperatorError(`There is no set "${text}".`);
  return found;
}
