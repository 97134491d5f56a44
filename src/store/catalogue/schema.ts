import type { Generated } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
import type { LanguageCode } from '../../domain/languages.ts';
import type { Currency } from '../../domain/observation.ts';
import type { ProductType } from '../../domain/products.ts';
import type { EntryDecision } from '../../domain/quarantined.ts';

/**
 * The row types of all catalogue tables. `migrations.ts` creates the tables; the row types of
 * accounts are in `../accounts/schema.ts`. Columns that end in `_at` are moments in Unix
 * milliseconds, days count from 1970-01-01 (UTC), and prices are in cents.
 * docs/glossary.md#row-id explains row ids, external ids and id spaces.
 */

export interface Database {
  sets: SetRow;
  set_external_ids: SetExternalIdRow;
  cards: CardRow;
  card_external_ids: Defaulted<CardExternalIdRow, 'revision'>;
  card_names: CardNameRow;
  card_facts: CardFactsRow;
  source_sets: SourceSetRow;
  printings: PrintingRow;
  observations: ObservationRow;
  marketplace_changes: Numbered<MarketplaceChangeRow>;
  quarantine: Numbered<QuarantineRow>;
  approvals: Numbered<ApprovalRow>;
  superseded_sets: SetRow;
  superseded_cards: CardRow;
  superseded_card_external_ids: CardExternalIdRow;
  superseded_card_names: CardNameRow;
  superseded_card_facts: CardFactsRow;
  superseded_printings: PrintingRow;
  catalog_state: CatalogStateRow;
  exchange_rates: ExchangeRateRow;
  publications: PublicationRow;
  changes: ChangeRow;
  changed_games: ChangedGameRow;
  newest_days: NewestDayRow;
  imports: ImportRow;
  source_files: SourceFileRow;
  import_lock: ImportLockRow;
  source_checks: SourceCheckRow;
  source_figures: SourceFiguresRow;
  failed_parts: FailedPartRow;
  history: HistoryRow;
  history_recent: HistoryRecentRow;
  history_corrections: HistoryCorrectionRow;
  history_recordings: HistoryRecordingRow;
  history_late: HistoryLateRow;
  history_sources: Numbered<HistorySourceRow>;
  history_series: HistorySeriesRow;
}

/** All tables of the catalogue. A table comes after the tables that it refers to. */
export const CATALOGUE_TABLES = Object.keys({
  sets: true,
  set_external_ids: true,
  cards: true,
  card_external_ids: true,
  card_names: true,
  card_facts: true,
  source_sets: true,
  printings: true,
  observations: true,
  marketplace_changes: true,
  quarantine: true,
  approvals: true,
  superseded_sets: true,
  superseded_cards: true,
  superseded_card_external_ids: true,
  superseded_card_names: true,
  superseded_card_facts: true,
  superseded_printings: true,
  catalog_state: true,
  exchange_rates: true,
  publications: true,
  changes: true,
  changed_games: true,
  newest_days: true,
  imports: true,
  source_files: true,
  import_lock: true,
  source_checks: true,
  source_figures: true,
  failed_parts: true,
  history: true,
  history_recent: true,
  history_corrections: true,
  history_recordings: true,
  history_late: true,
  history_sources: true,
  history_series: true,
} satisfies Record<keyof Database, true>);

/** A table whose database assigns the ids. */
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
  /** The issuer of the id: `tcgplayer`, `scryfall`. */
  id_space: string;
  external_id: string;
  set_id: number;
}

/** A card, or a product: `product_type` says which. */
export interface CardRow {
  id: number;
  public_id: string;
  set_id: number;
  name: string;
  number: string | null;
  rarity: string | null;
  image: string | null;
  revision: number;
  /** Null for a card. */
  product_type: ProductType | null;
  /** Null for a card, and for a product whose number is unknown. */
  upc: string | null;
  /** JSON: the contents of a product; null for a card, or if no source gives them. */
  contents: string | null;
}

/** An external id of a card. */
export interface CardExternalIdRow {
  /** The issuer of the id: `tcgplayer`, `scryfall`. */
  id_space: string;
  external_id: string;
  card_id: number;
  /** The publication that gave the card this id; 0 if it was not recorded. */
  revision: number;
}

/** The name of a card in another language than the one in which it is catalogued. */
export interface CardNameRow {
  card_id: number;
  language: LanguageCode;
  name: string;
  /** The publication that last changed it. */
  revision: number;
}

/**
 * The facts of a card. The search reads all columns except `facts`, from which the merged facts are
 * computed.
 */
export interface CardFactsRow {
  card_id: number;
  /** JSON: the facts by source. */
  facts: string;
  words: string;
  numbers: string;
  artist: string | null;
  /** The publication that last changed it. */
  revision: number;
}

/** A set as a source describes it. */
export interface SourceSetRow {
  source: string;
  external_id: string;
  /** JSON */
  facts: string;
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
  /** JSON: the names of the sources of these prices. */
  sources: string;
  /** When the four figures were observed. */
  figures_at: number | null;
  /** When the conditions were observed. */
  conditions_at: number | null;
  /** When the oldest of the grades was observed. */
  graded_at: number | null;
  /** The marketplace of the figures served last; null if it was not recorded. */
  marketplace: string | null;
  /** The base prices of changes: market prices about 1, 7 and 30 days before the newest day. */
  base_1d: number | null;
  base_7d: number | null;
  base_30d: number | null;
  /** JSON: by window, the reasons to doubt its change; null for none. */
  change_doubts: string | null;
  revision: number;
  /** The value of `packConfidence`; null without a price, or if it was not recorded. */
  confidence: number | null;
  /** The range of the reported market prices; null for none. */
  interval_low: number | null;
  interval_high: number | null;
  /** JSON: the marketplaces of the prices; null if there is only one. */
  origins: string | null;
  /** JSON: a source's report while its price is in quarantine; null for none. */
  dispute: string | null;
  /** JSON: the prices in other currencies than dollars; null for none. */
  native: string | null;
  /** JSON: dealers' buy prices, and sales; null for none. */
  trade: string | null;
}

/** The last report of a source about a printing. The row in `printings` is merged from these. */
export interface ObservationRow {
  printing_id: number;
  /** The name of a source in `src/domain/sources.ts`. */
  source: string;
  /** The marketplace where the price was formed. A source may report several. */
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
  /** The day of the last price of a source of higher rank that it agreed with; null for none. */
  agreed_on: number | null;
  /** JSON: its marketplace's buy price, and sales; null for none. */
  trade: string | null;
}

/** A change of the marketplace whose figures a printing serves. */
export interface MarketplaceChangeRow {
  id: number;
  printing_id: number;
  from_marketplace: string;
  to_marketplace: string;
  /** The day on which the first figures of the new marketplace were observed. */
  day: number;
  /** When the import that made the change began. */
  changed_at: number;
}

/** An observation or a mass delisting that a validation rule keeps from being served. */
export interface QuarantineRow {
  id: number;
  source: string;
  marketplace: string | null;
  /** The subject, if known: a game, a set, a card. */
  game: GameSlug | null;
  set_id: number | null;
  card_id: number | null;
  /** Null if the card does not have the printing named in `printing`. */
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
  decision: EntryDecision | null;
}

/** The approval of a quarantine entry, kept while it can be undone. */
export interface ApprovalRow {
  id: number;
  /** When the decision was made. All entries of one decision share this moment. */
  decided_at: number;
  set_id: number | null;
  /** A name in VALIDATION_RULES. */
  rule: string;
  /** JSON: an ApprovalUndo. */
  undo: string;
}

/** The state of publishing, in a single row. */
export interface CatalogStateRow {
  id: number;
  /** The newest publication. Readers load only the rows of publications newer than their own. */
  revision: number;
  /** The publication that an import is writing or that a killed import left unfinished. */
  writing: number;
  /** JSON: the operator's exchange rates used to merge the served prices; null for none. */
  rates: string | null;
  /** The first day of the history; null without one. */
  history_since: number | null;
  /** The first day whose publications are recorded (docs/history-format.md#the-journal). */
  dated_from: number;
}

/** A published exchange rate of a day. */
export interface ExchangeRateRow {
  currency: Currency;
  day: number;
  /** US dollars for one unit of the currency, as decimal text, which both engines keep exactly. */
  dollars: string;
  /** The publication that brought it. */
  revision: number;
}

/** A publication. Only the newest ones are kept. */
export interface PublicationRow {
  /** Its number. */
  revision: number;
  /** Random: after a failover another publication may have the same number. */
  id: string;
  /** The id of the previous publication; null if unknown. */
  predecessor: string | null;
  published_at: number;
  /** 1 if its changes were recorded; null if an older version published it. */
  has_changes: number | null;
  /**
   * 1 if the history was journaled since the publication before; null if an older version did not.
   */
  has_journal: number | null;
}

/** The newest day of a game from a publication on, until that of a later row. */
export interface NewestDayRow {
  game: string;
  revision: number;
  /** The newest day of its cards' figures; null if there are none. */
  day: number | null;
}

/** A game that a publication changed. Kept as long as its changes. */
export interface ChangedGameRow {
  revision: number;
  game: GameSlug;
}

/**
 * The values of a set, a card or a printing that a publication replaced, including the printing's
 * earlier prices. Kept for 30 days.
 */
export interface ChangeRow
  extends Pick<PrintingRow, 'market' | 'low' | 'mid' | 'high' | 'conditions' | 'graded'> {
  revision: number;
  game: GameSlug;
  /**
   * The previous publication that changed the same subject, or that added its card; 0 if unknown.
   */
  previous: number;
  /** 0 for a set. */
  card_id: number;
  /** 0 for the card itself; for a set, its row id. */
  printing_id: number;
  /** The earlier name of the set or card; null for a new one, and for printings. */
  name: string | null;
}

export interface ImportRow {
  id: number;
  source: string;
  started_at: number;
  finished_at: number | null;
  /** The time of the data according to the source. */
  observed_at: number | null;
  /** JSON: the summary printed by the command. */
  summary: string | null;
}

/** The digest of the file last read from a path of a source. Imports skip unchanged files. */
export interface SourceFileRow {
  source: string;
  path: string;
  /** SHA-256, hexadecimal. */
  digest: string;
  etag: string | null;
  observed_at: number;
}

/** The lock of imports (id 1) or the lock of syncs (id 2). */
export interface ImportLockRow {
  id: number;
  holder: string | null;
  expires_at: number;
  /** When the lock was taken; null if an older version took it. */
  taken_at: number | null;
}

/** The results of the last checks of a source for new data. */
export interface SourceCheckRow {
  source: string;
  asked_at: number;
  /** When a check last succeeded, with or without new data. */
  succeeded_at: number | null;
  /** When the source last answered over the web without an error. */
  answered_at: number | null;
  /** When a check last failed. The error stays until the next success. */
  failed_at: number | null;
  error: string | null;
  /** The earliest time for the next request, as the source asked. */
  retry_at: number | null;
  /** Requests made on `requests_day`. */
  requests: number;
  requests_day: number;
  /** The source's own name for the version imported last. */
  version: string | null;
}

/** The number of a game's cards that a source has prices for, as of the end of the last import. */
export interface SourceFiguresRow {
  source: string;
  game: GameSlug;
  /** Cards of the game that the source has a price for. */
  priced: number;
  /** Cards of the game. */
  cards: number;
  /** When its newest price was observed. */
  observed_at: number;
}

/** A part of a source that the last import could not read, or not completely. */
export interface FailedPartRow {
  source: string;
  /** Identifies the part within its source: the path of a group or a file. */
  part: string;
  /** Null if the part does not belong to one game. */
  game: GameSlug | null;
  /** The first failure since the part was last read completely, and the last failure. */
  first_failed_at: number;
  last_failed_at: number;
  /** Omitted rows; null if the whole part was unreadable. */
  bad_rows: number | null;
  /** JSON: the first faults, as `{name, reason}`. */
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

/** The prices of a day until a publication replaced or removed them. */
export interface HistoryCorrectionRow {
  printing_id: number;
  day: number;
  /** The publication; 0 for one from before it was recorded. */
  revision: number;
  replaced_at: number;
  market: number | null;
  low: number | null;
  mid: number | null;
  high: number | null;
  /** The row id in `history_sources` of the provenance of these prices; null for unknown. */
  source_id: number | null;
  /** 1 if a rollback removed these prices, so no other rollback restores them. */
  withdrawn: number;
}

/** The first publication with a day of a provenance, which dates the day for all printings. */
export interface HistoryRecordingRow {
  day: number;
  /** The row id in `history_sources`. */
  source_id: number;
  revision: number;
}

/** Days that a publication added to a history later than their `HistoryRecordingRow` states. */
export interface HistoryLateRow {
  printing_id: number;
  first_day: number;
  last_day: number;
  revision: number;
}

/** The history of one condition or grade of a printing. */
export interface HistorySeriesRow {
  /**
   * Takes the place of a printing's row id in the tables of the history, and is greater than all of
   * them.
   */
  id: number;
  printing_id: number;
  /** A condition or a grade: `near_mint`, `psa_9`. */
  name: string;
}

/** A provenance of daily prices. Blocks store its row id for each day. */
export interface HistorySourceRow {
  id: number;
  /** The name of a source in `src/domain/sources.ts`. */
  source: string;
  marketplace: string;
  /** 1 if everything the source published that day repeated the day before, otherwise 0. */
  repeated: number;
}
