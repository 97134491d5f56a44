import type { Kysely } from 'kysely';
import { readSetName } from '../../domain/card-name.ts';
import type { GameSlug } from '../../domain/games.ts';
import { foldText } from '../../domain/text.ts';
import type { Database, SetRow } from './schema.ts';

/**
 * Returns the sets that a text refers to, in the same way as the filters of the API: the set with
 * this setId, otherwise all sets with this code or name. Ignores case, accents and a code before
 * the name.
 */
export async function findSets(
  db: Kysely<Database>,
  text: string,
  game?: GameSlug,
): Promise<SetRow[]> {
  const all = await db.selectFrom('sets').selectAll().execute();
  const sets = game === undefined ? all : all.filter((set) => set.game === game);
  const byId = sets.filter((set) => set.public_set_id === text.trim().toLowerCase());
  const wanted = foldText(text);
  return byId.length > 0 ? byId : sets.filter((set) => labelsOf(set).includes(wanted));
}

function labelsOf({ code, name }: SetRow): string[] {
  return [code, name, readSetName(name).name].map(foldText);
}
