import type { FastifyBaseLogger } from 'fastify';
import type { Authenticator } from '../accounts/keys/authenticator.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { ageOf, type Millis } from '../domain/day.ts';
import { logFailure } from './failures.ts';

/** Whether a process can take requests, or why not. */
export type Readiness = 'ready' | 'stopping' | 'no catalogue' | 'no database';

interface Parts {
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  /** Whether the process is about to stop. */
  readonly isStopping?: () => boolean;
}

/** Returns whether this process is ready, or the first thing that it still needs. */
export async function readinessOf(
  { catalog, authenticator, isStopping }: Parts,
  logger: FastifyBaseLogger,
): Promise<Readiness> {
  if (isStopping?.()) return 'stopping';
  if (!catalog.ready) return 'no catalogue';
  try {
    await authenticator.check();
    return 'ready';
  } catch (error) {
    logFailure(logger, error, 'not ready');
    return 'no database';
  }
}

/** Returns the publication that a process serves, for operators; null before the first one. */
export function servedPublication({
  catalog,
  clock,
}: {
  readonly catalog: Catalog;
  readonly clock: () => Millis;
}) {
  const { id, revision, publishedAt } = catalog.publication;
  if (revision === 0) return null;
  if (publishedAt === null) return { id, revision, publishedAt, ageSeconds: null };
  const ageSeconds = Math.round(ageOf(publishedAt, clock()) / 1000);
  return { id, revision, publishedAt: new Date(publishedAt).toISOString(), ageSeconds };
}
