import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OperatorError } from '../../src/domain/errors.ts';
import { isUnavailable } from '../../src/store/engine/unavailable.ts';

function failure(code: string, message = 'it failed'): Error {
  return Object.assign(new Error(message), { code });
}

describe('A database is unavailable', () => {
  it('when SQLite finds its file locked, gone, damaged, full or read-only', () => {
    for (const code of [
      ...['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', 'SQLITE_CANTOPEN'],
      ...['SQLITE_IOERR_SHORT_READ', 'SQLITE_FULL', 'SQLITE_READONLY_DBMOVED', 'SQLITE_NOTADB'],
      ...['SQLITE_CORRUPT_VTAB', 'SQLITE_NOMEM'],
    ]) {
      assert.ok(isUnavailable(failure(code)), code);
    }
  });

  it('when PostgreSQL is lost, stops, starts, or runs out of connections', () => {
    for (const code of ['08006', '53300', '57P01', '57P03', '57014', '58030', '25006', '3D000']) {
      assert.ok(isUnavailable(failure(code)), code);
    }
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH']) {
      assert.ok(isUnavailable(failure(code)), code);
    }
    for (const message of [
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'timeout exceeded when trying to connect',
      'Query read timeout',
      'Client has encountered a connection error and is not queryable',
    ]) {
      assert.ok(isUnavailable(new Error(message)), message);
    }
  });

  it('when PostgreSQL aborts a statement that waited for others', () => {
    for (const code of ['55P03', '57014', '40P01']) assert.ok(isUnavailable(failure(code)), code);
  });

  it('when such an error is the cause of another error', () => {
    const cause = failure('ECONNREFUSED');
    assert.ok(isUnavailable(new OperatorError('The database cannot be used.', { cause })));
    assert.ok(isUnavailable(new AggregateError([cause], '', { cause })));
  });

  it('not when a statement or the program is wrong', () => {
    for (const code of [
      'SQLITE_ERROR',
      'SQLITE_CONSTRAINT_UNIQUE',
      'SQLITE_MISUSE',
      'SQLITE_RANGE',
    ]) {
      assert.ok(!isUnavailable(failure(code)), code);
    }
    for (const code of ['23505', '42P01', '42601', '22P05', '40001', 'ENOENT', 'ERR_ASSERTION']) {
      assert.ok(!isUnavailable(failure(code)), code);
    }
    for (const other of [new TypeError('x is undefined'), 'ECONNREFUSED', null, undefined, {}]) {
      assert.ok(!isUnavailable(other));
    }
    const loop: Error = new Error('a');
    loop.cause = loop;
    assert.ok(!isUnavailable(loop));
  });
});
