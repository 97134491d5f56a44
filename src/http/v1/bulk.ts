import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BULK_FORMATS, BULK_LIST, BULK_SIGNATURE, BULK_TYPES } from '../../domain/bulk.ts';
import { parseMonth } from '../../domain/day.ts';
import { findGame, type GameSlug } from '../../domain/games.ts';
import { readBulkList } from '../bulk-folder.ts';
import { pathOf } from '../request-log.ts';
import { Many, Moment, Text } from '../schemas.ts';
import { defineEndpoint, PlanHistory, type PlanHolder, type ServiceResources } from './endpoint.ts';

/** Bulk files (docs/bulk.md): their list, and the files. */

const BulkFile = Type.Object(
  {
    type: Type.String({ description: 'A row of the file.', enum: [...BULK_TYPES] }),
    game: Type.Unsafe<GameSlug | null>({
      type: ['string', 'null'],
      description: 'Its game; null for all games.',
    }),
    month: Type.Optional(Text('Its month, only for `history`.', '2026-01')),
    format: Type.String({ description: 'Its format.', enum: Object.keys(BULK_FORMATS) }),
    rows: Type.Integer({ description: 'Its rows.' }),
    bytes: Type.Integer({ description: 'Its size.' }),
    sha256: Type.String({ description: 'Its digest, hexadecimal.' }),
    publication: Type.Integer({ description: 'The first publication with these rows.' }),
    updatedAt: Moment('When that was published'),
    url: Text('Its path; what is there never changes.', '/v1/bulk/7-…/prices/prices.parquet'),
    sources: Type.Array(Type.String(), { description: 'The sources of its prices.' }),
  },
  { $id: 'BulkFile', title: 'BulkFile', description: 'A bulk file.' },
);

const Cursor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'What changed since: `/v1/changes?since=`. Null without files.',
});

const PATH = '/v1/bulk';

export const bulk = defineEndpoint({
  method: 'GET',
  path: PATH,
  scope: 'bulk',
  errors: [],
  schema: {
    operationId: 'listBulkFiles',
    summary: 'List the bulk files',
    description:
      'Cards, prices, sets and the history by month as NDJSON, CSV and Parquet. Each request of a ' +
      'file is charged; history needs a plan that includes its days.',
    response: {
      200: Type.Object({ ...Many(BulkFile, 'The files.').properties, cursor: Cursor }),
    },
  },
  async answer({ bulkFolder }) {
    const list = bulkFolder === '' ? undefined : await readBulkList(bulkFolder);
    const { data, cursor } = list ?? { data: [], cursor: null };
    return { data: data.map((file) => ({ ...file, url: `${PATH}/${file.url}` })), cursor };
  },
});

/* Names that never refer to different bytes. */

const HISTORY = /^history\/game=([\w-]+)\/month=([\d-]+)\/[0-9a-f]{16}\.[a-z.]+$/;
const PUBLISHED = /^\d+-[0-9a-f]{16}\/[a-z]+(?:\/game=[\w-]+)?\/[a-z]+\.[a-z.]+$/;

function isImmutable(path: string): boolean {
  return PUBLISHED.test(path) || HISTORY.test(path);
}

/**
 * Lets caches keep a file for ever: only the caller's own cache, because a file needs an API key.
 */
const FOREVER = 'private, max-age=31536000, immutable';

export interface BulkMount {
  /** The index under which requests of files are counted. */
  readonly endpoint: number;
  callerOf(request: FastifyRequest): PlanHolder | undefined;
  /** The error for a path without a file. */
  notFound(url: string): Error;
}

/** Serves the files of the list, the list as it was written, and its signature. */
export async function registerBulkFiles(
  app: FastifyInstance,
  resources: ServiceResources,
  { endpoint, callerOf, notFound }: BulkMount,
): Promise<void> {
  if (resources.bulkFolder === '') return;
  const root = resolve(resources.bulkFolder);
  await app.register(async (files) => {
    await files.register(fastifyStatic, { root, serve: false, suppressWarning: true });
    files.addHook('onSend', (request, reply, payload, done) => {
      addHeaders(request, reply);
      done(null, payload);
    });
    const config = { scope: 'bulk', endpoint } as const;
    files.get(`${PATH}/*`, { schema: { hide: true }, config }, async (request, reply) => {
      const path = fileOf(request);
      const isListed = isImmutable(path) || path === BULK_LIST || path === BULK_SIGNATURE;
      if (!isListed || !(await isFile(join(root, path)))) throw notFound(request.url);
      const caller = callerOf(request);
      if (!caller) throw new Error('no hook authenticated the request');
      requireHistory(path, resources, caller);
      return reply.sendFile(path);
    });
  });
}

/** @throws ApiError PLAN_RESTRICTION unless the plan includes all days of a file of history. */
function requireHistory(path: string, resources: ServiceResources, caller: PlanHolder): void {
  const [, slug = '', month = ''] = HISTORY.exec(path) ?? [];
  const game = findGame(slug);
  const first = parseMonth(month)?.first;
  if (!game || first === undefined) return;
  const newest = resources.catalog.asOf(game.slug) ?? first;
  new PlanHistory(resources, caller, false).require(Math.max(1, newest - first + 1));
}

/** The hooks of the API have set headers for answers that change. */
function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.statusCode >= 400) return;
  if (isImmutable(fileOf(request))) reply.header('cache-control', FOREVER);
  const exposed = reply.getHeader('access-control-expose-headers');
  if (exposed === undefined) return;
  reply.header('access-control-expose-headers', `${exposed}, Accept-Ranges, Content-Range`);
}

function fileOf({ url }: FastifyRequest): string {
  return decodeURIComponent(pathOf(url)).slice(PATH.length + 1);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
