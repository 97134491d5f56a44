import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { ServerPool } from '../../src/store/engine/postgres-pool.ts';
import { createDatabase } from '../support/engines.ts';

describe('The connections to a PostgreSQL', () => {
  async function openPool(): Promise<ServerPool> {
    const { location, remove } = await createDatabase('PostgreSQL');
    const pool = new ServerPool({ connectionString: location });
    after(async () => {
      await pool.end();
      await remove();
    });
    return pool;
  }

  it('use TCP keep-alive to detect a lost server', async (t) => {
    const setKeepAlive = t.mock.method(Socket.prototype, 'setKeepAlive');
    await (await openPool()).readClock();
    assert.deepEqual(setKeepAlive.mock.calls[0]?.arguments, [true, 10_000]);
  });

  it('are closed after ten idle seconds', async (t) => {
    const pool = await openPool();
    const connection = await pool.connect();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    connection.release();
    t.mock.timers.tick(9_999);
    assert.equal(pool.connections.idle, 1);
    t.mock.timers.tick(1);
    assert.equal(pool.connections.idle, 0);
  });
});
