import { OperatorError } from '../../domain/errors.ts';
import type { OpenFeed } from '../contract/feed.ts';
import { findFiles, type LocalFile, readWholeFile } from '../io/files.ts';
import { isJsonFileName, openJsonRecordFiles } from '../kit/json-records.ts';
import { BadRecord } from '../kit/schema.ts';
import { adaptCard, newestUpdate } from './adapt.ts';
import { parseCard, parseSets, type RawSet } from './raw.ts';

/**
 * Opens pages of cards of the Pokémon TCG API, or files of `pokemon-tcg-data`, a file or a folder
 * of such. Cards that come without their set find it in the further file `sets`; a folder may
 * have that, too, under a name that starts with `sets`.
 *
 * @throws OperatorError when they cannot be read.
 */
export const openPokemonTcg: OpenFeed = async (location, options) => {
  const found = await findFiles(location, isJsonFileName);
  const isSets = ({ name }: LocalFile) => found.length > 1 && name.startsWith('sets');
  const sets = [...found.filter(isSets), ...(await findSets(options.files.sets))];
  const around = {
    sets: await readSets(sets),
    now: options.now,
    observedAt: options.observedAt,
  };
  const files = found.filter((file) => !isSets(file));
  return openJsonRecordFiles(location, files, options, {
    name: 'pokemontcg',
    game: 'pokemon',
    description: 'a list of cards of the Pokémon TCG API',
    version: 1,
    parse: parseCard,
    label: ({ id, name }) => `${id} ${name}`,
    adapt: (raw) => adaptCard(raw, around),
    findObservedAt: (text) => newestUpdate(text, options.now),
    furtherFiles: sets,
  });
};

async function findSets(location: string | undefined): Promise<LocalFile[]> {
  return location === undefined ? [] : findFiles(location, isJsonFileName);
}

async function readSets(files: readonly LocalFile[]): Promise<Map<string, RawSet>> {
  const sets = new Map<string, RawSet>();
  for (const file of files) {
    for (const set of await setsIn(file)) sets.set(set.id, set);
  }
  return sets;
}

async function setsIn(file: LocalFile): Promise<RawSet[]> {
  const bytes = await readWholeFile(file);
  try {
    return parseSets(listOf(JSON.parse(Buffer.from(bytes).toString())));
  } catch (error) {
    if (!(error instanceof BadRecord || error instanceof SyntaxError)) throw error;
    throw new OperatorError(
      `${file.path} is not the list of sets of the Pokémon TCG API: ${error.message}.`,
    );
  }
}

/** The API wraps its list, the files do not. */
function listOf(content: unknown): unknown {
  return Array.isArray(content) ? content : Object(content).data;
}
