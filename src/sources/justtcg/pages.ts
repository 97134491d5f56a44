import { type MemberAction, readJsonMembers } from '../io/json-stream.ts';
import { decodeText, splitLines } from '../io/text.ts';
import { BadRecord } from '../kit/schema.ts';

/**
 * The cards in a file of answers: one answer, several in an array, or one a line. In place of an
 * answer there may be its cards alone.
 */

/** A card as it was sent, by its place in the file. */
export interface CardRecord {
  readonly place: string;
  /** What was parsed of it; a BadRecord where that could not be done. */
  readonly value: unknown;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * The cards of a file, `open` begins to read it. Its first line is read beforehand, to see whether
 * it is one of many.
 *
 * @throws MalformedText or MalformedJson when it is not JSON, or breaks off.
 */
export async function* readCards(open: () => Bytes): AsyncGenerator<CardRecord> {
  yield* (await isInLines(open())) ? cardsInLines(open()) : cardsInDocument(open());
}

/** A line that is longer is parsed only where it is one of many. */
const LONG_LINE_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Whether every line is to be parsed by itself, rather than the file as a whole. */
async function isInLines(bytes: Bytes): Promise<boolean> {
  const first = new FirstLine();
  for await (const piece of bytes) {
    const after = first.add(piece);
    if (first.isOver && !first.isLong) break;
    // Too long to be parsed if it is all there is: what follows it tells.
    if (after.some((byte) => byte > SPACE)) return true;
  }
  return !first.isLong && isObject(first.text);
}

/** The first line of a file, as it comes. */
class FirstLine {
  readonly #pieces: Buffer[] = [];
  #length = 0;
  isOver = false;

  get isLong(): boolean {
    return this.#length > LONG_LINE_BYTES;
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  /** Adds a piece, and gives what of it stands in other lines. */
  add(piece: Uint8Array): Uint8Array {
    if (this.isOver) return piece;
    const end = piece.indexOf(LINE_FEED);
    this.isOver = end !== -1;
    const own = this.isOver ? piece.subarray(0, end) : piece;
    this.#length += own.length;
    if (!this.isLong) this.#pieces.push(Buffer.from(own));
    return piece.subarray(own.length);
  }
}

function isObject(text: string): boolean {
  const value = parse(text.replace(/^\ufeff/, ''));
  const isNone = value instanceof BadRecord || Array.isArray(value);
  return typeof value === 'object' && value !== null && !isNone;
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

/** The members of an array, or those of the `data` of an object. */
function choose([first = '', second]: readonly string[]): MemberAction {
  if (second !== undefined) return 'take';
  if (first === 'data') return 'enter';
  return /^\d+$/.test(first) ? 'take' : 'skip';
}

/** The cards of an answer; what is no answer is taken for a card. */
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
