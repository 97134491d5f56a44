import type { NotAsked } from './rows.ts';

/** Characters. Longer cells are no names and no titles either. */
export const MAX_LENGTH = 1000;

/** What is answered for a text that is too long; `what` begins the sentence. */
export function tooLong(what: string, text: string): NotAsked {
  const reason = `${what} has ${text.length} characters; at most ${MAX_LENGTH} are read.`;
  return { status: 'unreadable', reason };
}
