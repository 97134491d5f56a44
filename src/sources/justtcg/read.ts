import { Type } from 'typebox';
import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import type { FeedSource, Remote } from '../contract/source.ts';
import { findFile, kilobytes, type LocalFile, readChunks } from '../io/files.ts';
import { BadRecord, requireRecord } from '../io/json.ts';
import { MalformedJson, type MemberAction, readJsonMembers } from '../io/json-stream.ts';
import { decodeText, MalformedText, splitLines } from '../io/text.ts';
import { FeedBatcher } from '../kit/feed-batcher.ts';
import { gameNamed } from '../kit/games.ts';
import { compileResponseParser, Label } from '../kit/schema.ts';
import { describeSourceFile, observedAtOfFile } from '../kit/source-file.ts';
import { ADAPTER_VERSION, type AdaptOptions, adaptCard, parseCard } from './adapt.ts';

/**
 * Opens a file of responses of JustTCG's API, plain or packed by gzip; {@link readCards} finds the
 * cards in it. Every price has its own moment. The feed's moment is only that of the file.
 *
 * @throws OperatorError if it cannot be read.
 */
export const openJustTcg: OpenFeed = async (location, options) => {
  const file = await findFile(location);
  return {
    source: 'justtcg',
    observedAt: options.observedAt ?? observedAtOfFile(file, options.now),
    total: kilobytes(file.size),
    unit: 'KB',
    file: await describeSourceFile(ADAPTER_VERSION, file),
    batches: () => readBatches(file, options),
  };
};

async function* readBatches(file: LocalFile, options: AdaptOptions): AsyncGenerator<FeedBatch> {
  const batcher = new FeedBatcher({ unreadable: (reason) => notJustTcgs(file, reason) });
  let chunks = readChunks(file);
  const open = () => {
    chunks = readChunks(file);
    return chunks;
  };
  try {
    for await (const { place, value } of readCards(open)) {
      const adapt = () => adaptCard(parseCard(requireRecord(value)), options);
      batcher.add(nameIn(value) ?? place, adapt);
      if (batcher.isFull) yield batcher.flush(kilobytes(chunks.bytesRead));
    }
  } catch (error) {
    if (!(error instanceof MalformedText || error instanceof MalformedJson)) throw error;
    throw notJustTcgs(file, error.message);
  }
  batcher.requireAnyRecord();
  yield batcher.end(file.path, kilobytes(chunks.bytesRead));
}

/** Returns the name of a card that may be broken, if it has one. */
function nameIn(value: unknown): string | undefined {
  const { name } = Object(value) as { name?: unknown };
  return typeof name === 'string' && name !== '' && !(value instanceof Error)
    ? name.slice(0, 100)
    : undefined;
}

function notJustTcgs({ path }: LocalFile, fault: string): OperatorError {
  return new OperatorError(`${path} has no responses of JustTCG: ${fault}.`);
}

/*
 * Cards in a file of responses of JustTCG's API: one response, an array of several, or one on each
 * line. Also reads cards without their response.
 */

/** A card as the API sent it. */
export interface CardRecord {
  /** Its position in the file: `line 3, card 7`. */
  readonly place: string;
  /** The parsed value; a BadRecord if it is not valid JSON. */
  readonly value: unknown;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Reads the cards of a file. `open` is called twice, because the first line is read beforehand to
 * see whether every line is a response.
 *
 * @throws MalformedText or MalformedJson if the file is not JSON, or is incomplete.
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

  /** Adds a chunk, and returns the part of it that belongs to later lines. */
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
    return new BadRecord('not valid JSON; it may be incomplete');
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

/** Takes the members of an array, or of `data` in an object. */
function choose([first = '', second]: readonly string[]): MemberAction {
  if (second !== undefined) return 'take';
  if (first === 'data') return 'enter';
  return /^\d+$/.test(first) ? 'take' : 'skip';
}

/** Yields the cards of a response. Any other value counts as a card. */
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

const NAME = 'JustTCG';

const parseGames = compileResponseParser(
  NAME,
  Type.Object({ data: Type.Array(Type.Object({ id: Label })) }),
);
const parsePage = compileResponseParser(NAME, Type.Object({ data: Type.Array(Type.Unknown()) }));

/** The most cards on a page. The free plan has smaller pages, and too few of them. */
const PAGE_SIZE = 100;

/** All pages of our games. JustTCG itself enforces the daily requests of an API key's plan. */
export const JUSTTCG_REMOTE: Remote = {
  base: 'https://api.justtcg.com/v1',
  pauseMs: 500,
  everyHours: 20,
  key: { in: 'header', name: 'x-api-key', required: true },
  content: { kind: 'pages', saveAs: 'justtcg.json', crawl: crawlGames },
};

function* crawlGames(keep: (item: unknown) => void): Generator<string, void, unknown> {
  const { data: games } = parseGames(yield 'games');
  for (const { id } of games) {
    if (gameNamed(id) === undefined) continue;
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const page = `cards?game=${encodeURIComponent(id)}&limit=${PAGE_SIZE}&offset=${offset}`;
      const { data } = parsePage(yield page);
      for (const card of data) keep(card);
      if (data.length < PAGE_SIZE) break;
    }
  }
}

export const JUSTTCG: FeedSource = {
  name: 'justtcg',
  summary: 'Prices by condition and printing, of every game.',
  takes: "Responses of JustTCG's API: one, several in a list, or one on each line.",
  example: 'cards.json',
  open: openJustTcg,
  remote: JUSTTCG_REMOTE,
};
