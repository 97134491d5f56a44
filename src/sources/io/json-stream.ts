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
} from './json-text.ts';

export { decodeUtf8, parseJson } from './json-text.ts';

/**
 * JSON that is too large for a string: found in the bytes as they come is where each member of
 * the containers that matter begins and ends, and only that much is parsed at a time.
 */

/** What becomes of a member: its own members are looked at, it is parsed, or it is passed over. */
export type MemberAction = 'enter' | 'take' | 'skip';

/**
 * Decides by the way to a member, from the outermost container on: names of members of objects,
 * and of those of arrays their places, from 0. A member that is entered but is neither object nor
 * array is taken.
 */
export type ChooseAction = (path: readonly string[]) => MemberAction;

export interface JsonMember {
  readonly path: readonly string[];
  /** What was parsed of it; a BadRecord where that could not be done. */
  readonly value: unknown;
}

/** Bytes that are not one object or array of JSON. What is passed over is not looked into. */
export class MalformedJson extends Error {}

/**
 * The members that are taken, in their order, as many at a time as a piece holds. A piece may be
 * overwritten once the next is asked for.
 *
 * @throws MalformedJson when the whole is not JSON, or breaks off.
 */
export async function* readJsonMembers(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  choose: ChooseAction,
): AsyncGenerator<readonly JsonMember[]> {
  const scanner = new Scanner(choose);
  for await (const piece of pieces) {
    const members = scanner.push(piece);
    if (members.length > 0) yield members;
  }
  scanner.end();
}

/** What may come next in a container that is entered. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'end';

interface Container {
  readonly closes: number;
  /** Its members so far; in an array that is the place of the next. */
  count: number;
}

class Scanner {
  readonly #choose: ChooseAction;
  readonly #containers: Container[] = [];
  /** The way to the member that is read; one longer than there are containers around it. */
  readonly #path: string[] = [];
  #expected: Expected = 'value';
  /** The name or the member that is being read over, if any. */
  #span: PartialJson | undefined;
  #found: JsonMember[] = [];
  #piece: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(choose: ChooseAction) {
    this.#choose = choose;
  }

  /** The members that end in this piece. */
  push(piece: Uint8Array): readonly JsonMember[] {
    this.#found = [];
    this.#piece = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let at = this.#hasBegun ? 0 : this.#skipMark();
    while (at < piece.length) {
      at = this.#span ? this.#readSpan(this.#span, at) : this.#readStructure(at);
    }
    if (this.#span && !this.#span.hold(this.#piece)) {
      throw new MalformedJson(`/${this.#path.join('/')} is longer than a member can be`);
    }
    return this.#found;
  }

  /** @throws MalformedJson when there had to be more. */
  end(): void {
    if (this.#expected !== 'end') throw new MalformedJson('it breaks off in the middle');
  }

  /** Some put a byte order mark first. */
  #skipMark(): number {
    this.#hasBegun = true;
    return this.#piece.indexOf('\ufeff') === 0 ? 3 : 0;
  }

  /** Reads one byte between the members. */
  #readStructure(at: number): number {
    const byte = this.#piece[at] ?? 0;
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
        throw new MalformedJson('it goes on after its end');
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
    this.#span = new PartialJson(byte, at, isKept);
    return at + 1;
  }

  #readSpan(span: PartialJson, from: number): number {
    const end = span.endIn(this.#piece, from);
    if (end === -1) return this.#piece.length;
    this.#span = undefined;
    const value = span.value(this.#piece, end);
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
