import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { type Service, shareService } from '../support/app.ts';
import { eventually } from '../support/cli.ts';

const { warn } = pino.levels.values;

/** The lines of the log that operators look at. */
function warningsOf({ log }: Service) {
  return log.map((line) => JSON.parse(line)).filter(({ level }) => level >= Number(warn));
}

describe('A caller who goes away', () => {
  const shared = shareService('SQLite');

  /** Sends something to a listening service, and goes away as `leave` does. */
  async function send(text: string, leave: (socket: Socket) => void): Promise<Service> {
    const service = await shared.service.another(shared.location);
    const url = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }));
    const arrived = once(service.app.server, 'request');
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', () => {});
    socket.write(text);
    await arrived;
    // Now a body is being read.
    await sleep(20);
    leave(socket);
    await eventually(async () => {
      const count = new Promise((resolve) => {
        service.app.server.getConnections((_error, open) => resolve(open));
      });
      return (await count) === 0;
    });
    return service;
  }

  async function headOf(line: string, length: number): Promise<string> {
    const { key } = await shared.service.caller('business');
    return `${line} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n${
      length > 0 ? `content-type: application/json\r\ncontent-length: ${length}\r\n` : ''
    }\r\n`;
  }

  const LEAVING: readonly (readonly [string, (socket: Socket) => void])[] = [
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['closes the connection', (socket) => socket.destroy()],
    ['sends no more', (socket) => socket.end()],
  ];

  for (const [how, leave] of LEAVING) {
    it(`and ${how} in the middle of a body logs no warning and no error`, async () => {
      const service = await send(`${await headOf('POST /v1/cards/batch', 100)}{"ids":`, leave);
      assert.deepEqual(warningsOf(service), []);
      assert.ok(!service.log.some((line) => line.includes('"stack"')), service.log.join(''));
      await service.close();
    });

    it(`and ${how} before the answer logs no warning and no error`, async () => {
      for (const path of ['/v1/search?q=charizard', '/openapi.json', '/dashboard/session', '/']) {
        const service = await send(await headOf(`GET ${path}`, 0), (socket) => {
          leave(socket);
          // A half-closed connection is kept until the answer, and then for more requests.
          setTimeout(() => socket.destroy(), 100);
        });
        assert.deepEqual(warningsOf(service), [], path);
        assert.ok(!service.log.some((line) => line.includes('"stack"')), path);
        await service.close();
      }
    });
  }
});
