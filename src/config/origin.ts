import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../domain/errors.ts';
import type { Setting } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting, and where it comes from. */
export interface Origin {
  readonly text: string;
  readonly from: 'flag' | 'variable' | 'file' | 'credential' | 'default';
  /** The flag, variable or file, for messages. */
  readonly place: string;
}

/** The largest file that a setting is read from, in bytes. */
const MAX_BYTES = 64 * 1024;

/**
 * Finds the text of a setting. The first of these wins: the flag, the variable, the default. For
 * a secret, two more places come before the default: the file named by the variable with `_FILE`,
 * then the systemd credential with the variable's name.
 *
 * @throws OperatorError if the file cannot be read, or if both variables are set.
 */
export function originOf(
  definition: Setting<unknown>,
  flag: string | undefined,
  environment: Environment,
): Origin {
  const { variable } = definition;
  if (flag !== undefined) {
    return { text: flag, from: 'flag', place: definition.flag?.split(' ')[0] ?? variable };
  }
  const text = environment[variable];
  const secret = definition.secret ? secretOf(variable, environment) : undefined;
  if (text && secret?.from === 'file') {
    throw new OperatorError(`Both ${variable} and ${variable}_FILE are set; unset one of them.`);
  }
  if (text) return { text, from: 'variable', place: variable };
  return secret ?? { text: definition.default, from: 'default', place: variable };
}

function secretOf(variable: string, environment: Environment): Origin | undefined {
  const file = environment[`${variable}_FILE`];
  if (file) return { text: readSecret(file, `${variable}_FILE`), from: 'file', place: file };
  const folder = environment.CREDENTIALS_DIRECTORY;
  if (!folder) return undefined;
  const credential = join(folder, variable);
  const text = readSecret(credential);
  return text === undefined ? undefined : { text, from: 'credential', place: credential };
}

/**
 * Returns the text of a file without its last line break. Without `named` the file may be missing.
 */
function readSecret(file: string, named: string): string;
function readSecret(file: string): string | undefined;
function readSecret(file: string, named?: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    return bytes.toString('utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${named ?? file} cannot be read: ${reason}.`, { cause: error });
  }
}
