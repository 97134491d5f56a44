import type { Defaulted, Numbered } from '../catalogue/schema.ts';

/**
 * The rows of accounts and of all that requests write, which `account-migrations.ts` and
 * `usage-file.ts` create. On SQLite they are in files of their own (docs/adr/0025), so
 * that no statement joins them with the catalogue, and no transaction writes both.
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
  billing_events: Defaulted<BillingEventRow, 'delivered_at' | 'failed_at' | 'error'>;
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
  recent_requests: RecentRequestRow;
  start_settings: StartSettingRow;
  totp: TotpRow;
  passkeys: Numbered<PasskeyRow>;
  recovery_codes: RecoveryCodeRow;
  challenges: ChallengeRow;
}

type LaterSessionColumn =
  | 'credential_version'
  | 'last_used_at'
  | 'authenticated_at'
  | 'address'
  | 'user_agent';

/** Every table of accounts, those first to which others refer. */
export const ACCOUNT_TABLES = Object.keys({
  accounts: true,
  password_resets: true,
  devices: true,
  api_keys: true,
  audit: true,
  plans: true,
  plan_version: true,
  billing_events: true,
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
  recent_requests: true,
  start_settings: true,
  totp: true,
  passkeys: true,
  recovery_codes: true,
  challenges: true,
} satisfies Record<keyof AccountDatabase, true>);

export interface AccountRow {
  id: number;
  email: string;
  plan: string;
  created_at: number;
  disabled_at: number | null;
  /** argon2id in the PHC string format; null for an account that nobody can sign in to. */
  password_hash: string | null;
  /** 1 for an operator, who may see and change all accounts; else 0. */
  operator: number;
  /**
   * Grows with everything that ends sessions: a new password, a reset, disabling. A session carries
   * the version that was verified when it began, and works only while it is the same.
   */
  credential_version: number;
  /** When the owner proved to read the e-mail address, or an operator confirmed it; else null. */
  verified_at: number | null;
  /** JSON: the `AccountLimits` that it has otherwise than its plan; null for none. */
  limits: string | null;
}

/** A link by which a password can be set once. */
export interface PasswordResetRow {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  account_id: number;
  expires_at: number;
}

/** A browser in which somebody has signed in to an account, and may do so again under attack. */
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
  /** The last characters of the secret, by which its owner recognises it. */
  hint: string;
  name: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** JSON of what it may do less than its account (`src/accounts/keys/key-restrictions.ts`); null for all. */
  restrictions: string | null;
}

/** How many requests an account was charged on one day. */
export interface UsageRow {
  account_id: number;
  day: number;
  used: number;
}

/** How many priced cards the pages showed to visitors of a network on one day. */
export interface VisitorUsageRow {
  /** A number that stands for the network; see `src/accounts/quota/page-quota.ts`. */
  network: number;
  day: number;
  used: number;
}

/** A session of a browser that is signed in. */
export interface SessionRow {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  account_id: number;
  created_at: number;
  expires_at: number;
  /** The account's `credential_version` when the password of the session was verified. */
  credential_version: number;
  /** When a request last used it, to the minute. */
  last_used_at: number;
  /** When its owner last proved who they are. */
  authenticated_at: number;
  /** From which network address and with which browser it began. */
  address: string;
  user_agent: string;
}

/** Attempts at something that slows down, such as signing in to an account. */
export interface AttemptsRow {
  subject: string;
  /** How many attempts have failed or are still undecided. */
  failures: number;
  last_at: number;
}

/** How many requests of an account on one day had an endpoint and a class of status. */
export interface RequestCountRow {
  account_id: number;
  day: number;
  endpoint: string;
  /** 2 for 200 to 299, and so on. */
  status_class: number;
  count: number;
}

/** How many requests an API key with a limit of its own was charged on one day. */
export interface KeyUsageRow {
  key_id: number;
  day: number;
  used: number;
}

/** How many requests of an API key on one day had an endpoint and an error. */
export interface KeyCountRow {
  key_id: number;
  day: number;
  endpoint: string;
  /** The code of the error; `''` for none. */
  code: string;
  count: number;
}

/** One of the last requests of an account. */
export interface RecentRequestRow {
  account_id: number;
  at: number;
  request_id: string;
  key_id: number;
  endpoint: string;
  status: number;
  /** The code of the error; null for none. */
  code: string | null;
  /** How long the answer took, in milliseconds. */
  ms: number;
}

/** When an API key was last used, and from which network address. */
export interface KeyUseRow {
  key_id: number;
  at: number;
  address: string;
}

/** A setting with which the service last started and which is not the default. */
export interface StartSettingRow {
  /** The environment variable. */
  name: string;
  /** Its text, or of a secret a digest with its salt. */
  value: string;
}

/** Something that happened to accounts or settings, and who did it. Rows are never changed. */
export interface AuditRow {
  id: number;
  at: number;
  /** An `AuditAction` of `src/domain/audit.ts`. */
  action: string;
  /** `account`, `operator`, `command` or `service`. */
  actor: string;
  /** The e-mail address of the account that did it; null where none did. */
  actor_email: string | null;
  /** The network address that it came from; null on the command line. */
  address: string | null;
  request_id: string | null;
  /** The e-mail address, key, source … that it was done to; null for none. */
  subject: string | null;
  /** More about it, in words; never a secret. */
  detail: string | null;
}

/** A plan, as the operator has set it. */
export interface PlanRow {
  name: string;
  label: string;
  daily_requests: number;
  /** In cents a month. */
  price: number;
  burst_requests: number | null;
  burst_seconds: number | null;
  history_days: number | null;
  /** JSON: an array of features. */
  features: string;
}

/** The one row of this table counts the changes of plans. */
export interface PlanVersionRow {
  id: number;
  version: number;
}

/** An event that is told to the operator's billing system. */
export interface BillingEventRow {
  /** The id under which it is sent, each time again. */
  id: string;
  /** A `BillingEventType` of `src/domain/billing.ts`. */
  type: string;
  /** The account with which it is deleted; null for none. */
  account_id: number | null;
  /** JSON, as it is sent. */
  payload: string;
  created_at: number;
  /** When it is to be sent; null when it is not any more. */
  next_at: number | null;
  attempts: number;
  delivered_at: number | null;
  /** When it was given up. */
  failed_at: number | null;
  /** What went wrong the last time. */
  error: string | null;
}

/** The one row of this table says whether events are recorded. */
export interface BillingStateRow {
  id: number;
  enabled: number;
}

/** The authenticator app of an account. */
export interface TotpRow {
  account_id: number;
  /** 160 bits in Base32. Codes are made of it, so that it cannot be stored as a hash. */
  secret: string;
  created_at: number;
  /** When its owner first sent a code of it; null until then, when it is no second factor yet. */
  confirmed_at: number | null;
  /** The last time step of which a code was accepted; no code of it or before works again. */
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
  /** How often the authenticator has signed, as it says; 0 of those that do not count. */
  counter: number;
  /** How browsers reach it, such as `internal`, separated by commas. */
  transports: string;
  /** What its owner calls it. */
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** A code that stands in once for a second factor that is lost. */
export interface RecoveryCodeRow {
  /** SHA-256 of the code, hexadecimal. */
  code_hash: string;
  account_id: number;
  used_at: number | null;
}

/** Something that a browser has to prove within minutes, once. */
export interface ChallengeRow {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  /** A `ChallengePurpose` of `src/accounts/sign-in/challenges.ts`. */
  purpose: string;
  /** Null where it turns out only with the proof whose it is. */
  account_id: number | null;
  /** The account's `credential_version` when it was made. */
  credential_version: number;
  expires_at: number;
}
