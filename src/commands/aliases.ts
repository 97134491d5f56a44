import { readFile, stat } from 'node:fs/promises';
import { OperatorError } from '../domain/errors.ts';
import { type Alias, parseAliases } from '../search/index.ts';

const MAX_BYTES = 4_000_000;

/**
 * Reads the operator's own aliases from a UTF-8 file (`CARDPRICE_ALIASES`). Returns none for an
 * empty path.
 *
 * @throws OperatorError that names the unreadable file or the invalid line.
 */
export async function readAliases(path: string): Promise<readonly Alias[]> {
  if (path === '') return [];
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new OperatorError(`It has more than ${MAX_BYTES} bytes.`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return parseAliases(text);
  } catch (error) {
    throw new OperatorError(`${path}: ${reasonOf(error)} It is set by CARDPRICE_ALIASES.`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof TypeError) return 'It is not UTF-8 text.';
  return `The file of aliases cannot be read (${(error as NodeJS.ErrnoException).code}).`;
}
