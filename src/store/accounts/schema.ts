import type { Defaulted, Numbered } from '../catalogue/schema.ts';

/**
 * The row types of the tables of accounts and of everything that requests write. `migrations.ts`
 * and `usage-tables.ts` create these tables. On SQLite they are in separate files (docs/adr/0025),
 * so no statement may join them with the catalogue, and no transaction may write to both.
 */

export interface AccountDatabase {
  accounts: Defaulted<
    AccountRow,
    'id' | 'operator' | 'credential_version' | 'verified_at' | 'limits'
  >;
  password_resets: PasswordResetRow;
  devices: DeviceRow;
  api_keys: Defaulted<ApiKeyRow, 'id' | 'restrictions'>;
  audit: Numbered<AuditRow>;
  plans: PlanRow;
  plan_version: PlanVersionRow;
  billing_events: BillingEventRow;
  webhooks: Numbered<WebhookRow>;
  alerts: Numbered<AlertRow>;
  alert_lines: Defaulted<AlertLineRow, 'state' | 'held'>;
  alert_events: AlertEventRow;
  alert_progress: AlertProgressRow;
  mail_key: MailKeyRow;
  outbox: Defaulted<OutboxRow, 'delivered_at' | 'failed_at' | 'error' | 'log'>;
  billing_state: BillingStateRow;
  usage: UsageRow;
  page_usage: UsageRow;
  visitor_usage: VisitorUsageRow;
  sessions: Defaulted<SessionRow, LaterSessionColumn>;
  attempts: AttemptsRow;
  request_counts: RequestCountRow;
  key_uses: KeyUseRow;
  key_usage: KeyUsageRow;
  key_counts: KeyCountRow;
  card_views: CardViewRow;
  recent_requests: RecentRequestRow;
  start_settings: StartSettingRow;
  totp: TotpRow;
  passkeys: Numbered<PasskeyRow>;
  recovery_codes: RecoveryCodeRow;
  challenges: ChallengeRow;
  replays: ReplayRow;
}

type LaterSessionColumn =
  | 'credential_version'
  | 'last_used_at'
  | 'authenticated_at'
  | 'address'
  | 'user_agent';

/** All tables of accounts. A table comes after the tables that it refers to. */
export const ACCOUNT_TABLES = Object.keys({
  accounts: true,
  password_resets: true,
  devices: true,
  api_keys: true,
  audit: true,
  plans: true,
  plan_version: true,
  billing_events: true,
  webhooks: true,
  outbox: true,
  alerts: true,
  alert_lines: true,
  alert_events: true,
  alert_progress: true,
  mail_key: true,
  billing_state: true,
  usage: true,
  page_usage: true,
  visitor_usage: true,
  sessions: true,
  attempts: true,
  request_counts: true,
  key_uses: true,
  key_usage: true,
  key_counts: true,
  card_views: true,
  recent_requests: true,
  start_settings: true,
  totp: true,
  passkeys: true,
  recovery_codes: true,
  challenges: true,
  replays: true,
} satisfies Record<keyof AccountDatabase, true>);

export interface AccountRow {
  id: number;
  email: string;
  plan: string;
  created_at: number;
  disabled_at: number | null;
  /** argon2id in the PHC string format; null if nobody can sign in to the account. */
  password_hash: string | null;
  /** 1 for an operator, who may see and change all accounts, otherwise 0. */
  operator: number;
  /**
   * Increases with each event that ends all sessions: a new password, a reset, disabling. A session
   * stores the version that it began with, and works only while the two are equal.
   */
  credential_version: number;
  /** When the owner or an operator confirmed the e-mail address; null until then. */
  verified_at: number | null;
  /** JSON: the `AccountLimits` that override the limits of the plan; null for none. */
  limits: string | null;
}

/** A link that sets a new password, once. */
export interface PasswordResetRow {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  account_id: number;
  expires_at: number;
}

/** A browser that has signed in to an account, and may do so even while the account is attacked. */
export interface DeviceRow {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  account_id: number;
  last_used_at: number;
}

export interface ApiKeyRow {
  id: number;
  account_id: number;
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  /** The last characters of the secret, which help the owner to recognise it. */
  hint: string;
  name: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** JSON: its restrictions (`src/accounts/keys/key-restrictions.ts`); null for none. */
  restrictions: string | null;
}

/** The requests charged to an account on one day. */
export interface UsageRow {
  account_id: number;
  day: number;
  used: number;
}

/** The priced cards that the pages showed to visitors from one network on one day. */
export interface VisitorUsageRow {
  /** A number that identifies the network; see `src/accounts/quota/page-quota.ts`. */
  network: number;
  day: number;
  used: number;
}

/** The session of a signed-in browser. */
export interface SessionRow {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  account_id: number;
  created_at: number;
  expires_at: number;
  /** The account's `credential_version` when the password was verified. */
  credential_version: number;
  /** When a request last used it, to the minute. */
  last_used_at: number;
  /** When its owner last proved who they are. */
  authenticated_at: number;
  /** The network address and the browser that it began with. */
  address: string;
  user_agent: string;
}

/** Attempts at something that is throttled, such as signing in to an account. */
export interface AttemptsRow {
  subject: string;
  /** Attempts that have failed or are undecided. */
  failures: number;
  last_at: number;
}

/** The requests of an account on one day, counted by endpoint and class of status. */
export interface RequestCountRow {
  account_id: number;
  day: number;
  endpoint: string;
  /** 2 for 200 to 299, and so on. */
  status_class: number;
  count: number;
}

/** The requests charged on one day to an API key with its own limit. */
export interface KeyUsageRow {
  key_id: number;
  day: number;
  used: number;
}

/** The requests of an API key on one day, counted by endpoint and error. */
export interface KeyCountRow {
  key_id: number;
  day: number;
  endpoint: string;
  /** The code of the error; `''` for none. */
  code: string;
  count: number;
}

/** The number of requests for the card on a day, by programs and on pages. */
export interface CardViewRow {
  /** Its public id. */
  card: string;
  day: number;
  count: number;
}

/** A recent request of an account. */
export interface RecentRequestRow {
  account_id: number;
  at: number;
  request_id: string;
  key_id: number;
  endpoint: string;
  status: number;
  /** The code of the error; null for none. */
  code: string | null;
  /** The duration of the request, in milliseconds. */
  ms: number;
}

/** When and from which network address an API key was last used. */
export interface KeyUseRow {
  key_id: number;
  at: number;
  address: string;
}

/** A setting that differed from its default when the service last started. */
export interface StartSettingRow {
  /** The environment variable. */
  name: string;
  /** The value. For a secret: a salted digest, with the salt. */
  value: string;
}

/** A change of accounts or settings, and who made it. Rows never change. */
export interface AuditRow {
  id: number;
  at: number;
  /** An `AuditAction` of `src/domain/audit.ts`. */
  action: string;
  /** `account`, `operator`, `command` or `service`. */
  actor: string;
  /** The e-mail address of the account that made the change; null for none. */
  actor_email: string | null;
  /** The network address that the change came from; null on the command line. */
  address: string | null;
  request_id: string | null;
  /** The object of the change: an e-mail address, a key, a source …; null for none. */
  subject: string | null;
  /** A description in words, without secrets. */
  detail: string | null;
}

/** A plan as set by the operator. */
export interface PlanRow {
  name: string;
  label: string;
  daily_requests: number;
  /** In cents per month. */
  price: number;
  burst_requests: number | null;
  burst_seconds: number | null;
  history_days: number | null;
  /** JSON: an array of features. */
  features: string;
  /** The operator's text; empty for none. */
  how_to_get: string;
  /** The most alerts of an account. */
  alerts: number;
}

/** Counts the changes of plans, in a single row. */
export interface PlanVersionRow {
  id: number;
  version: number;
}

/**
 * An event for billing that a process of an earlier release recorded. `moveFormerEvents` moves it
 * to the outbox.
 */
export interface BillingEventRow {
  id: string;
  type: string;
  account_id: number | null;
  payload: string;
  created_at: number;
  next_at: number | null;
  attempts: number;
  delivered_at: number | null;
  failed_at: number | null;
  error: string | null;
}

/** A webhook of an account. */
export interface WebhookRow {
  id: number;
  account_id: number;
  url: string;
  /** JSON: an array of `WebhookEventType`. */
  events: string;
  /** `whsec_` and the secret in base64. It is not hashed, because it signs messages. */
  secret: string;
  /** The previous secret, which also signs until `previous_until`. */
  previous_secret: string | null;
  previous_until: number | null;
  created_at: number;
  disabled_at: number | null;
  /** Why the service disabled it; null if its owner did. */
  disabled_reason: string | null;
}

/** An alert of an account on prices. */
export interface AlertRow {
  id: number;
  account_id: number;
  /** Its name, as chosen by the owner; empty for none. */
  name: string;
  /** An `AlertKind` of `src/domain/alerts.ts`. */
  kind: string;
  /** In cents. */
  amount: number | null;
  percent: number | null;
  days: number | null;
  /** The public id of the set that it watches; null if it watches lines. */
  set_id: string | null;
  /** An `AlertMail`. */
  mail: string;
  created_at: number;
  /** The number of the last publication that is not judged. */
  since: number;
  paused_at: number | null;
}

/** A price that an alert watches. */
export interface AlertLineRow {
  alert_id: number;
  account_id: number;
  /** The public id of the card. */
  card: string;
  /** The name of the printing. */
  printing: string;
  /** A condition or grade; empty for the market price. */
  copy: string;
  /** JSON: an `AlertState`; null until a price is judged. */
  state: string | null;
  /** 1 while the printing has a price in quarantine, so its price is judged later; otherwise 0. */
  held: number;
}

/** An event of an alert: one of its lines fired. */
export interface AlertEventRow {
  /** Derived from the publication and the line. */
  id: string;
  alert_id: number;
  account_id: number;
  /** When it was recorded. */
  at: number;
  published_at: number;
  publication: number;
  publication_id: string;
  card: string;
  printing: string;
  copy: string;
  /** In cents; null for a first price. */
  before: number | null;
  /** In cents. */
  after: number;
  /** When to mail it; null for never, or once its mail is in the outbox. */
  mail_at: number | null;
}

/** The key that signs unsubscribe links, in a single row. */
export interface MailKeyRow {
  id: number;
  /** 256 random bits in base64url. */
  secret: string;
}

/** The progress of judging the alerts, in a single row. */
export interface AlertProgressRow {
  id: number;
  /** The publication that was judged last, or is being judged. */
  revision: number;
  publication_id: string;
  /** The last judged change; null once the publication is judged. */
  place: string | null;
}

/** An event to deliver to a webhook. */
export interface OutboxRow {
  /** The id that it is sent with; every retry sends the same id. */
  id: string;
  /** The row id of the account's webhook; 0 for the operator's billing system. */
  webhook_id: number;
  type: string;
  /** The event is deleted together with this account; null for none. */
  account_id: number | null;
  /** JSON, exactly as sent. */
  payload: string;
  created_at: number;
  /** The last moment for an attempt. */
  retry_until: number;
  /** When to send it next; null if it will not be sent again. */
  next_at: number | null;
  attempts: number;
  delivered_at: number | null;
  /** When it was given up. */
  failed_at: number | null;
  /** The error of the last attempt. */
  error: string | null;
  /** JSON: an array of `Attempt`, oldest first; null before the first one ended. */
  log: string | null;
}

/** Whether events are recorded, in a single row. */
export interface BillingStateRow {
  id: number;
  enabled: number;
}

/** The authenticator app of an account. */
export interface TotpRow {
  account_id: number;
  /** 160 bits in Base32. It cannot be stored as a hash, because codes are computed from it. */
  secret: string;
  created_at: number;
  /** When its owner first entered a code. Null until then: it is not yet a second factor. */
  confirmed_at: number | null;
  /** The newest time step whose code was accepted. Codes of this step or earlier are refused. */
  last_step: number;
}

/** A passkey of an account. */
export interface PasskeyRow {
  id: number;
  account_id: number;
  /** The credential id of WebAuthn, in base64url. */
  credential_id: string;
  /** The public key as COSE, in base64url. */
  public_key: string;
  /** The authenticator's own count of its signatures; 0 if it does not count. */
  counter: number;
  /** How browsers reach the authenticator, such as `internal`, separated by commas. */
  transports: string;
  /** The name chosen by its owner. */
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** A code that replaces a lost second factor, once. */
export interface RecoveryCodeRow {
  /** SHA-256 of the code, hexadecimal. */
  code_hash: string;
  account_id: number;
  used_at: number | null;
}

/** A one-time challenge that a browser must answer within minutes. */
export interface ChallengeRow {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  /** A `ChallengePurpose` of `src/accounts/sign-in/challenges.ts`. */
  purpose: string;
  /** Null if only the answer shows whose account it is. */
  account_id: number | null;
  /** The account's `credential_version` when the challenge was created. */
  credential_version: number;
  expires_at: number;
}

/** The answer to a request that its sender may repeat. */
export interface ReplayRow {
  /** Derived from the sender and the `Idempotency-Key`, hexadecimal. */
  id: string;
  /** The account of the sender. */
  account_id: number;
  /** Encrypted with a key that is derived from the `Idempotency-Key`, in base64. */
  answer: string;
  expires_at: number;
}
