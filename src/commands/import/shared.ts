import { Option } from 'commander';
import { OperatorError } from '../../domain/errors.ts';
import { openWeb, type Tree, type WebOptions } from '../../sources/io/tree.ts';
import type { CommandContext } from '../context.ts';

/** What every import says and asks in the same way. */

/** What an import ends with when something was skipped: the rest is in, but look at it. */
export const EXIT_INCOMPLETE = 3;

/** TCGCSV asks for about 100 ms between two requests. */
const PAUSE_MS = 100;

/** `--pause`, for commands that may ask a URL. */
export function pauseOption(): Option {
  const description = 'Milliseconds between two requests to a URL.';
  return new Option('--pause <ms>', description).default(String(PAUSE_MS));
}

/** How sources are told who asks. */
export function userAgent({ version }: CommandContext): string {
  return `cardprice/${version} (self-hosted card price service)`;
}

/** A source on the web, asked as TCGCSV wants to be asked. */
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
