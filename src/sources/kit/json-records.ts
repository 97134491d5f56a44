import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Feed, FeedBatch, FeedOptions } from '../contract/feed.ts';
import { kilobytes, readChunks } from '../io/bytes.ts';
import { findFiles, fingerprint, type LocalFile, readWholeFile } from '../io/files.ts';
import {
  decodeUtf8,
  MalformedJson,
  type MemberAction,
  parseJson,
  readJsonMembers,
} from '../io/json-stream.ts';
import { type AdaptedRecord, Gatherer } from './feed-batcher.ts';
import { observedAtOfFile } from './observed-at.ts';
import { BadRecord } from './schema.ts';

/** Sources that publish lists of records in JSON. */

/** A source whose records are all of one game. */
export interface JsonRecordSource<Raw> {
  readonly name: string;
  readonly game: GameSlug;
  /** What its files are, as in "it is not …". */
  readonly description: string;
  /** Raised when the adapter makes something else of the same file, which is then read anew. */
  readonly version: number;
  /** @throws BadRecord when the record is not of the shape that the source publishes. */
  parse(record: unknown): Raw;
  /** By what people recognise a record. */
  label(raw: Raw): string;
  /** @throws BadRecord when the record says what cannot be. */
  adapt(raw: Raw, observedAt: Millis): AdaptedRecord;
  /** The newest moment that a text names, where the source writes when prices were observed. */
  readonly findObservedAt?: (text: string) => Millis | undefined;
  /** Files on which depends, too, what is made of the records. */
  readonly furtherFiles?: readonly LocalFile[];
}

/** Whether a file of a folder is taken for one of records. */
export function isJsonFileName(name: string): boolean {
  return /\.json(\.gz)?$/i.test(name);
}

/**
 * Opens files of records: one, or all of a folder that end in `.json` or `.json.gz`. A file is a
 * list of records, an object that has the list as `data` or `results`, or a record alone.
 *
 * @throws OperatorError when there is none, it cannot be read, or the game is not wanted.
 */
export async function openJsonRecords<Raw>(
  location: string,
  options: FeedOptions,
  source: JsonRecordSource<Raw>,
): Promise<Feed> {
  const files = await findFiles(location, isJsonFileName);
  return openJsonRecordFiles(location, files, options, source);
}

/** Opens files of records that were found already; as {@link openJsonRecords}. */
export async function openJsonRecordFiles<Raw>(
  location: string,
  files: readonly LocalFile[],
  options: FeedOptions,
  source: JsonRecordSource<Raw>,
): Promise<Feed> {
  requireGame(source, options.games);
  if (files.length === 0) throw new OperatorError(`${location} holds no files that end in .json.`);
  const observedAt = options.observedAt ?? (await newestMoment(files, source, options.now));
  const { furtherFiles = [], version } = source;
  return {
    source: source.name,
    observedAt,
    total: kilobytes(files.reduce((sum, { size }) => sum + size, 0)),
    unit: 'KB',
    file: await fingerprint(location, version, [...files, ...furtherFiles]),
    batches: () => readBatches(location, files, source, observedAt),
  };
}

/**
 * Checks that a game is wanted that a source has.
 *
 * @throws OperatorError when it is not.
 */
export function requireGame(
  { name, game }: { readonly name: string; readonly game: GameSlug },
  wanted: readonly GameSlug[] | null,
): void {
  if (wanted === null || wanted.includes(game)) return;
  throw new OperatorError(`${name} has no cards of ${wanted.join(', ')}, only of ${game}.`);
}

/** What the files themselves say, or else their names or times of change. */
async function newestMoment<Raw>(
  files: readonly LocalFile[],
  { findObservedAt }: JsonRecordSource<Raw>,
  now: Millis,
): Promise<Millis> {
  const moments: Millis[] = [];
  for (const file of findObservedAt ? files : []) {
    for await (const text of textOf(file)) {
      const moment = findObservedAt?.(text);
      if (moment !== undefined) moments.push(moment);
    }
  }
  return Math.max(
    ...(moments.length > 0 ? moments : files.map((file) => observedAtOfFile(file, now))),
  );
}

/** No moment is written in more characters than this, its name and spaces included. */
const OVERLAP = 200;

/** The text of a file in pieces that overlap. */
async function* textOf(file: LocalFile): AsyncGenerator<string> {
  let before = '';
  for await (const piece of readChunks(file)) {
    const text = before + Buffer.from(piece).toString('latin1');
    yield text;
    before = text.slice(-OVERLAP);
  }
}

async function* readBatches<Raw>(
  location: string,
  files: readonly LocalFile[],
  source: JsonRecordSource<Raw>,
  observedAt: Millis,
): AsyncGenerator<FeedBatch> {
  const gatherer = new Gatherer();
  let before = 0;
  let unread = 0;
  for (const file of files) {
    try {
      for await (const { name, raw, done } of recordsOf(file, source)) {
        gatherer.take(name, () => source.adapt(fit(raw), observedAt));
        if (gatherer.isFull) yield gatherer.handOn(kilobytes(before + done));
      }
    } catch (error) {
      const fault = faultOf(error);
      unread += 1;
      if (unread === files.length) throw new OperatorError(`${location}: ${fault}.`);
      gatherer.isBroken(file.name, fault);
    }
    before += file.size;
  }
  yield gatherer.handOn(kilobytes(before));
}

/** @throws BadRecord when the record is one. */
function fit<Raw>(raw: Raw | BadRecord): Raw {
  if (raw instanceof BadRecord) throw raw;
  return raw;
}

/** The words for a file that could not be read; a failure of ours is not hidden behind them. */
function faultOf(error: unknown): string {
  const isFault =
    error instanceof BadRecord || error instanceof MalformedJson || error instanceof OperatorError;
  if (!isFault) throw error;
  return error.message.replace(/\.$/, '');
}

/** A record, or what is wrong with it. */
interface Found<Raw> {
  /** By what people recognise it: its place in its file, if nothing else is known of it. */
  readonly name: string;
  readonly raw: Raw | BadRecord;
  /** How many bytes of the file are read. */
  readonly done: number;
}

/** When none of so many records has its shape, the file is something else. */
const PROBED = 100;

/**
 * The records of a file, the first of them not before one is seen that has its shape.
 *
 * @throws BadRecord when the file is something else, MalformedJson when it is not whole.
 */
async function* recordsOf<Raw>(
  file: LocalFile,
  source: JsonRecordSource<Raw>,
): AsyncGenerator<Found<Raw>> {
  const unfit: Found<Raw>[] = [];
  let isOurs = false;
  for await (const found of parsedRecords(file, source)) {
    isOurs ||= !(found.raw instanceof BadRecord);
    unfit.push(found);
    if (isOurs) yield* unfit.splice(0);
    else if (unfit.length >= PROBED) break;
  }
  if (isOurs) return;
  const fault = unfit[0]?.raw instanceof BadRecord ? unfit[0].raw.message : 'it holds no records';
  throw new BadRecord(`it is not ${source.description}: ${fault}`);
}

async function* parsedRecords<Raw>(
  file: LocalFile,
  source: JsonRecordSource<Raw>,
): AsyncGenerator<Found<Raw>> {
  const pieces = readChunks(file);
  let number = 0;
  const found = (raw: Raw | BadRecord): Found<Raw> => {
    number += 1;
    const name = raw instanceof BadRecord ? `${file.name}, record ${number}` : source.label(raw);
    return { name, raw, done: pieces.bytesRead };
  };
  for await (const members of readJsonMembers(pieces, chooseRecords)) {
    for (const { value } of members) yield found(parsed(source, value));
  }
  if (number === 0) yield found(await onlyRecord(file, source));
}

/** A file longer than this is not one record alone. */
const MAX_RECORD_BYTES = 1024 * 1024;

/** The record that a whole file is, as APIs answer when they are asked for one. */
async function onlyRecord<Raw>(
  file: LocalFile,
  source: JsonRecordSource<Raw>,
): Promise<Raw | BadRecord> {
  if (file.size > MAX_RECORD_BYTES) return new BadRecord('it holds no records');
  const bytes = await readWholeFile(file);
  return parsed(source, parseJson(decodeUtf8(bytes, 0, bytes.length)));
}

/** Where in a file the records are: its members, or those of its `data` or `results`. */
function chooseRecords([first = '', second]: readonly string[]): MemberAction {
  if (second !== undefined) return 'take';
  if (first === 'data' || first === 'results') return 'enter';
  return /^\d+$/.test(first) ? 'take' : 'skip';
}

function parsed<Raw>(source: JsonRecordSource<Raw>, value: unknown): Raw | BadRecord {
  try {
    return source.parse(fit(value));
  } catch (error) {
    if (error instanceof BadRecord) return error;
    throw error;
  }
}
