import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openPostgres } from '../../src/store/engine/postgres.ts';
import { SSL_REQUEST } from '../support/ssl-request.ts';

describe('A PostgreSQL server whose URL asks for TLS', () => {
  it('receives nothing without TLS', async () => {
    const received: Buffer[] = [];
    const server = createServer((socket: Socket) => {
      socket.on('data', (bytes) => {
        received.push(bytes);
        socket.write('N');
      });
      socket.on('error', () => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const url = `postgres://ann:secret@127.0.0.1:${port}/cards?sslmode=verify-full`;
    const { db } = openPostgres(url);
    await assert.rejects(sql`select 1`.execute(db), /does not support SSL/);
    await db.destroy();
    assert.deepEqual(Buffer.concat(received), SSL_REQUEST);
  });
});
