/**
 * Lines that a reader adds to their list on the pages of cards. The page of the list takes them.
 */

let added: { readonly owner: string; readonly lines: readonly string[] } = { owner: '', lines: [] };

/** Adds a line to an account's list. `owner` is its e-mail address, or empty for a visitor. */
export function addLine(owner: string, line: string): void {
  added = { owner, lines: [...linesOf(owner), line] };
}

/** Returns the lines added since the last call. */
export function takeLines(owner: string): readonly string[] {
  const lines = linesOf(owner);
  added = { owner, lines: [] };
  return lines;
}

/** A visitor who signs in keeps their lines. */
function linesOf(owner: string): readonly string[] {
  return added.owner === owner || added.owner === '' ? added.lines : [];
}
