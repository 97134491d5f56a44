import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** Reads and writes a column that contains JSON. */
export interface JsonColumn<Content> {
  write(content: Content): string;
  /** @throws Error with the name of the column if the text is not JSON of this schema. */
  read(text: string): Content;
}

/**
 * Returns the reader and writer of a column. The schema lists the members that readers rely on.
 * Other members are kept.
 *
 * @param name Table and column, for messages.
 */
export function jsonColumn<Content>(name: string, schema: TSchema): JsonColumn<Content> {
  const checked = Compile(schema);
  return {
    write: (content) => JSON.stringify(content),
    read(text) {
      const content = parse(text);
      if (checked.Check(content)) return content as Content;
      throw new Error(`The column ${name} holds damaged JSON: ${text.slice(0, 80)}`);
    },
  };
}

/** Returns undefined for text that is not JSON. No JSON text parses to undefined. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
