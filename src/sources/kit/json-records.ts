import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Feed, FeedBatch, FeedOptions } from '../contract/feed.ts';
import { findFiles, kilobytes, type LocalFile, readChunks, readWholeFile } from '../io/files.ts';
import { BadRecord, decodeUtf8, parseJson, requireRecord } from '../io/json.ts';
import { MalformedJson, type MemberAction, readJsonMembers } from '../io/json-stream.ts';
import { type AdaptedRecord, FeedBatcher } from './feed-batcher.ts';
import { keepGames, requireGames } from './games.ts';
import { describeLocation, observedAtOfFile } from './source-file.ts';

/** Feeds of sources that publish lists of JSON records. */

/** A source of JSON records. */
export interface JsonRecordSource<Raw> {
  readonly name: string;
  /** The games of its records. */
  readonly games: readonly GameSlug[];
  /** A description of its files, to complete "it is not …". */
  readonly description: string;
  /**
   * Raise it when the adapter's output for the same file changes, so the file is imported again.
   */
  readonly version: number;
  /** @throws BadRecord if the record does not have the source's shape. */
  parse(record: unknown): Raw;
  /** Returns the name by which people recognise a record. */
  label(raw: Raw): string;
  /**
   * @param file The name of the record's file.
   * @throws BadRecord if a value in the record is impossible.
   */
  adapt(raw: Raw, observedAt: Millis, file: string): AdaptedRecord;
  /** Returns the newest moment in a text, if the source writes when prices were observed. */
  readonly findObservedAt?: (text: string) => Millis | undefined;
  /** Further files that the result depends on. */
  readonly furtherFiles?: readonly LocalFile[];
}

/** Whether a file in a folder counts as a file of records. */
export function isJsonFileName(name: string): boolean {
  return /\.json(\.gz)?$/i.test(name);
}

/**
 * Opens a file of records, or all files of a folder that end in `.json` or `.json.gz`. A file is a
 * list of records, an object with such a list as `data` or `results`, or a single record.
 *
 * @throws OperatorError if there is no file, it cannot be read, or the game is not wanted.
 */
export async function openJsonRecords<Raw>(
  location: string,
  options: FeedOptions,
  source: JsonRecordSource<Raw>,
): Promise<Feed> {
  const files = await findFiles(location, isJsonFileName);
  return openJsonRecordFiles(location, files, options, source);
}

/** Opens files of a location that the caller has found, like {@link openJsonRecords}. */
export async function openJsonRecordFiles<Raw>(
  location: string,
  files: readonly LocalFile[],
  options: FeedOptions,
  source: JsonRecordSource<Raw>,
): Promise<Feed> {
  requireGames(source, options.games);
  if (files.length === 0) throw new OperatorError(`${location} has no files that end in .json.`);
  const observedAt = options.observedAt ?? (await newestObservedAt(files, source, options.now));
  const { furtherFiles = [], version } = source;
  return {
    source: source.name,
    observedAt,
    total: kilobytes(files.reduce((sum, { size }) => sum + size, 0)),
    unit: 'KB',
    file: await describeLocation(location, version, [...files, ...furtherFiles]),
    batches: () => readBatches({ location, files, source, observedAt, games: options.games }),
  };
}

/** Returns the newest moment in the files, otherwise in their names or modification times. */
async function newestObservedAt<Raw>(
  files: readonly LocalFile[],
  { findObservedAt }: JsonRecordSource<Raw>,
  now: Millis,
): Promise<Millis> {
  const moments: Millis[] = [];
  for (const file of findObservedAt ? files : []) {
    for await (const text of overlappingTexts(file)) {
      const moment = findObservedAt?.(text);
      if (moment !== undefined) moments.push(moment);
    }
  }
  const best = moments.length > 0 ? moments : files.map((file) => observedAtOfFile(file, now));
  return Math.max(...best);
}

/** In characters. A field with a moment is shorter, including its name and spaces. */
const OVERLAP = 200;

/** The text of a file in overlapping chunks, so no moment is cut in two. */
async function* overlappingTexts(file: LocalFile): AsyncGenerator<string> {
  let before = '';
  for await (const chunk of readChunks(file)) {
    const text = before + Buffer.from(chunk).toString('latin1');
    yield text;
    before = text.slice(-OVERLAP);
  }
}

/** The input to read, and its games; null reads all. */
interface Reading<Raw> extends Pick<FeedOptions, 'games'> {
  readonly location: string;
  readonly files: readonly LocalFile[];
  readonly source: JsonRecordSource<Raw>;
  readonly observedAt: Millis;
}

/** Reads file after file. An unreadable file is broken, unless none can be read. */
async function* readBatches<Raw>(reading: Reading<Raw>): AsyncGenerator<FeedBatch> {
  const { location, files, source, observedAt, games } = reading;
  const batcher = new FeedBatcher();
  let bytesBefore = 0;
  let unreadFiles = 0;
  for (const file of files) {
    try {
      for await (const { name, raw, done } of readRecords(file, source)) {
        const adapt = () => source.adapt(requireRecord(raw), observedAt, file.name);
        batcher.add(name, () => keepGames(adapt(), games));
        if (batcher.isFull) yield batcher.flush(kilobytes(bytesBefore + done));
      }
    } catch (error) {
      const fault = faultOf(error);
      unreadFiles += 1;
      if (unreadFiles === files.length) throw new OperatorError(`${location}: ${fault}.`);
      batcher.addBroken(file.name, fault);
    }
    bytesBefore += file.size;
  }
  yield batcher.end(location, kilobytes(bytesBefore));
}

/** Returns why a file could not be read. Rethrows errors that the file did not cause. */
function faultOf(error: unknown): string {
  const isFault =
    error instanceof BadRecord || error instanceof MalformedJson || error instanceof OperatorError;
  if (!isFault) throw error;
  return error.message.replace(/\.$/, '');
}

/** A record, or its fault. */
interface ParsedRecord<Raw> {
  /** The record's label, or its position in the file if it cannot be read. */
  readonly name: string;
  readonly raw: Raw | BadRecord;
  /** The number of bytes of the file read so far. */
  readonly done: number;
}

/** If none of this many records has the source's shape, the file is something else. */
const PROBED_RECORDS = 100;

/**
 * Yields the records of a file. It holds back broken records until a good one shows that the file
 * belongs to the source.
 *
 * @throws BadRecord if the file is something else, MalformedJson if it is incomplete.
 */
async function* readRecords<Raw>(
  file: LocalFile,
  source: JsonRecordSource<Raw>,
): AsyncGenerator<ParsedRecord<Raw>> {
  const pending: ParsedRecord<Raw>[] = [];
  let hasGoodRecord = false;
  for await (const record of parseRecords(file, source)) {
    hasGoodRecord ||= !(record.raw instanceof BadRecord);
    pending.push(record);
    if (hasGoodRecord) yield* pending.splice(0);
    else if (pending.length >= PROBED_RECORDS) break;
  }
  if (hasGoodRecord) return;
  const fault = pending[0]?.raw instanceof BadRecord ? pending[0].raw.message : 'it has no records';
  throw new BadRecord(`it is not ${source.description}: ${fault}`);
}

async function* parseRecords<Raw>(
  file: LocalFile,
  source: JsonRecordSource<Raw>,
): AsyncGenerator<ParsedRecord<Raw>> {
  const chunks = readChunks(file);
  let count = 0;
  const toRecord = (raw: Raw | BadRecord): ParsedRecord<Raw> => {
    count += 1;
    const name = raw instanceof BadRecord ? `${file.name}, record ${count}` : source.label(raw);
    return { name, raw, done: chunks.bytesRead };
  };
  for await (const members of readJsonMembers(chunks, chooseRecords)) {
    for (const { value } of members) yield toRecord(parseRecord(source, value));
  }
  if (count === 0) yield toRecord(await readSingleRecord(file, source));
}

/** In bytes, unpacked. A larger file is not a single record. */
const MAX_RECORD_BYTES = 1024 * 1024;

/** Reads a file that is one record, as APIs respond to a request for one card. */
async function readSingleRecord<Raw>(
  file: LocalFile,
  source: JsonRecordSource<Raw>,
): Promise<Raw | BadRecord> {
  if (file.size > MAX_RECORD_BYTES) return new BadRecord('it has no records');
  const bytes = await readWholeFile(file, MAX_RECORD_BYTES);
  return parseRecord(source, parseJson(decodeUtf8(bytes, 0, bytes.length)));
}

/** Takes the members of the outermost list, or of `data` or `results`. */
function chooseRecords([first = '', second]: readonly string[]): MemberAction {
  if (second !== undefined) return 'take';
  if (first === 'data' || first === 'results') return 'enter';
  return /^\d+$/.test(first) ? 'take' : 'skip';
}

function parseRecord<Raw>(source: JsonRecordSource<Raw>, value: unknown): Raw | BadRecord {
  try {
    return source.parse(requireRecord(value));
  } catch (error) {
    if (error instanceof BadRecord) return error;
    throw error;
  }
}
