import { OperatorError } from '../../domain/errors.ts';
import type { OpenFeed } from '../contract/feed.ts';
import { BadRecord } from '../io/bad-record.ts';
import { readWholeFile } from '../io/bytes.ts';
import { findFiles, type LocalFile } from '../io/files.ts';
import { isJsonFileName, openJsonRecordFiles } from '../kit/json-records.ts';
import { adaptCard, newestUpdate } from './adapt.ts';
import { parseCard, parseSets, type RawSet } from './raw.ts';

/**
 * Opens pages of cards of the Pokémon TCG API or files of `pokemon-tcg-data`: a file or a folder.
 * The further file `sets` lists the sets of cards that come without theirs; a folder may contain
 * that list under a name that starts with `sets`.
 *
 * @throws OperatorError when the files cannot be read.
 */
export const openPokemonTcg: OpenFeed = async (location, options) => {
  const found = await findFiles(location, isJsonFileName);
  const isSetList = ({ name }: LocalFile) => found.length > 1 && name.startsWith('sets');
  const setLists = [...found.filter(isSetList), ...(await findSetLists(options.files.sets))];
  const context = {
    sets: await readSets(setLists),
    now: options.now,
    observedAt: options.observedAt,
  };
  const files = found.filter((file) => !isSetList(file));
  return openJsonRecordFiles(location, files, options, {
    name: 'pokemontcg',
    game: 'pokemon',
    description: 'a list of cards of the Pokémon TCG API',
    version: 1,
    parse: parseCard,
    label: ({ id, name }) => `${id} ${name}`,
    adapt: (raw) => adaptCard(raw, context),
    findObservedAt: (text) => newestUpdate(text, options.now),
    furtherFiles: setLists,
  });
};

async function findSetLists(location: string | undefined): Promise<LocalFile[]> {
  return location === undefined ? [] : findFiles(location, isJsonFileName);
}

async function readSets(files: readonly LocalFile[]): Promise<Map<string, RawSet>> {
  const sets = new Map<string, RawSet>();
  for (const file of files) {
    for (const set of await readSetList(file)) sets.set(set.id, set);
  }
  return sets;
}

async function readSetList(file: LocalFile): Promise<RawSet[]> {
  const bytes = await readWholeFile(file);
  try {
    return parseSets(unwrapList(JSON.parse(Buffer.from(bytes).toString())));
  } catch (error) {
    if (!(error instanceof BadRecord || error instanceof SyntaxError)) throw error;
    throw new OperatorError(
      `${file.path} is not the list of sets of the Pokémon TCG API: ${error.message}.`,
    );
  }
}

/** Returns the list itself, which the API wraps in an object. */
function unwrapList(content: unknown): unknown {
  return Array.isArray(content) ? content : Object(content).data;
}
