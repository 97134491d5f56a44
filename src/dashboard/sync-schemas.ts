import { Type } from 'typebox';
import { SYNC_RUN_STATES, type SyncRunState } from '../domain/sync-run.ts';

/** The schemas of syncs that operators start by hand. */

const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const SyncRunView = Type.Object({
  /** Null for all sources that are set. */
  source: OptionalText,
  startedAt: Type.String(),
  /** Null while it is running, and where nobody saw the end. */
  endedAt: OptionalText,
  state: Type.Unsafe<SyncRunState>({ type: 'string', enum: [...SYNC_RUN_STATES] }),
  /** The last lines that it printed, without control characters. */
  lines: Type.Array(Type.String()),
});

export const SyncView = Type.Object({
  /** The sources of CARDPRICE_SYNC, each with what its settings lack. */
  sources: Type.Array(Type.Object({ name: Type.String(), hindrance: OptionalText })),
  /** The last run; null before the first. */
  run: Type.Union([SyncRunView, Type.Null()]),
});

export const SyncBody = Type.Object({
  source: Type.Optional(
    Type.String({
      ...{ title: 'The source', minLength: 1, maxLength: 40 },
      description: 'One of CARDPRICE_SYNC; all of them without it.',
    }),
  ),
});
