import { Type } from 'typebox';
import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import type { FeedSource, ListedFiles, Remote } from '../contract/source.ts';
import { findFile, kilobytes, type LocalFile, readChunks } from '../io/files.ts';
import { parseJson, requireRecord } from '../io/json.ts';
import { MalformedJson } from '../io/json-stream.ts';
import { MalformedBulkFile, readBulkEntries } from '../kit/bulk-file.ts';
import { FeedBatcher } from '../kit/feed-batcher.ts';
import { requireGames } from '../kit/games.ts';
import { compileResponseParser, Label, Nullish } from '../kit/schema.ts';
import { describeSourceFile, observedAtOfFile } from '../kit/source-file.ts';
import { ADAPTER_VERSION, adaptCard, parseCard } from './adapt.ts';

const CARDS_PER_BATCH = 200;

/**
 * Opens Scryfall's bulk file `default_cards` or `all_cards`, of any size: `.json` or `.jsonl`,
 * plain or packed by gzip. The file does not give the moment of its prices. Unless the operator
 * gives it, it is the moment in the file's name (`default-cards-20260128220837.json`), otherwise
 * the modification time.
 *
 * @throws OperatorError if the file is missing, or its moment is in the future.
 */
export const openScryfall: OpenFeed = async (location, options) => {
  requireGames({ name: 'Scryfall', games: ['mtg'] }, options.games);
  const file = await findFile(location);
  const observedAt = options.observedAt ?? observedAtOfFile(file, options.now);
  return {
    source: 'scryfall',
    observedAt,
    total: kilobytes(file.size),
    unit: 'KB',
    file: await describeSourceFile(ADAPTER_VERSION, file),
    batches: () => readBatches(file, observedAt),
  };
};

async function* readBatches(file: LocalFile, observedAt: number): AsyncGenerator<FeedBatch> {
  const unreadable = (reason: string) => {
    return new OperatorError(`${file.path} cannot be read as Scryfall's default_cards: ${reason}.`);
  };
  const batcher = new FeedBatcher({
    recordsPerBatch: CARDS_PER_BATCH,
    forgetsIds: true,
    unreadable,
  });
  const chunks = readChunks(file);
  try {
    for await (const entries of readBulkEntries(chunks)) {
      for (const { name, value } of entries) {
        batcher.add(name, () => adaptCard(parseCard(requireRecord(value)), observedAt));
        if (batcher.isFull) yield batcher.flush(kilobytes(chunks.bytesRead));
      }
    }
  } catch (error) {
    const isMalformed = error instanceof MalformedBulkFile || error instanceof MalformedJson;
    throw isMalformed ? unreadable(error.message) : error;
  }
  batcher.requireAnyRecord();
  yield batcher.end(file.path, kilobytes(chunks.bytesRead));
}

const NAME = 'Scryfall';
const GIGABYTE = 1024 * 1024 * 1024;

const parseListing = compileResponseParser(
  NAME,
  Type.Object({
    data: Type.Array(
      Type.Object({
        type: Label,
        updated_at: Label,
        download_uri: Nullish(Label),
        /** The same file as JSON lines, the only one listed since 2026. */
        jsonl_download_uri: Nullish(Label),
      }),
    ),
  }),
);

/** Scryfall asks for 50 to 100 ms between two requests, and asks clients to use its bulk files. */
export const SCRYFALL_REMOTE: Remote = {
  base: 'https://api.scryfall.com',
  pauseMs: 100,
  content: { kind: 'listing', path: 'bulk-data', parse: findDefaultCards },
};

/** Finds the file of all cards, which Scryfall creates twice a day. */
function findDefaultCards(listing: Uint8Array): ListedFiles {
  const { data } = parseListing(parseJson(Buffer.from(listing).toString()));
  const file = data.find(({ type }) => type === 'default_cards');
  const observedAt = Date.parse(file?.updated_at ?? '');
  const path = file?.download_uri ?? file?.jsonl_download_uri;
  if (!file || !path || Number.isNaN(observedAt)) {
    throw new OperatorError(
      `${NAME} no longer lists its default_cards with an address and a date.`,
    );
  }
  return {
    version: file.updated_at,
    observedAt,
    main: {
      path,
      saveAs: 'default-cards.json',
      maxBytes: 2 * GIGABYTE,
      gzip: true,
    },
  };
}

export const SCRYFALL: FeedSource = {
  name: 'scryfall',
  summary: 'Cards of Magic with the market prices of TCGplayer and the trend of Cardmarket.',
  takes: 'The bulk file default_cards or all_cards (names in other languages), plain or gzip.',
  example: 'default-cards.json.gz',
  open: openScryfall,
  remote: SCRYFALL_REMOTE,
};
