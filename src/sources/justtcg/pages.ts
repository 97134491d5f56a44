import { BadRecord } from '../io/bad-record.ts';
import { type MemberAction, readJsonMembers } from '../io/json-stream.ts';
import { decodeText, splitLines } from '../io/text.ts';

/**
 * Cards in a file of responses of JustTCG's API: one response, an array of several, or one a line.
 * In place of a response there may be the cards alone.
 */

/** A card as the API sent it. */
export interface CardRecord {
  /** Its position in the file: `line 3, card 7`. */
  readonly place: string;
  /** The parsed value; a BadRecord where it is not valid JSON. */
  readonly value: unknown;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Reads the cards of a file. `open` is called twice: the first line is read beforehand, to see
 * whether every line is a response.
 *
 * @throws MalformedText or MalformedJson when the file is not JSON, or breaks off.
 */
export async function* readCards(open: () => Bytes): AsyncGenerator<CardRecord> {
  yield* (await isInLines(open())) ? cardsInLines(open()) : cardsInDocument(open());
}

/** A longer first line is not parsed to see whether it is complete JSON. */
const LONG_LINE_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Whether every line is JSON by itself, rather than the file as a whole. */
async function isInLines(bytes: Bytes): Promise<boolean> {
  const first = new FirstLine();
  for await (const chunk of bytes) {
    const after = first.add(chunk);
    if (first.isOver && !first.isLong) break;
    // A first line too long to be parsed is one of many if text follows it.
    if (after.some((byte) => byte > SPACE)) return true;
  }
  return !first.isLong && isObject(first.text);
}

/** The first line of a file that arrives in chunks. */
class FirstLine {
  readonly #parts: Buffer[] = [];
  #length = 0;
  isOver = false;

  get isLong(): boolean {
    return this.#length > LONG_LINE_BYTES;
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString();
  }

  /** Adds a chunk; returns what of it belongs to later lines. */
  add(chunk: Uint8Array): Uint8Array {
    if (this.isOver) return chunk;
    const end = chunk.indexOf(LINE_FEED);
    this.isOver = end !== -1;
    const own = this.isOver ? chunk.subarray(0, end) : chunk;
    this.#length += own.length;
    if (!this.isLong) this.#parts.push(Buffer.from(own));
    return chunk.subarray(own.length);
  }
}

function isObject(text: string): boolean {
  const value = parse(text.replace(/^\ufeff/, ''));
  const isOther = value instanceof BadRecord || Array.isArray(value);
  return typeof value === 'object' && value !== null && !isOther;
}

async function* cardsInLines(bytes: Bytes): AsyncGenerator<CardRecord> {
  let number = 0;
  for await (const line of splitLines(decodeText(bytes))) {
    number += 1;
    if (line.trim() !== '') yield* cardsOf(`line ${number}`, parse(line));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return new BadRecord('not valid JSON; perhaps it is not whole');
  }
}

async function* cardsInDocument(bytes: Bytes): AsyncGenerator<CardRecord> {
  let number = 0;
  for await (const members of readJsonMembers(bytes, choose)) {
    for (const { value } of members) {
      number += 1;
      yield* cardsOf(`record ${number}`, value);
    }
  }
}

/** Takes the members of an array, or those of the `data` of an object. */
function choose([first = '', second]: readonly string[]): MemberAction {
  if (second !== undefined) return 'take';
  if (first === 'data') return 'enter';
  return /^\d+$/.test(first) ? 'take' : 'skip';
}

/** Yields the cards of a response; anything else is taken for a card. */
function* cardsOf(place: string, value: unknown): Generator<CardRecord> {
  const { data } = Object(value) as { data?: unknown };
  if (!Array.isArray(data)) {
    yield { place, value };
    return;
  }
  for (const [index, card] of data.entries()) {
    yield { place: `${place}, card ${index + 1}`, value: card };
  }
}
