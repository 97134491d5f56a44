import type { Generated } from 'kysely';
import type { GameSlug } from '../domain/games.ts';
import type { Currency } from '../domain/observation.ts';

/** The tables as TypeScript sees them; `migrations.ts` makes them. Moments are Unix milliseconds. */

export interface Database {
  sets: SetRow;
  set_keys: SetExternalIdRow;
  cards: CardRow;
  card_keys: CardExternalIdRow;
  printings: PrintingRow;
  quotes: ObservationRow;
  quarantine: Numbered<QuarantineRow>;
  catalog_state: CatalogStateRow;
  imports: ImportRow;
  source_files: SourceFileRow;
  import_lock: ImportLockRow;
  source_checks: SourceCheckRow;
  source_figures: SourceFiguresRow;
  history: HistoryRow;
  history_recent: HistoryRecentRow;
  history_corrections: HistoryCorrectionRow;
  accounts: Defaulted<AccountRow, 'id' | 'operator'>;
  password_resets: PasswordResetRow;
  api_keys: Numbered<ApiKeyRow>;
  usage: UsageRow;
  sessions: SessionRow;
  attempts: AttemptsRow;
  request_counts: RequestCountRow;
  key_uses: KeyUseRow;
}

/** A table that numbers its own rows. */
type Numbered<Row extends { id: number }> = Defaulted<Row, 'id'>;

/** A table that knows some columns of a new row by itself. */
type Defaulted<Row, Column extends keyof Row> = Omit<Row, Column> & {
  [Name in Column]: Generated<Row[Name]>;
};

export interface SetRow {
  id: number;
  game: GameSlug;
  code: string;
  name: string;
  /** `YYYY-MM-DD` */
  release_date: string | null;
  /** The publication that last touched the row. */
  revision: number;
}

/** What a source calls a set of ours. */
export interface SetExternalIdRow {
  source: string;
  key: string;
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

/** What a source calls a card of ours. */
export interface CardExternalIdRow {
  source: string;
  key: string;
  card_id: number;
}

/** A printing with its served prices, in cents. */
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
  /** JSON: names of the sources of these numbers. */
  sources: string;
  /** When the newest of these numbers was observed. */
  observed_at: number | null;
  /** When the four figures were. */
  figures_at: number | null;
  revision: number;
}

/** What one source last said of a printing. The row in `printings` is merged from these. */
export interface ObservationRow {
  printing_id: number;
  /** A name in the table of sources. */
  source: string;
  /** Whose price it is: one source may have those of several markets. */
  origin: string;
  currency: Currency;
  /** In cents of the currency, like `conditions` and `graded`. */
  market: number | null;
  low: number | null;
  mid: number | null;
  high: number | null;
  /** JSON: cents by condition; null for none. */
  conditions: string | null;
  /** JSON: cents by company and grade, those too that are not served; null for none. */
  graded: string | null;
  observed_at: number;
  /** When the import began that brought it; null for what was there before this was recorded. */
  fetched_at: number | null;
  /** The source's own id of the card. */
  source_key: string | null;
}

/** Something that a source said and that is held back. */
export interface QuarantineRow {
  id: number;
  source: string;
  origin: string | null;
  /** What it is about, as far as that is known: a whole source, a game, a set, a card. */
  game: GameSlug | null;
  set_id: number | null;
  card_id: number | null;
  /** Null when there is no such printing, whose name is in `printing`. */
  printing_id: number | null;
  printing: string | null;
  reason: string;
  /** A sentence for the operator. */
  detail: string;
  /** JSON: the quote that is held back; null where it is not one quote. */
  quote: string | null;
  /** The source's own id of the card. */
  source_key: string | null;
  observed_at: number | null;
  held_at: number;
  decided_at: number | null;
  decision: 'accepted' | 'rejected' | null;
}

/** One row: how far the catalogue is published. */
export interface CatalogStateRow {
  id: number;
  /** The newest publication: readers load what is above the one they have. */
  revision: number;
  /** The publication that an import writes now, or that a killed one never finished. */
  writing: number;
  /** JSON: the rates of exchange by which the served prices were merged; null for none. */
  rates: string | null;
}

export interface ImportRow {
  id: number;
  source: string;
  started_at: number;
  finished_at: number | null;
  /** The moment that the source gives for its data. */
  observed_at: number | null;
  /** JSON: the summary that the command printed. */
  summary: string | null;
}

/** What was last read of one file of a source, so that the same input is not worked twice. */
export interface SourceFileRow {
  source: string;
  path: string;
  /** SHA-256, hexadecimal. */
  digest: string;
  etag: string | null;
  observed_at: number;
}

/**
 * Two rows: who imports now (1), who syncs now (2), and until when that holds unless renewed.
 */
export interface ImportLockRow {
  id: number;
  holder: string | null;
  expires_at: number;
}

/** How a source was, when it was last asked whether it has something new. */
export interface SourceCheckRow {
  source: string;
  asked_at: number;
  /** When it last had what was asked for, be it something new or nothing. */
  succeeded_at: number | null;
  /** When it was last asked over the web, and did not fail. */
  answered_at: number | null;
  /** When it last failed; the words are kept until it succeeds. */
  failed_at: number | null;
  error: string | null;
  /** Before then it does not want to be asked. */
  retry_at: number | null;
  /** Requests that were made on `requests_day` (UTC, days since 1970-01-01). */
  requests: number;
  requests_day: number;
  /** What the source itself called the state that was last brought in. */
  version: string | null;
}

/** What a source has of a game, as it was when the last import ended. */
export interface SourceFiguresRow {
  source: string;
  game: GameSlug;
  /** Cards of the game of which the source has a price. */
  priced: number;
  /** All cards of the game. */
  cards: number;
  /** When its newest price was observed. */
  observed_at: number;
}

/** A packed span of days of one printing; `docs/history-format.md` describes id and block. */
export interface HistoryRow {
  id: number;
  block: Uint8Array;
}

/** The newest days of a printing, packed. Every printing with a history has this row. */
export interface HistoryRecentRow {
  printing_id: number;
  /** Days since 1970-01-01. The days before the first are in `history`. */
  first_day: number;
  last_day: number;
  block: Uint8Array;
}

/** Prices of a past day, in cents, that others have replaced since. */
export interface HistoryCorrectionRow {
  printing_id: number;
  day: number;
  replaced_at: number;
  market: number | null;
  low: number | null;
  mid: number | null;
  high: number | null;
}

export interface AccountRow {
  id: number;
  email: string;
  plan: string;
  created_at: number;
  disabled_at: number | null;
  /** argon2id, in the PHC format; null for an account that nobody can sign in to. */
  password_hash: string | null;
  /** 1 for those who may see and change everybody's, 0 for the others. */
  operator: number;
}

/** A link by which a password can be set, once. */
export interface PasswordResetRow {
  /** SHA-256, hexadecimal. */
  token_hash: string;
  account_id: number;
  expires_at: number;
}

export interface ApiKeyRow {
  id: number;
  account_id: number;
  /** SHA-256 of the key, hexadecimal. */
  hash: string;
  /** The last characters of the key, by which its owner recognises it. */
  hint: string;
  name: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** Requests charged to an account on one day (UTC, days since 1970-01-01). */
export interface UsageRow {
  account_id: number;
  day: number;
  used: number;
}

/** A browser that is signed in. */
export interface SessionRow {
  /** SHA-256, hexadecimal. */
  token_hash: string;
  account_id: number;
  created_at: number;
  expires_at: number;
}

/** How often something was tried that slows down, such as signing in to an account. */
export interface AttemptsRow {
  subject: string;
  /** Those that did not succeed, or are not known to have yet. */
  failures: number;
  last_at: number;
}

/** Requests of an account on one day (UTC, days since 1970-01-01), by what was asked and answered. */
export interface RequestCountRow {
  account_id: number;
  day: number;
  endpoint: string;
  /** 2 for 200 to 299, and so on. */
  status_class: number;
  count: number;
}

/** When a key was last used, and from which network address. */
export interface KeyUseRow {
  key_id: number;
  at: number;
  address: string;
}
