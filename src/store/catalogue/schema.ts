import type { Generated } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
import type { Currency } from '../../domain/observation.ts';

/**
 * The rows of all tables of the catalogue, which `migrations.ts` creates; `account-schema.ts` has
 * those of accounts. Columns that end in `_at` are moments in
 * Unix milliseconds, days count from 1970-01-01 (UTC), and prices are in cents. docs/glossary.md#row-id
 * explains row ids, external ids and id spaces.
 */

export interface Database {
  sets: SetRow;
  set_external_ids: SetExternalIdRow;
  cards: CardRow;
  card_external_ids: Defaulted<CardExternalIdRow, 'revision'>;
  printings: PrintingRow;
  observations: ObservationRow;
  marketplace_changes: Numbered<MarketplaceChangeRow>;
  quarantine: Numbered<QuarantineRow>;
  approvals: Numbered<ApprovalRow>;
  superseded_sets: SetRow;
  superseded_cards: CardRow;
  superseded_card_external_ids: CardExternalIdRow;
  superseded_printings: PrintingRow;
  catalog_state: CatalogStateRow;
  publications: PublicationRow;
  imports: ImportRow;
  source_files: SourceFileRow;
  import_lock: ImportLockRow;
  source_checks: SourceCheckRow;
  source_figures: SourceFiguresRow;
  failed_parts: FailedPartRow;
  history: HistoryRow;
  history_recent: HistoryRecentRow;
  history_corrections: HistoryCorrectionRow;
  history_sources: Numbered<HistorySourceRow>;
}

/** Every table of the catalogue, those first to which others refer. */
export const CATALOGUE_TABLES = Object.keys({
  sets: true,
  set_external_ids: true,
  cards: true,
  card_external_ids: true,
  printings: true,
  observations: true,
  marketplace_changes: true,
  quarantine: true,
  approvals: true,
  superseded_sets: true,
  superseded_cards: true,
  superseded_card_external_ids: true,
  superseded_printings: true,
  catalog_state: true,
  publications: true,
  imports: true,
  source_files: true,
  import_lock: true,
  source_checks: true,
  source_figures: true,
  failed_parts: true,
  history: true,
  history_recent: true,
  history_corrections: true,
  history_sources: true,
} satisfies Record<keyof Database, true>);

/** A table that numbers its own rows. */
export type Numbered<Row extends { id: number }> = Defaulted<Row, 'id'>;

/** A table with default values for some columns. */
export type Defaulted<Row, Column extends keyof Row> = Omit<Row, Column> & {
  [Name in Column]: Generated<Row[Name]>;
};

export interface SetRow {
  id: number;
  /** The setId, which never changes. */
  public_set_id: string;
  game: GameSlug;
  code: string;
  name: string;
  /** `YYYY-MM-DD` */
  release_date: string | null;
  /** The publication that last touched the row. */
  revision: number;
}

/** An external id of a set. */
export interface SetExternalIdRow {
  /** Whose numbering it is: `tcgplayer`, `scryfall`. */
  id_space: string;
  external_id: string;
  set_id: number;
}

export interface CardRow {
  id: number;
  public_id: string;
  set_id: number;
  name: string;
  number: string | null;
  rarity: string | null;
  image: string | null;
  revision: number;
}

/** An external id of a card. */
export interface CardExternalIdRow {
  /** Whose numbering it is: `tcgplayer`, `scryfall`. */
  id_space: string;
  external_id: string;
  card_id: number;
  /** The publication that gave the id to the card; 0 where it was not recorded. */
  revision: number;
}

/** A printing with its served prices, in US cents. */
export interface PrintingRow {
  id: number;
  card_id: number;
  name: string;
  market: number | null;
  low: number | null;
  mid: number | null;
  high: number | null;
  /** JSON: cents by condition; null for none. */
  conditions: string | null;
  /** JSON: cents by grade; null for none. */
  graded: string | null;
  /** JSON: the names of the sources of these amounts. */
  sources: string;
  /** When the four figures were observed. */
  figures_at: number | null;
  /** When the conditions were observed. */
  conditions_at: number | null;
  /** When the oldest of the grades was observed. */
  graded_at: number | null;
  /** The marketplace of the last figures that were served; null where it was not recorded. */
  marketplace: string | null;
  /** The market prices from which changes count, of about 1, 7 and 30 days before the newest day. */
  base_1d: number | null;
  base_7d: number | null;
  base_30d: number | null;
  /** JSON: what speaks against a change, by its window; null for nothing. */
  change_doubts: string | null;
  revision: number;
}

/** What a source last reported of a printing. The row in `printings` is merged from these. */
export interface ObservationRow {
  printing_id: number;
  /** The name of a source in `src/domain/sources.ts`. */
  source: string;
  /** Where the price was formed: a source may report several marketplaces. */
  marketplace: string;
  currency: Currency;
  /** In cents of the currency, like `conditions` and `graded`. */
  market: number | null;
  low: number | null;
  mid: number | null;
  high: number | null;
  /** JSON: cents by condition; null for none. */
  conditions: string | null;
  /** JSON: cents by company and grade, including those that are not served; null for none. */
  graded: string | null;
  observed_at: number;
  /** When its import began; null for rows from before this was recorded. */
  fetched_at: number | null;
  /** The source's own id of the card. */
  external_id: string | null;
}

/** The figures of a printing are of another marketplace than before. */
export interface MarketplaceChangeRow {
  id: number;
  printing_id: number;
  from_marketplace: string;
  to_marketplace: string;
  /** The day on which the first figures of the other marketplace were observed. */
  day: number;
  /** When the import began that changed it. */
  changed_at: number;
}

/** An observation, or a mass delisting, that a validation rule keeps from being served. */
export interface QuarantineRow {
  id: number;
  source: string;
  marketplace: string | null;
  /** What it is about, as far as that is known: a game, a set, a card. */
  game: GameSlug | null;
  set_id: number | null;
  card_id: number | null;
  /** Null when the card has no printing of the name in `printing`. */
  printing_id: number | null;
  printing: string | null;
  /** A name in VALIDATION_RULES. */
  rule: string;
  /** A sentence for the operator. */
  detail: string;
  /** JSON: a QuarantinedObservation or, for a mass delisting, a QuarantinedDelisting. */
  observation: string | null;
  /** The source's own id of the card. */
  external_id: string | null;
  observed_at: number | null;
  quarantined_at: number;
  decided_at: number | null;
  decision: 'approved' | 'rejected' | null;
}

/** The approval of an entry of the quarantine, for as long as it can be undone. */
export interface ApprovalRow {
  id: number;
  /** When the decision was made; all entries of one decision have the same moment. */
  decided_at: number;
  set_id: number | null;
  /** A name in VALIDATION_RULES. */
  rule: string;
  /** JSON: an ApprovalUndo. */
  undo: string;
}

/** A table of one row: how far the catalogue is published. */
export interface CatalogStateRow {
  id: number;
  /** The newest publication. Readers load the rows of later publications than they have. */
  revision: number;
  /** The publication that an import is writing, or that a killed import left unfinished. */
  writing: number;
  /** JSON: the exchange rates by which the served prices were merged; null for none. */
  rates: string | null;
}

/** A publication: the newest ones are kept. */
export interface PublicationRow {
  /** Its number. */
  revision: number;
  /** Random: after a failover another publication may have the same number. */
  id: string;
  /** The id of the publication before it; null where it is not known. */
  predecessor: string | null;
  published_at: number;
}

export interface ImportRow {
  id: number;
  source: string;
  started_at: number;
  finished_at: number | null;
  /** The moment that the source states for its data. */
  observed_at: number | null;
  /** JSON: the summary that the command printed. */
  summary: string | null;
}

/** The file that was last read of a path of a source, so that it is not read again unchanged. */
export interface SourceFileRow {
  source: string;
  path: string;
  /** SHA-256, hexadecimal. */
  digest: string;
  etag: string | null;
  observed_at: number;
}

/** A table of two rows: the lock of imports (1) and that of syncs (2). */
export interface ImportLockRow {
  id: number;
  holder: string | null;
  expires_at: number;
  /** Since when it is held; null where an older version took it. */
  taken_at: number | null;
}

/** How the last check of a source for something new went. */
export interface SourceCheckRow {
  source: string;
  asked_at: number;
  /** When it last succeeded, with something new or nothing new. */
  succeeded_at: number | null;
  /** When it was last checked over the web without an error. */
  answered_at: number | null;
  /** When it last failed. The error stays until the next success. */
  failed_at: number | null;
  error: string | null;
  /** The source asks not to be requested before then. */
  retry_at: number | null;
  /** How many requests were made on `requests_day`. */
  requests: number;
  requests_day: number;
  /** The source's own name of the version that was last imported. */
  version: string | null;
}

/** How many cards of a game a source has a price of, counted when the last import ended. */
export interface SourceFiguresRow {
  source: string;
  game: GameSlug;
  /** How many cards of the game the source has a price of. */
  priced: number;
  /** How many cards of the game there are. */
  cards: number;
  /** When its newest price was observed. */
  observed_at: number;
}

/** A part of a source, of which the last import could not read something or all. */
export interface FailedPartRow {
  source: string;
  /** What identifies the part within its source: a group's or a file's path. */
  part: string;
  /** Null where the part is not of one game. */
  game: GameSlug | null;
  /** When an import first failed to read it, without a better one since, and when one last did. */
  first_failed_at: number;
  last_failed_at: number;
  /** How many rows were left out; null where nothing of the part could be read. */
  bad_rows: number | null;
  /** JSON: the first of the faults, as `{name, reason}`. */
  examples: string;
}

/** A sealed block; `docs/history-format.md` describes its id and its bytes. */
export interface HistoryRow {
  id: number;
  block: Uint8Array;
}

/** The recent block of a printing, with its newest days. Every printing with a history has one. */
export interface HistoryRecentRow {
  printing_id: number;
  /** The days before this one are in sealed blocks. */
  first_day: number;
  last_day: number;
  block: Uint8Array;
}

/** Prices of a day, in US cents, that a correction has replaced. */
export interface HistoryCorrectionRow {
  printing_id: number;
  day: number;
  replaced_at: number;
  market: number | null;
  low: number | null;
  mid: number | null;
  high: number | null;
  /** The row id in `history_sources` of where these prices came from; null for unknown. */
  source_id: number | null;
}

/** Where prices of days come from: blocks have its row id for each day. */
export interface HistorySourceRow {
  id: number;
  /** The name of a source in `src/domain/sources.ts`. */
  source: string;
  marketplace: string;
  /** 1 if the source's whole publication of the day repeated the day before; else 0. */
  repeated: number;
}
