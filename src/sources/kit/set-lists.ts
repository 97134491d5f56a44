import { OperatorError } from '../../domain/errors.ts';
import { findFiles, type LocalFile, readWholeFile } from '../io/files.ts';
import { BadRecord } from '../io/json.ts';
import { isJsonFileName } from './json-records.ts';

/** Lists of sets that a source publishes separately from its cards. */

/** The files at a location: files of cards, and lists of sets. */
export interface CardFiles {
  readonly cards: readonly LocalFile[];
  readonly setLists: readonly LocalFile[];
}

/**
 * Finds the files of a location, and the lists of sets in `further`. A folder may contain such
 * lists under names that start with `prefix`.
 *
 * @throws OperatorError if a location cannot be read.
 */
export async function findCardFiles(
  location: string,
  prefix: string,
  further: string | undefined,
): Promise<CardFiles> {
  const found = await findFiles(location, isJsonFileName);
  const isSetList = ({ name }: LocalFile) => found.length > 1 && name.startsWith(prefix);
  const passed = further === undefined ? [] : await findFiles(further, isJsonFileName);
  return {
    cards: found.filter((file) => !isSetList(file)),
    setLists: [...found.filter(isSetList), ...passed],
  };
}

/**
 * Reads lists of sets: each file is a list, or an object with the list as `data`.
 *
 * @param description A description of the files, to complete "it is not …".
 * @throws OperatorError if one is anything else.
 */
export async function readSetLists<Raw>(
  files: readonly LocalFile[],
  parse: (content: unknown) => readonly Raw[],
  description: string,
): Promise<Raw[]> {
  const sets: Raw[] = [];
  for (const file of files) {
    const bytes = await readWholeFile(file);
    try {
      sets.push(...parse(unwrapList(JSON.parse(Buffer.from(bytes).toString()))));
    } catch (error) {
      if (!(error instanceof BadRecord || error instanceof SyntaxError)) throw error;
      throw new OperatorError(`${file.path} is not ${description}: ${error.message}.`);
    }
  }
  return sets;
}

function unwrapList(content: unknown): unknown {
  return Array.isArray(content) ? content : Object(content).data;
}
