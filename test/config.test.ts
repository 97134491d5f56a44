import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readConfig, readSetting, SETTINGS, type SettingName } from '../src/config.ts';
import { OperatorError } from '../src/domain/errors.ts';

it('has a default for everything', () => {
  assert.deepEqual(readConfig({}, {}), {
    database: 'cardprice.db',
    host: '127.0.0.1',
    port: 8080,
    workers: 1,
    logLevel: 'info',
    authErrors: 'standard',
    corsOrigins: [],
    burst: { free: null, trader: null, business: null },
    trustProxy: false,
  });
});

it('reads the environment, and lets a flag win', () => {
  const environment = { CARDPRICE_PORT: '9000', CARDPRICE_HOST: '0.0.0.0', CARDPRICE_WORKERS: '' };
  const config = readConfig({ port: '9001' }, environment);
  assert.equal(config.port, 9001);
  assert.equal(config.host, '0.0.0.0');
  assert.equal(config.workers, 1, 'an empty variable counts as unset');
});

it('reads what the documentation shows', () => {
  const config = readConfig(
    {},
    {
      CARDPRICE_DATABASE: 'postgres://cards:secret@db.example/cards',
      CARDPRICE_CORS_ORIGINS: 'https://shop.example, http://localhost:3000',
      CARDPRICE_BURST: 'free=1/3s,trader=1/1s,business=3/1s',
      CARDPRICE_TRUST_PROXY: 'on',
      CARDPRICE_AUTH_ERRORS: 'unauthorized',
    },
  );
  assert.equal(config.database, 'postgres://cards:secret@db.example/cards');
  assert.deepEqual(config.corsOrigins, ['https://shop.example', 'http://localhost:3000']);
  assert.deepEqual(config.burst, {
    free: { requests: 1, seconds: 3 },
    trader: { requests: 1, seconds: 1 },
    business: { requests: 3, seconds: 1 },
  });
  assert.equal(config.trustProxy, true);
  assert.equal(config.authErrors, 'unauthorized');
});

it('limits only the plans that are named', () => {
  const burst = readSetting('burst', {}, { CARDPRICE_BURST: 'trader=5/10s' });
  assert.deepEqual(burst, { free: null, trader: { requests: 5, seconds: 10 }, business: null });
});

const BAD: Readonly<Record<SettingName, readonly string[]>> = {
  database: ['mysql://cards@db/cards', 'http://db.example'],
  host: ['a b', 'http://x'],
  port: ['abc', '-1', '65536', '80.5', '1e3', ' 80', '99999999999'],
  workers: ['0', '65', 'auto'],
  logLevel: ['verbose', 'INFO'],
  authErrors: ['both'],
  corsOrigins: [
    '*',
    'shop.example',
    'https://shop.example/',
    'https://a.example,,',
    'ftp://a.example',
  ],
  burst: ['free', 'free=1', 'free=0/3s', 'free=1/0s', 'gold=1/1s', 'free=1/1s,free=2/1s', '1/1s'],
  trustProxy: ['yes', 'true', 'constructor'],
};

for (const name of Object.keys(SETTINGS) as SettingName[]) {
  it(`refuses a bad ${name} and says what is allowed`, () => {
    const { variable, allowed } = SETTINGS[name];
    for (const text of BAD[name]) {
      assert.throws(
        () => readConfig({}, { [variable]: text }),
        (error: unknown) =>
          error instanceof OperatorError &&
          error.message.startsWith(variable) &&
          error.message.endsWith(`it must be ${allowed}.`),
        text,
      );
    }
  });
}

it('names the flag when the flag is bad, and never repeats what may hold a password', () => {
  assert.throws(() => readConfig({ port: '' }, {}), /^OperatorError: --port "" is not allowed/);
  assert.throws(
    () => readConfig({ database: 'mysql://cards:secret@db/cards' }, {}),
    (error: Error) =>
      /^--database is not allowed/.test(error.message) && !/secret/.test(error.message),
  );
});

it('is frozen', () => {
  const config = readConfig({}, {});
  for (const part of [config, config.corsOrigins, config.burst]) assert.ok(Object.isFrozen(part));
});
