import { type Static, type TSchema, Type } from 'typebox';
import type { FactorKind } from '../accounts/sign-in/sign-in-steps.ts';
import type { ActorKind, AuditAction } from '../domain/audit.ts';
import { GAME_SLUGS } from '../domain/games.ts';
import { ALL_SCOPE_NAMES, type KeyScope } from '../domain/key-scopes.ts';
import type { Feature } from '../domain/plans.ts';
import { OwnLimits } from './limit-schemas.ts';
import { UsageLimitsView } from './usage-schemas.ts';

/**
 * The schemas of the dashboard's own JSON calls: they validate, serialise and give the pages their
 * types. Moments are ISO 8601 in UTC, days `YYYY-MM-DD`, amounts dollars. Cards, sets and histories
 * have the schemas of `/v1`.
 */

/** The titles are the names of the parts in messages. */
const Email = Type.String({ title: 'The e-mail address', minLength: 1, maxLength: 254 });
/** Far above the longest password, whose length is checked after normalisation. */
const Password = Type.String({ title: 'The password', minLength: 1, maxLength: 1024 });
const KeyName = Type.String({ title: 'The name', minLength: 1, maxLength: 100 });
const PlanChoice = Type.String({ title: 'The plan', minLength: 1, maxLength: 40 });

export const SignInBody = Type.Object({ email: Email, password: Password });

export const SignUpBody = Type.Object({
  email: Email,
  /** Chosen with the link of the mail where addresses are proved by mail. */
  password: Type.Optional(Password),
  invitation: Type.Optional(Type.String({ title: 'The invitation code', maxLength: 100 })),
});

export const EmailBody = Type.Object({ email: Email });

const Token = Type.String({ title: 'The link', minLength: 1, maxLength: 100 });

export const TokenBody = Type.Object({ token: Token });

export const ResetBody = Type.Object({
  token: Token,
  password: Password,
  /** Whether API keys go on working; only in an account that was confirmed before. */
  keepKeys: Type.Optional(Type.Boolean({ title: 'Whether to keep the keys' })),
});

/** The id of a session in the list of its account. */
export const SessionIdBody = Type.Object({
  id: Type.String({ title: 'The session', minLength: 1, maxLength: 100 }),
});

export const NewPasswordBody = Type.Object({
  current: Type.String({ title: 'The current password', minLength: 1, maxLength: 1024 }),
  next: Type.String({ title: 'The new password', minLength: 1, maxLength: 1024 }),
});

export const PasswordBody = Type.Object({ password: Password });

/** What is left out is as the service says for a new key, and stays for one that is changed. */
export const KeyBody = Type.Object({
  name: Type.Optional(KeyName),
  /** The last day (UTC) on which it works, or `never`. */
  expires: Type.Optional(Type.String({ title: 'The expiry date', maxLength: 10 })),
  scopes: Type.Optional(
    Type.Array(Type.String({ enum: [...ALL_SCOPE_NAMES] }), {
      title: 'The list of scopes',
      minItems: 1,
      maxItems: ALL_SCOPE_NAMES.length,
    }),
  ),
  /** Requests a day that it may use of the quota; null for all of them. */
  dailyRequests: Type.Optional(
    Type.Unsafe<number | null>({ title: 'The limit', type: ['integer', 'null'] }),
  ),
  /** Addresses and networks in CIDR notation; none for any. */
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), { title: 'The list of addresses', maxItems: 100 }),
  ),
  /** Whether it works as `?api_key=`, too. */
  inQuery: Type.Optional(Type.Boolean({ title: 'The query' })),
});

/** The end of the key that the page shows: another tab may have replaced the key meanwhile. */
export const HintBody = Type.Object({
  hint: Type.String({ title: 'The end of the key', minLength: 1, maxLength: 10 }),
});

export const PlanBody = Type.Object({ email: Email, plan: PlanChoice });

const Moment = Type.String();
const OptionalMoment = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const OptionalText = OptionalMoment;
const OptionalNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });
const Count = Type.Integer();

/** A payload in its envelope. */
export function Data<Payload extends TSchema>(payload: Payload) {
  return Type.Object({ data: payload });
}

/** A payload without members. */
export const EmptyView = Type.Object({});

export const PlanView = Type.Object({
  name: Type.String(),
  label: Type.String(),
  /** `UNLIMITED` where nothing limits them. */
  dailyRequests: Count,
  /** How many days back the history may be read; null for all. */
  historyDays: OptionalNumber,
  /** Dollars a month. */
  price: Type.Number(),
  features: Type.Array(Type.Unsafe<Feature>({ type: 'string' })),
});

/** The signed-in account. */
export const Me = Type.Object({
  email: Type.String(),
  plan: Type.String(),
  isOperator: Type.Boolean(),
  createdAt: Moment,
  /** Browsers that are signed in, this one too. */
  sessions: Count,
  /** The kinds of second factors that it has. */
  secondFactors: Type.Array(Type.Unsafe<FactorKind>({ type: 'string' })),
  /** Whether it can do nothing before it has a second factor. */
  needsSecondFactor: Type.Boolean(),
});

/** A browser that is signed in to the account. */
export const SessionEntryView = Type.Object({
  id: Type.String(),
  /** The network address from which it signed in, and what it called itself. */
  address: Type.String(),
  userAgent: Type.String(),
  createdAt: Moment,
  /** When it was last used, to the minute. */
  lastUsedAt: Moment,
  /** Whether it is the browser that asks. */
  isCurrent: Type.Boolean(),
});

/** What a link to set a password is for. */
export const ResetPreviewView = Type.Object({
  email: Type.String(),
  /** Whether the account was confirmed before. */
  isConfirmed: Type.Boolean(),
  /** How many API keys work, and stop working unless they are kept. */
  keys: Count,
});

/** What the pages load first. */
export const SessionView = Type.Object({
  /** Null when nobody is signed in. */
  account: Type.Unsafe<Static<typeof Me> | null>({ ...Me, type: ['object', 'null'] }),
  /** How the operator presents the service. */
  brand: Type.Object({ name: Type.String(), tagline: Type.String(), hasLogo: Type.Boolean() }),
  /** Whether visitors without an account may read cards. */
  isPublic: Type.Boolean(),
  signUp: Type.Unsafe<'open' | 'invitation' | 'off'>({ type: 'string' }),
  /** Whether a link to set a new password can be sent by mail. */
  mail: Type.Boolean(),
  /** Whether there are pictures of cards. */
  pictures: Type.Boolean(),
  /** The only origin at which passkeys work; null where they do not. */
  passkeyOrigin: OptionalText,
  /** The server's clock: the reader's may be wrong. */
  now: Moment,
  version: Type.String(),
  plans: Type.Array(PlanView),
  /** How many days back the pages show the history; null for all. */
  historyDays: OptionalNumber,
  games: Type.Array(
    Type.Object({
      id: Type.Unsafe<(typeof GAME_SLUGS)[number]>({ type: 'string', enum: [...GAME_SLUGS] }),
      name: Type.String(),
    }),
  ),
  /** The most API keys of an account that work at the same time. */
  maxKeys: Count,
  /** The last day (UTC) of a new API key unless its owner says otherwise; null for no end. */
  keyExpires: OptionalText,
  /** The shortest and the longest password, in characters. */
  password: Type.Object({ least: Count, most: Count }),
});

const KeyFields = {
  id: Count,
  name: Type.String(),
  /** The last characters of the key. */
  hint: Type.String(),
  status: Type.Unsafe<'active' | 'expired' | 'revoked'>({ type: 'string' }),
  createdAt: Moment,
  /** The last day (UTC) on which it works; null for no end. */
  expires: OptionalText,
  revokedAt: OptionalMoment,
  /** When it was last used; null for never. */
  lastUsedAt: OptionalMoment,
  /** The network address from which it was. */
  lastUsedFrom: OptionalText,
  /** What it may be used for; null for everything. */
  scopes: Type.Unsafe<readonly KeyScope[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
  }),
  /** Requests a day that it may use of the quota; null for all of them. */
  dailyRequests: OptionalNumber,
  /** Requests of today (UTC); null for a key without a limit. */
  usedToday: OptionalNumber,
  /** The networks from which it works; null for any. */
  addresses: Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
  }),
  /** Whether it works as `?api_key=`, too. */
  inQuery: Type.Boolean(),
};

export const KeyView = Type.Object(KeyFields);

/** A new API key with its secret, which is shown only once. */
export const NewKeyView = Type.Object({ ...KeyFields, key: Type.String() });

export const UsageView = Type.Object({
  /** Requests of the quota of today (UTC). */
  limit: Count,
  used: Count,
  remaining: Count,
  /** When the quota begins anew. */
  resetAt: Moment,
  now: Moment,
  limits: UsageLimitsView,
  /** The last 30 days (UTC), oldest first, days without requests too. Today is the last. */
  days: Type.Array(
    Type.Object({
      date: Type.String(),
      /** By endpoint and class of status; only what occurred. */
      requests: Type.Array(
        Type.Object({
          /** As in the reference: `GET /v1/cards/{id}`. */
          endpoint: Type.String(),
          /** 2 for 200 to 299, and so on. */
          statusClass: Count,
          count: Count,
        }),
      ),
    }),
  ),
});

export const AccountView = Type.Object({
  email: Type.String(),
  plan: Type.String(),
  isOperator: Type.Boolean(),
  usedToday: Count,
  /** `UNLIMITED` where nothing limits them. */
  dailyRequests: Count,
  limits: OwnLimits,
  createdAt: Moment,
  disabledAt: OptionalMoment,
  /** Whether its owner has proved to read the address, or an operator has confirmed it. */
  isConfirmed: Type.Boolean(),
});

export const AccountsPage = Type.Object({
  data: Type.Array(AccountView),
  total: Count,
  /** How many accounts wait to be confirmed, listed or not. */
  waiting: Count,
  limit: Count,
  offset: Count,
});

/** What became of a deletion. */
export const DeletionView = Type.Object({
  /** What the audit log calls the account from now on, in how many entries, and for how long. */
  name: Type.String(),
  auditEntries: Count,
  auditDays: Count,
  keys: Count,
  sessions: Count,
});

/** Something that happened to accounts, keys, prices or settings. */
export const AuditEntryView = Type.Object({
  id: Count,
  at: Moment,
  action: Type.Unsafe<AuditAction>({ type: 'string' }),
  /** How it was done, and by which account. */
  actor: Type.Unsafe<ActorKind>({ type: 'string' }),
  by: OptionalText,
  address: OptionalText,
  requestId: OptionalText,
  subject: OptionalText,
  detail: OptionalText,
});

export const AuditPage = Type.Object({
  data: Type.Array(AuditEntryView),
  total: Count,
  limit: Count,
  offset: Count,
});

export const ResetLinkView = Type.Object({ link: Type.String(), expiresAt: Moment });

/** A group or a file of a source that could not be read, or not all of. */
export const FailedPartView = Type.Object({
  part: Type.String(),
  since: Moment,
  /** How many rows were left out; null where nothing of the part could be read. */
  badRows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** Where the first fault is, and what is wrong there. */
  example: Type.String(),
});

export const SourceHealthView = Type.Object({
  source: Type.String(),
  game: OptionalText,
  succeededAt: OptionalMoment,
  observedAt: OptionalMoment,
  /** Seconds since its newest price was observed. */
  age: OptionalNumber,
  /** Whether its age has a limit; what has none is never stale. */
  isWatched: Type.Boolean(),
  isStale: Type.Boolean(),
  /** Cards of the game of which it has a price, and all there are. */
  priced: Count,
  cards: Count,
  /** Its prices that are quarantined and wait for the operator. */
  quarantined: Count,
  /** How many parts of it could not be read, or not all of, and the first of them. */
  failedPartCount: Count,
  failedParts: Type.Array(FailedPartView),
  error: OptionalText,
  errorAt: OptionalMoment,
});
