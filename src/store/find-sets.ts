import type { Kysely } from 'kysely';
import type { GameSlug } from '../domain/games.ts';
import { foldText } from '../domain/text.ts';
import { readSetsSince } from './catalogue.ts';
import type { Database, SetRow } from './schema.ts';

/**
 * Returns the sets that a text means: those of this code, else those of this name. Case and accents
 * do not count. Codes are not unique.
 */
export async function findSets(
  db: Kysely<Database>,
  text: string,
  game?: GameSlug,
): Promise<SetRow[]> {
  const all = await readSetsSince(db, -1);
  const sets = game === undefined ? all : all.filter((set) => set.game === game);
  const asked = foldText(text);
  const byCode = sets.filter(({ code }) => foldText(code) === asked);
  return byCode.length > 0 ? byCode : sets.filter(({ name }) => foldText(name) === asked);
}
