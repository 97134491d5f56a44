import { type Static, Type } from 'typebox';
import type { FactorKind } from '../accounts/sign-in/sign-in-steps.ts';
import { GAME_SLUGS } from '../domain/games.ts';
import type { Feature } from '../domain/plans.ts';
import { Burst, HistoryDays } from '../operator/limits.ts';
import {
  Count,
  Moment,
  OptionalMoment,
  OptionalNumber,
  OptionalText,
} from '../operator/schemas.ts';

/** The bodies of answers about the user's own account. The pages take their types from here. */

export const PlanView = Type.Object({
  name: Type.String(),
  label: Type.String(),
  /** `UNLIMITED` without a limit. */
  dailyRequests: Count,
  /** Priced cards that the pages show in a day; `UNLIMITED` without a limit. */
  dailyLookups: Count,
  /** How many days of the history may be read; null for all. */
  historyDays: OptionalNumber,
  /** In dollars per month. */
  price: Type.Number(),
  features: Type.Array(Type.Unsafe<Feature>({ type: 'string' })),
  /** The most alerts of an account. */
  alerts: Count,
  /** The operator's text on how to get the plan; empty for none. */
  howToGet: Type.String(),
});

/** The signed-in account. */
export const Me = Type.Object({
  email: Type.String(),
  plan: Type.String(),
  isOperator: Type.Boolean(),
  createdAt: Moment,
  /** Signed-in browsers, including this one. */
  sessions: Count,
  /** The kinds of its second factors. */
  secondFactors: Type.Array(Type.Unsafe<FactorKind>({ type: 'string' })),
  /** Whether it must add a second factor before anything else. */
  needsSecondFactor: Type.Boolean(),
});

/** The first data that the pages load. */
export const SessionView = Type.Object({
  /** Null when nobody is signed in. */
  account: Type.Unsafe<Static<typeof Me> | null>({ ...Me, type: ['object', 'null'] }),
  /** The operator's branding of the service. */
  brand: Type.Object({ name: Type.String(), tagline: Type.String(), hasLogo: Type.Boolean() }),
  /** Whether visitors without an account may read cards. */
  isPublic: Type.Boolean(),
  signUp: Type.Unsafe<'open' | 'invitation' | 'off'>({ type: 'string' }),
  /** Whether the service can mail links to set a new password. */
  mail: Type.Boolean(),
  /** Whether there are pictures of cards. */
  pictures: Type.Boolean(),
  /** The only origin where passkeys work; null if they work nowhere. */
  passkeyOrigin: OptionalText,
  /** The server's clock, because the reader's may be wrong. */
  now: Moment,
  version: Type.String(),
  plans: Type.Array(PlanView),
  /** How many days of the history the pages show; null for all. */
  historyDays: OptionalNumber,
  games: Type.Array(
    Type.Object({
      id: Type.Unsafe<(typeof GAME_SLUGS)[number]>({ type: 'string', enum: [...GAME_SLUGS] }),
      name: Type.String(),
    }),
  ),
  /** The most API keys of an account that work at the same time. */
  maxKeys: Count,
  /** The default last day (UTC) of a new API key; null for no end. */
  keyExpires: OptionalText,
  /** The shortest and the longest password, in characters. */
  password: Type.Object({ least: Count, most: Count }),
});

/** The effect of a link to set a password. */
export const ResetPreviewView = Type.Object({
  email: Type.String(),
  /** Whether the account was already confirmed. */
  isConfirmed: Type.Boolean(),
  /** Working API keys, which are revoked unless they are kept. */
  keys: Count,
});

/** A browser signed in to the account. */
export const SessionEntryView = Type.Object({
  id: Type.String(),
  /** The network address from which it signed in, and its name for itself. */
  address: Type.String(),
  userAgent: Type.String(),
  createdAt: Moment,
  /** When it was last used, to the minute. */
  lastUsedAt: Moment,
  /** Whether it is the browser that sent this request. */
  isCurrent: Type.Boolean(),
});

/** The outcome of a deletion. */
export const DeletionView = Type.Object({
  /**
   * The account's name in the audit log from now on, its number of entries, and how long they are
   * kept.
   */
  name: Type.String(),
  auditEntries: Count,
  auditDays: Count,
  keys: Count,
  sessions: Count,
});

/** A sign-in that waits for one of these second factors. */
export const PendingView = Type.Object({
  factors: Type.Array(Type.Unsafe<FactorKind>({ type: 'string' })),
});

export const PasskeyView = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  createdAt: Type.String(),
  /** Null for never. */
  lastUsedAt: OptionalMoment,
});

export const FactorsView = Type.Object({
  /** When the authenticator app was added; null for none. */
  totpSince: OptionalMoment,
  passkeys: Type.Array(PasskeyView),
  /** Unused recovery codes. */
  recoveryCodes: Type.Integer(),
  /** Whether the last one must stay. */
  isRequired: Type.Boolean(),
});

/** An authenticator app that its owner has not set up yet. */
export const NewTotpView = Type.Object({ secret: Type.String(), uri: Type.String() });

/** New recovery codes, shown only once; empty if earlier ones still work. */
export const RecoveryCodesView = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

/** The limits of an account, from its plan, its own limits and the settings of the service. */
const UsageLimitsView = Type.Object({
  burst: Burst,
  /** The burst limit of each API key. */
  keyBurst: Burst,
  historyDays: HistoryDays,
  features: Type.Array(Type.Unsafe<Feature>({ type: 'string' })),
  alerts: Count,
});

/** A set with the change of its total market price. */
export const MovedSetView = Type.Object({
  setId: Type.String(),
  code: Type.String(),
  name: Type.String(),
  game: Type.String(),
  /** In US dollars, for one copy of each printing with reliable prices then and now. */
  amount: Type.Number(),
  percent: Type.Number(),
});

/** The number of prices in the catalogue. */
export const PriceCountsView = Type.Object({
  /** Printings with a market price. */
  prices: Count,
  /** From the first day of the history to the newest prices. */
  days: Count,
});

/** Priced cards that the pages may still show the account, or the visitor's network, today. */
export const LookupsView = Type.Object({
  /** The quota of the day (UTC). */
  limit: Count,
  remaining: Count,
  /** When the quota resets. */
  resetAt: Moment,
});

export const UsageView = Type.Object({
  /** Requests in today's quota (UTC). */
  limit: Count,
  used: Count,
  remaining: Count,
  /** When the quota resets. */
  resetAt: Moment,
  now: Moment,
  limits: UsageLimitsView,
  /** The last 30 days (UTC), oldest first, including days without requests. Today is the last. */
  days: Type.Array(
    Type.Object({
      date: Type.String(),
      /** By endpoint and class of status; omits combinations without requests. */
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

/** The requests of the last 30 days by API key, endpoint and error, and the last ones. */
export const RequestsView = Type.Object({
  /** The most frequent first. */
  counts: Type.Array(
    Type.Object({
      keyId: Type.Integer(),
      keyName: Type.String(),
      /** As in the reference: `GET /v1/cards/{id}`. */
      endpoint: Type.String(),
      /** The code of the error; null for successful requests. */
      code: OptionalText,
      count: Type.Integer(),
    }),
  ),
  /** Newest first. */
  recent: Type.Array(
    Type.Object({
      at: Type.String(),
      /** Its id in the log of the service. */
      requestId: Type.String(),
      keyName: Type.String(),
      endpoint: Type.String(),
      status: Type.Integer(),
      code: OptionalText,
      /** The duration of the request, in milliseconds. */
      ms: Type.Number(),
    }),
  ),
});
