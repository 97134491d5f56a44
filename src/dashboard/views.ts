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

/** The bodies of answers about the own account. The pages take their types from here. */

export const PlanView = Type.Object({
  name: Type.String(),
  label: Type.String(),
  /** `UNLIMITED` where nothing limits them. */
  dailyRequests: Count,
  /** How many priced cards the pages show in a day; `UNLIMITED` where nothing limits them. */
  dailyLookups: Count,
  /** How many days back the history may be read; null for all. */
  historyDays: OptionalNumber,
  /** Dollars a month. */
  price: Type.Number(),
  features: Type.Array(Type.Unsafe<Feature>({ type: 'string' })),
  /** How many alerts an account may have. */
  alerts: Count,
  /** The operator's words on how an account gets the plan; empty without any. */
  howToGet: Type.String(),
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

/** What a link to set a password is for. */
export const ResetPreviewView = Type.Object({
  email: Type.String(),
  /** Whether the account was confirmed before. */
  isConfirmed: Type.Boolean(),
  /** How many API keys work, and stop working unless they are kept. */
  keys: Count,
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

/** What became of a deletion. */
export const DeletionView = Type.Object({
  /** What the audit log calls the account from now on, in how many entries, and for how long. */
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
  /** Since when there is an authenticator app; null for none. */
  totpSince: OptionalMoment,
  passkeys: Type.Array(PasskeyView),
  /** How many recovery codes still work. */
  recoveryCodes: Type.Integer(),
  /** Whether the last one cannot be removed. */
  isRequired: Type.Boolean(),
});

/** An authenticator app that its owner has yet to set up. */
export const NewTotpView = Type.Object({ secret: Type.String(), uri: Type.String() });

/** New recovery codes, shown only this once; empty if earlier ones keep working. */
export const RecoveryCodesView = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

/** What limits an account, by its plan, its own limits and the settings of the service. */
const UsageLimitsView = Type.Object({
  burst: Burst,
  /** The burst limit of each API key. */
  keyBurst: Burst,
  historyDays: HistoryDays,
  features: Type.Array(Type.Unsafe<Feature>({ type: 'string' })),
  alerts: Count,
});

/** A set whose market prices have moved as a sum. */
export const MovedSetView = Type.Object({
  setId: Type.String(),
  code: Type.String(),
  name: Type.String(),
  game: Type.String(),
  /** In US dollars, of one of each printing whose prices are reliable then and now. */
  amount: Type.Number(),
  percent: Type.Number(),
});

/** How much the catalogue has of prices. */
export const PriceCountsView = Type.Object({
  /** Printings with a market price. */
  prices: Count,
  /** From the first day of the history to the newest prices. */
  days: Count,
});

/** How many priced cards the pages still show the account, or the visitor's network, today. */
export const LookupsView = Type.Object({
  /** The quota of the day (UTC). */
  limit: Count,
  remaining: Count,
  /** When the quota resets. */
  resetAt: Moment,
});

export const UsageView = Type.Object({
  /** Requests of the quota of today (UTC). */
  limit: Count,
  used: Count,
  remaining: Count,
  /** When the quota resets. */
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

/** The requests of the last 30 days by API key, endpoint and error, and the last ones. */
export const RequestsView = Type.Object({
  /** The most first. */
  counts: Type.Array(
    Type.Object({
      keyId: Type.Integer(),
      keyName: Type.String(),
      /** As in the reference: `GET /v1/cards/{id}`. */
      endpoint: Type.String(),
      /** The code of the error; null for requests that were answered. */
      code: OptionalText,
      count: Type.Integer(),
    }),
  ),
  /** The newest first. */
  recent: Type.Array(
    Type.Object({
      at: Type.String(),
      /** By which the log of the service has it. */
      requestId: Type.String(),
      keyName: Type.String(),
      endpoint: Type.String(),
      status: Type.Integer(),
      code: OptionalText,
      /** How long the answer took, in milliseconds. */
      ms: Type.Number(),
    }),
  ),
});
