import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** The one way to write and read a column that holds JSON. */
export interface JsonColumn<Content> {
  write(content: Content): string;
  /** @throws Error, with the name of the column, for text that is not such JSON. */
  read(text: string): Content;
}

/**
 * Returns the reader and the writer of a column. The schema lists what readers rely on; other
 * members are kept.
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

/** Undefined for text that is not JSON, which no JSON text is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
