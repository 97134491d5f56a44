import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Day } from '../../src/domain/day.ts';
import {
  canSendPrepared,
  headerLines,
  headOf,
  keepAliveHeaders,
  requestLines,
} from '../../src/http/prepared-head.ts';

describe('A prepared head', () => {
  it('is sent by this Node', () => {
    assert.equal(canSendPrepared(), true);
  });

  it('has a line for each header', () => {
    const head = headOf({ vary: 'X-API-Key', ...keepAliveHeaders(72_000) });
    const lines = ['vary: X-API-Key', 'connection: keep-alive', 'keep-alive: timeout=72'];
    assert.equal(head, `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n`);
    assert.deepEqual(keepAliveHeaders(0), { connection: 'keep-alive' });
  });

  it('has the quota, the id and the date of the request', () => {
    const left = { remaining: 99, day: 1 as Day };
    const lines = requestLines('some-id', 100, left, 172_740_500).split('\r\n');
    const date = lines.splice(-2)[0] ?? '';
    assert.deepEqual(lines, [
      'x-ratelimit-limit: 100',
      'x-ratelimit-remaining: 99',
      'x-ratelimit-reset: 172800',
      'ratelimit-policy: "day";q=100;w=86400',
      'ratelimit: "day";r=99;t=60',
      'x-request-id: some-id',
    ]);
    const late = Date.now() - Date.parse(date.replace('date: ', ''));
    assert.ok(late >= 0 && late < 10_000, date);
  });

  it('cannot be split by a line break in a value', () => {
    assert.throws(() => headerLines({ link: '</a>\r\nset-cookie: b=c' }), TypeError);
  });
});
