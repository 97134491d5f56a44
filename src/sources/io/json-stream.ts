import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  canBegin,
  isOpening,
  isSpace,
  OPEN_ARRAY,
  PartialJson,
  QUOTE,
} from './json.ts';

/**
 * Reads JSON that is longer than a string can be. Finds the start and end of the members of
 * interesting containers, and parses one member at a time.
 * `docs/adr/0014-libraries-kept-and-left.md` compares it with libraries.
 */

/** The action for a member: enter it, parse it, or skip it. */
export type MemberAction = 'enter' | 'take' | 'skip';

/**
 * Chooses the action for a member by its path from the outermost container: names of members of
 * objects, and positions in arrays, from 0. A member to enter is taken if it is neither object nor
 * array.
 */
export type ChooseAction = (path: readonly string[]) => MemberAction;

export interface JsonMember {
  readonly path: readonly string[];
  /** The parsed value; a BadRecord if it is not valid JSON. */
  readonly value: unknown;
}

/** Bytes that are not one object or array of JSON. Skipped members are not validated. */
export class MalformedJson extends Error {}

/**
 * Yields the taken members in order, one chunk at a time. The caller may overwrite a chunk once the
 * next one is requested.
 * @throws MalformedJson if the whole is not JSON, or breaks off.
 */
export async function* readJsonMembers(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  choose: ChooseAction,
): AsyncGenerator<readonly JsonMember[]> {
  const scanner = new JsonScanner(choose);
  for await (const chunk of chunks) {
    const members = scanner.push(chunk);
    if (members.length > 0) yield members;
  }
  scanner.end();
}

/**
 * Returns the taken members of JSON in memory, like {@link readJsonMembers}: an invalid member does
 * not affect the others.
 * @throws MalformedJson if the whole is not JSON, or breaks off.
 */
export function parseJsonMembers(bytes: Uint8Array, choose: ChooseAction): readonly JsonMember[] {
  const scanner = new JsonScanner(choose);
  const members = scanner.push(bytes);
  scanner.end();
  return members;
}

/** The possible next element in an entered container. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'end';

interface Container {
  readonly closes: number;
  /** The number of complete members; in an array, the position of the next one. */
  count: number;
}

class JsonScanner {
  readonly #choose: ChooseAction;
  readonly #containers: Container[] = [];
  /** The path of the current member, otherwise of its container. */
  readonly #path: string[] = [];
  #expected: Expected = 'value';
  /** The name or member whose end is being sought, if any. */
  #partial: PartialJson | undefined;
  #found: JsonMember[] = [];
  #chunk: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(choose: ChooseAction) {
    this.#choose = choose;
  }

  /** Returns the taken members that end in this chunk. */
  push(chunk: Uint8Array): readonly JsonMember[] {
    this.#found = [];
    this.#chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = this.#hasBegun ? 0 : this.#skipByteOrderMark();
    while (at < chunk.length) {
      at = this.#partial ? this.#readPartial(this.#partial, at) : this.#readStructure(at);
    }
    if (this.#partial && !this.#partial.keep(this.#chunk)) {
      throw new MalformedJson(`/${this.#path.join('/')} is longer than a member can be`);
    }
    return this.#found;
  }

  /** @throws MalformedJson if the JSON is not complete. */
  end(): void {
    if (this.#expected !== 'end') throw new MalformedJson('it breaks off in the middle');
  }

  #skipByteOrderMark(): number {
    this.#hasBegun = true;
    return this.#chunk.indexOf('\ufeff') === 0 ? 3 : 0;
  }

  /** Reads one byte between members; returns the position after it. */
  #readStructure(at: number): number {
    const byte = this.#chunk[at] ?? 0;
    if (isSpace(byte)) return at + 1;
    switch (this.#expected) {
      case 'value or end':
      case 'value':
        return this.#readValueStart(at, byte);
      case 'key or end':
      case 'key':
        return this.#readKeyStart(at, byte);
      case 'colon':
        if (byte !== COLON) throw unexpected(byte);
        this.#expected = 'value';
        return at + 1;
      case 'comma or end':
        return this.#readMemberEnd(at, byte);
      case 'end':
        throw new MalformedJson('it continues after its end');
    }
  }

  #readValueStart(at: number, byte: number): number {
    if (byte === CLOSE_ARRAY && this.#expected === 'value or end') return this.#close(at);
    const container = this.#containers.at(-1);
    if (container?.closes === CLOSE_ARRAY) this.#path.push(String(container.count));
    if (!container && !isOpening(byte)) {
      throw new MalformedJson('it is neither an object nor an array');
    }
    const choice = container ? this.#choose([...this.#path]) : 'enter';
    if (choice === 'enter' && isOpening(byte)) return this.#open(at, byte);
    return this.#begin(at, byte, choice !== 'skip');
  }

  #open(at: number, byte: number): number {
    const isArray = byte === OPEN_ARRAY;
    this.#containers.push({ closes: isArray ? CLOSE_ARRAY : CLOSE_OBJECT, count: 0 });
    this.#expected = isArray ? 'value or end' : 'key or end';
    return at + 1;
  }

  #readKeyStart(at: number, byte: number): number {
    if (byte === CLOSE_OBJECT && this.#expected === 'key or end') return this.#close(at);
    if (byte !== QUOTE) throw unexpected(byte);
    return this.#begin(at, byte, true);
  }

  #readMemberEnd(at: number, byte: number): number {
    const container = this.#containers.at(-1);
    if (byte === container?.closes) return this.#close(at);
    if (byte !== COMMA) throw unexpected(byte);
    this.#expected = container?.closes === CLOSE_ARRAY ? 'value' : 'key';
    return at + 1;
  }

  #close(at: number): number {
    this.#containers.pop();
    this.#endMember();
    return at + 1;
  }

  #endMember(): void {
    const container = this.#containers.at(-1);
    if (container) container.count += 1;
    this.#path.pop();
    this.#expected = container ? 'comma or end' : 'end';
  }

  #begin(at: number, byte: number, isKept: boolean): number {
    if (!canBegin(byte)) throw unexpected(byte);
    this.#partial = new PartialJson(byte, at, isKept);
    return at + 1;
  }

  #readPartial(partial: PartialJson, from: number): number {
    const end = partial.endIn(this.#chunk, from);
    if (end === -1) return this.#chunk.length;
    this.#partial = undefined;
    const value = partial.parse(this.#chunk, end);
    if (this.#expected.startsWith('key')) {
      this.#path.push(nameOf(value));
      this.#expected = 'colon';
    } else {
      if (value !== undefined) this.#found.push({ path: [...this.#path], value });
      this.#endMember();
    }
    return end;
  }
}

function unexpected(byte: number): MalformedJson {
  const shown = byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `byte ${byte}`;
  return new MalformedJson(`it is not JSON: there is a ${shown} where none can be`);
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new MalformedJson('it is not JSON: the name of a member is broken');
}
