import { Type } from 'typebox';
import type { Finding } from '../domain/finding.ts';

/** The schemas of how the service is. */

const OptionalMoment = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const HealthView = Type.Object({
  version: Type.String(),
  /** The processes that answer requests on this machine. */
  processes: Type.Integer(),
  /** When the next sync begins; null where the service does not sync by itself. */
  nextSyncAt: OptionalMoment,
  /** When the newest backup beside a SQLite database was made. */
  backupAt: OptionalMoment,
  /** Null where the database is a server. */
  freeBytes: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** The files of a SQLite database. */
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer() })),
  /** What `cardprice doctor` finds, too. */
  findings: Type.Array(
    Type.Object({
      about: Type.Unsafe<Finding['about']>({ type: 'string' }),
      state: Type.Unsafe<Finding['state']>({ type: 'string' }),
      says: Type.String(),
      mend: Type.String(),
    }),
  ),
  /** The cards of each game that has some, and how many of them have a price. */
  games: Type.Array(
    Type.Object({ game: Type.String(), cards: Type.Integer(), priced: Type.Integer() }),
  ),
  /** How often each error was answered to callers today (UTC), the most often first. */
  errors: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() })),
});
