import { openList, type ReadOptions } from '../../src/commands/resolve/open.ts';
import type { InputRow } from '../../src/commands/resolve/rows.ts';

/** The result of reading a file: its columns, its rows and the messages for the operator. */
export interface ReadList {
  readonly columns: readonly string[];
  readonly rows: readonly InputRow[];
  readonly notes: readonly string[];
}

/** Reads a file of this name and content like `cardprice resolve`. */
export async function readList(
  content: string | Buffer,
  { name = 'cards', ...options }: Partial<ReadOptions> & { readonly name?: string } = {},
): Promise<ReadList> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const list = await openList({ name, bytes }, { chosen: new Map(), ...options });
  return { columns: list.columns, rows: await Array.fromAsync(list.rows), notes: list.notes };
}

/** Returns, for each row of a file, the requested item or why there is none. */
export async function asksOf(...read: Parameters<typeof readList>): Promise<unknown[]> {
  const { rows } = await readList(...read);
  return rows.map(({ asks }) => ('item' in asks ? asks.item : `${asks.status}: ${asks.reason}`));
}
