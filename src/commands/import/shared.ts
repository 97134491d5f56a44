import { Option } from 'commander';
import { OperatorError } from '../../domain/errors.ts';
import { openWeb, type Tree, type WebOptions } from '../../sources/io/tree.ts';
import type { CommandContext } from '../context.ts';

/** What all imports share. */

/** The exit code of an import that skipped something and imported the rest. */
export const EXIT_INCOMPLETE = 3;

/** TCGCSV asks for about 100 ms between two requests. */
const PAUSE_MS = 100;

/** `--pause`, for commands that may ask a URL. */
export function pauseOption(): Option {
  const description = 'Milliseconds between two requests to a URL.';
  return new Option('--pause <ms>', description).default(String(PAUSE_MS));
}

/** The User-Agent header by which sources recognise this program. */
export function userAgent({ version }: CommandContext): string {
  return `cardprice/${version} (self-hosted card price service)`;
}

/** Opens a source on the web by TCGCSV's rules of use. */
export function openPolitely(
  context: CommandContext,
  url: string,
  pause: string,
  options: Partial<WebOptions> = {},
): Tree {
  if (!/^\d{1,5}$/.test(pause)) {
    throw new OperatorError(`--pause "${pause}" is not a number of milliseconds.`);
  }
  return openWeb(url, {
    userAgent: userAgent(context),
    pauseMs: Number(pause),
    ...options,
  });
}
