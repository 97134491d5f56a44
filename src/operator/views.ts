import { Type } from 'typebox';
import type { ActorKind, AuditAction } from '../domain/audit.ts';
import type { Finding } from '../domain/finding.ts';
import type { KeyScope } from '../domain/key-scopes.ts';
import { SYNC_RUN_STATES, type SyncRunState } from '../domain/sync.ts';
import { AlertCount, Burst, Daily, Features, HistoryDays, OwnLimits, Price } from './limits.ts';
import { Count, Moment, OptionalMoment, OptionalNumber, OptionalText } from './schemas.ts';

/** The bodies of answers to operators. The pages take their types from here. */

export const AccountView = Type.Object({
  email: Type.String(),
  plan: Type.String(),
  isOperator: Type.Boolean(),
  usedToday: Count,
  /** `UNLIMITED` without a limit. */
  dailyRequests: Count,
  limits: OwnLimits,
  createdAt: Moment,
  disabledAt: OptionalMoment,
  /** Whether its owner has proved access to the mailbox, or an operator has confirmed it. */
  isConfirmed: Type.Boolean(),
});

export const AccountsPage = Type.Object({
  data: Type.Array(AccountView),
  total: Count,
  /** Accounts that wait to be confirmed, listed or not. */
  waiting: Count,
  limit: Count,
  offset: Count,
});

export const ResetLinkView = Type.Object({ link: Type.String(), expiresAt: Moment });

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
  /** The network address of its last use. */
  lastUsedFrom: OptionalText,
  /** Its allowed uses; null for all. */
  scopes: Type.Unsafe<readonly KeyScope[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
  }),
  /** Requests per day that it may use from the quota; null for all of them. */
  dailyRequests: OptionalNumber,
  /** Requests of today (UTC); null for a key without a limit. */
  usedToday: OptionalNumber,
  /** The networks from which it works; null for any. */
  addresses: Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
  }),
  /** Whether it is also accepted as `?api_key=`. */
  inQuery: Type.Boolean(),
};

export const KeyView = Type.Object(KeyFields);

/** A new API key with its secret, which is shown only once. */
export const NewKeyView = Type.Object({ ...KeyFields, key: Type.String() });

/** A plan as operators see it. */
export const OperatorPlanView = Type.Object({
  name: Type.String(),
  label: Type.String(),
  price: Price,
  dailyRequests: Daily,
  burst: Burst,
  historyDays: HistoryDays,
  features: Features,
  alerts: AlertCount,
  howToGet: Type.String({ description: 'How an account gets the plan; empty without words.' }),
});

/** The market prices of a printing on the last known days, in dollars. */
const MarketTrailView = Type.Object({
  /** `YYYY-MM-DD` */
  from: Type.String(),
  /** For each day from the first one; null if unknown. */
  market: Type.Array(OptionalNumber),
});

export const QuarantinedView = Type.Object({
  id: Count,
  source: Type.String(),
  game: OptionalText,
  /** The card's id in the API, if it concerns one. */
  cardId: OptionalText,
  cardName: OptionalText,
  printing: OptionalText,
  /** The validation rule that it violated, and how, in words. */
  rule: Type.String(),
  detail: Type.String(),
  currency: Type.String(),
  /** The amount farthest from its accepted value, and that value, in units of the currency. */
  amount: OptionalText,
  value: OptionalNumber,
  was: OptionalNumber,
  /** The ratio of the two. */
  ratio: OptionalNumber,
  quarantinedAt: Moment,
  /** The day (UTC) on which its source observed it. */
  observedOn: OptionalText,
  history: Type.Union([MarketTrailView, Type.Null()]),
  /** Whether the operator may approve it; never true for an impossible price. */
  isApprovable: Type.Boolean(),
  /** What would settle it, or why it has closed, in a sentence. */
  settledBy: Type.String(),
  /** The day (UTC) on which it closes by itself; null if it does not wait. */
  closesOn: OptionalText,
  /** The served market price of the printing, in dollars. */
  market: OptionalNumber,
  setName: OptionalText,
  /** The description of the card's picture; null if it concerns no card. */
  pictured: Type.Union([
    Type.Object({
      image: OptionalText,
      number: OptionalText,
      rarity: OptionalText,
      setCode: OptionalText,
    }),
    Type.Null(),
  ]),
});

export const QuarantineList = Type.Object({ data: Type.Array(QuarantinedView), total: Count });

/** A set with waiting prices; both null for prices without a set. */
export const QuarantinedSetView = Type.Object({
  set: OptionalNumber,
  name: OptionalText,
  count: Count,
});

/** Quarantined prices with the same set, rule or source. */
export const QuarantineGroupView = Type.Object({
  /** Null for prices without a set. */
  name: OptionalText,
  /** The row id of the set and its game, for groups by set. */
  set: OptionalNumber,
  game: OptionalText,
  /** For groups by rule. */
  rule: OptionalText,
  count: Count,
  /** The smallest and the greatest multiple of the accepted amounts, if known. */
  change: Type.Union([Type.Object({ from: Type.Number(), to: Type.Number() }), Type.Null()]),
  rules: Type.Array(Type.String()),
  sources: Type.Array(Type.String()),
  /** The number of requests in 30 days for its most requested card. */
  views: Count,
  /** A description in a sentence. */
  sentence: Type.String(),
  /** When the first and the last of them were quarantined. */
  oldest: Moment,
  newest: Moment,
  /** The first day (UTC) on which one of them closes by itself; null if none waits. */
  closesOn: OptionalText,
  /** The highest of their ids. */
  lastId: Count,
  /** The prices farthest from their accepted values. */
  examples: Type.Array(QuarantinedView),
});

export const QuarantineGroups = Type.Object({
  data: Type.Array(QuarantineGroupView),
  total: Count,
  limit: Count,
  offset: Count,
});

/** The most important decisions, by the money at stake. */
export const QuarantineDigestView = Type.Object({
  data: Type.Array(QuarantineGroupView),
  /** The number of pending decisions, and of their prices. */
  total: Count,
  entries: Count,
});

/** The outcome of a decision on several quarantined prices. */
export const DecisionView = Type.Object({
  /** The affected prices. */
  decided: Count,
  /** The prices that changed a served price. */
  pricesChanged: Count,
  /** The prices that stay unchanged, because they are impossible, or something newer is known. */
  refused: Count,
  /** Identifies the decision, to undo it; null for a decision that undid another. */
  decidedAt: OptionalText,
});

/** A decision that can be undone. */
export const ListedDecisionView = Type.Object({
  decision: Type.Unsafe<'approved' | 'rejected'>({ type: 'string' }),
  decidedAt: Moment,
  count: Count,
  /** The first sets, by name; null for prices without a set. */
  sets: Type.Array(OptionalText),
  /** The number of sets. */
  setCount: Count,
  rules: Type.Array(Type.String()),
});

export const ListedDecisions = Type.Object({
  data: Type.Array(ListedDecisionView),
  total: Count,
  limit: Count,
  offset: Count,
});

export const HealthView = Type.Object({
  version: Type.String(),
  /** The processes that answer requests on this machine. */
  processes: Type.Integer(),
  /** When the next sync begins; null if the service does not sync by itself. */
  nextSyncAt: OptionalMoment,
  /** When the newest backup next to a SQLite database was made. */
  backupAt: OptionalMoment,
  /** Null if the database is on a server. */
  freeBytes: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** The files of a SQLite database. */
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer() })),
  /** The findings of `cardprice doctor`. */
  findings: Type.Array(
    Type.Object({
      about: Type.Unsafe<Finding['about']>({ type: 'string' }),
      state: Type.Unsafe<Finding['state']>({ type: 'string' }),
      says: Type.String(),
      fix: Type.String(),
    }),
  ),
  /** The cards of each game with cards, and the number with a price. */
  games: Type.Array(
    Type.Object({ game: Type.String(), cards: Type.Integer(), priced: Type.Integer() }),
  ),
  /**
   * The number of times each error was answered to callers today (UTC), the most frequent first.
   */
  errors: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() })),
});

/** A group or file of a source that could not be read, at least in part. */
export const FailedPartView = Type.Object({
  part: Type.String(),
  since: Moment,
  /** Omitted rows; null if the whole part could not be read. */
  badRows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** The location and reason of the first fault. */
  example: Type.String(),
});

export const SourceHealthView = Type.Object({
  source: Type.String(),
  game: OptionalText,
  succeededAt: OptionalMoment,
  observedAt: OptionalMoment,
  /** Seconds since its newest price was observed. */
  age: OptionalNumber,
  /** Whether its age has a limit. Without one, it is never stale. */
  isWatched: Type.Boolean(),
  isStale: Type.Boolean(),
  /** Cards of the game with a price from it, and all cards of the game. */
  priced: Count,
  cards: Count,
  /** Its quarantined prices that wait for the operator. */
  quarantined: Count,
  /** The number of its parts that could not be read completely, and the first of them. */
  failedPartCount: Count,
  failedParts: Type.Array(FailedPartView),
  error: OptionalText,
  errorAt: OptionalMoment,
});

const SyncRunView = Type.Object({
  /** Null for all configured sources. */
  source: OptionalText,
  startedAt: Type.String(),
  /** Null while it is running, and if its end was not observed. */
  endedAt: OptionalText,
  state: Type.Unsafe<SyncRunState>({ type: 'string', enum: [...SYNC_RUN_STATES] }),
  /** The last lines that it printed, without control characters. */
  lines: Type.Array(Type.String()),
});

export const SyncView = Type.Object({
  /** The sources of CARDPRICE_SYNC, each with its missing settings. */
  sources: Type.Array(Type.Object({ name: Type.String(), hindrance: OptionalText })),
  /** The last run; null before the first. */
  run: Type.Union([SyncRunView, Type.Null()]),
});

/** An event about accounts, keys, prices or settings. */
export const AuditEntryView = Type.Object({
  id: Count,
  at: Moment,
  action: Type.Unsafe<AuditAction>({ type: 'string' }),
  /** The channel, and the acting account. */
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
