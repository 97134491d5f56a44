import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import {
  describeSettings,
  readConfig,
  readSetting,
  unknownVariables,
} from '../../src/config/config.ts';
import { SETTINGS, type SettingName } from '../../src/config/settings.ts';
import { parseDay } from '../../src/domain/day.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { temporaryFolder } from '../support/cli.ts';

it('has a default for every setting', () => {
  assert.deepEqual(readConfig({}, {}), {
    database: 'cardprice.db',
    databaseReplica: '',
    migrate: true,
    host: '127.0.0.1',
    port: 8080,
    workers: 1,
    drainSeconds: 0,
    logLevel: 'info',
    logSample: 'off',
    traces: '',
    authErrors: 'standard',
    corsOrigins: [],
    burst: {},
    keyBurst: { requests: 5000, seconds: 10 },
    addressBurst: { requests: 10_000, seconds: 10 },
    queryKeys: true,
    keyDays: 'off',
    auditDays: 400,
    billingWebhook: '',
    billingSecret: '',
    billingThresholds: [80, 100],
    bulk: '',
    bulkDays: 7,
    bulkSources: ['quotes', 'starter'],
    bulkKey: '',
    webhookNetworks: [],
    trustProxy: [],
    publicUrl: '',
    hosts: [],
    metrics: 'local',
    metricsToken: '',
    isPublic: false,
    name: 'Cardprice',
    tagline: 'What trading cards are worth: every price, every day.',
    logo: '',
    color: 'default',
    signUp: true,
    operatorSecondFactor: false,
    invitationCode: '',
    smtp: '',
    mailFrom: '',
    digest: true,
    securityContacts: [],
    securityPolicy: '',
    pictures: true,
    aliases: '',
    rates: [],
    estimates: false,
    jumpFactor: 2,
    lossShare: 0.3,
    sync: ['tcgcsv'],
    syncFrom: {},
    syncKeys: {},
    syncAt: [21 * 60 + 30],
    staleAfter: { all: 60 * 3_600_000, bySource: {} },
    downloads: '',
    apiKey: '',
  });
});

it('reads the environment, and prefers a flag', () => {
  const environment = { CARDPRICE_PORT: '9000', CARDPRICE_HOST: '0.0.0.0', CARDPRICE_WORKERS: '' };
  const config = readConfig({ port: '9001' }, environment);
  assert.equal(config.port, 9001);
  assert.equal(config.host, '0.0.0.0');
  assert.equal(config.workers, 1, 'an empty variable counts as unset');
});

it('reads the examples of the documentation', () => {
  const config = readConfig(
    {},
    {
      CARDPRICE_DATABASE: 'postgres://cards:secret@db.example/cards',
      CARDPRICE_CORS_ORIGINS: 'https://shop.example, http://localhost:3000',
      CARDPRICE_BURST: 'free=1/3s,trader=1/1s,business=3/1s',
      CARDPRICE_TRUST_PROXY: '127.0.0.1, 10.1.2.3/8,::1',
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
  assert.deepEqual(config.trustProxy, ['127.0.0.1/32', '10.0.0.0/8', '::1/128']);
  assert.equal(config.authErrors, 'unauthorized');
});

it('reads a webhook that is https anywhere, or http on this machine', () => {
  for (const url of [
    'https://billing.example/events?token=7',
    'https://10.0.0.7:8443/events',
    'http://127.0.0.1:9000/events',
    'http://[::1]:9000/',
    'http://localhost/events',
  ]) {
    assert.equal(readSetting('billingWebhook', {}, { CARDPRICE_BILLING_WEBHOOK: url }), url);
  }
});

it('reads the address of the dashboard, who may sign up, and the mail server', () => {
  const smtp = 'smtps://cards%40shop.example:s3cret@mail.shop.example:465';
  const config = readConfig(
    {},
    {
      CARDPRICE_URL: 'https://cards.example',
      CARDPRICE_SIGN_UP: 'off',
      CARDPRICE_INVITATION_CODE: 'open sesame',
      CARDPRICE_SMTP: smtp,
      CARDPRICE_MAIL_FROM: 'Cards@shop.example',
      CARDPRICE_PICTURES: 'off',
    },
  );
  assert.equal(config.publicUrl, 'https://cards.example');
  assert.equal(config.signUp, false);
  assert.equal(config.invitationCode, 'open sesame');
  assert.equal(config.smtp, smtp);
  assert.equal(config.mailFrom, 'cards@shop.example');
  assert.equal(config.pictures, false);
});

it('reads exchange rates with their days, oldest first', () => {
  const { rates } = readConfig({}, { CARDPRICE_EUR_RATE: '2026-01-28:1.08, 2025-12-01:1.1' });
  assert.deepEqual(rates, [
    { currency: 'EUR', day: parseDay('2025-12-01'), dollarsPerUnit: 1.1 },
    { currency: 'EUR', day: parseDay('2026-01-28'), dollarsPerUnit: 1.08 },
  ]);
});

it('reads the limits of validation', () => {
  const config = readConfig({}, { CARDPRICE_JUMP_FACTOR: '2.5', CARDPRICE_LOSS_SHARE: '15' });
  assert.deepEqual([config.jumpFactor, config.lossShare], [2.5, 0.15]);
});

it('reads which sources to sync, from where and when, and when prices are stale', () => {
  const config = readConfig(
    {},
    {
      CARDPRICE_SYNC: 'tcgcsv, scryfall,quotes',
      CARDPRICE_SYNC_FROM: 'tcgcsv=https://mirror.example/tcg,quotes=/srv/our prices.csv',
      CARDPRICE_SYNC_KEYS: 'justtcg=tcg_1=2,pokemontcg=0-1-2',
      CARDPRICE_SYNC_AT: '09:05,21:30',
      CARDPRICE_STALE_AFTER: '3d,pricecharting=14d,tcgcsv=90m',
    },
  );
  assert.deepEqual(config.sync, ['tcgcsv', 'scryfall', 'quotes']);
  assert.deepEqual(config.syncFrom, {
    tcgcsv: 'https://mirror.example/tcg',
    quotes: '/srv/our prices.csv',
  });
  assert.deepEqual(config.syncKeys, { justtcg: 'tcg_1=2', pokemontcg: '0-1-2' });
  assert.deepEqual(config.syncAt, [545, 1290]);
  assert.deepEqual(config.staleAfter, {
    all: 72 * 3_600_000,
    bySource: { pricecharting: 336 * 3_600_000, tcgcsv: 90 * 60_000 },
  });
});

it('turns the burst limits of keys and addresses off, and reads hosts in any letter case', () => {
  const environment = { CARDPRICE_KEY_BURST: 'off', CARDPRICE_ADDRESS_BURST: '7/1s' };
  assert.equal(readSetting('keyBurst', {}, environment), 'off');
  assert.deepEqual(readSetting('addressBurst', {}, environment), { requests: 7, seconds: 1 });
  const hosts = { CARDPRICE_HOSTS: 'Cardprice, prices.LAN' };
  assert.deepEqual(readSetting('hosts', {}, hosts), ['cardprice', 'prices.lan']);
  assert.deepEqual(readSetting('hosts', {}, { CARDPRICE_HOSTS: '*' }), ['*']);
});

it('sets burst limits only for the plans that it names', () => {
  const burst = readSetting('burst', {}, { CARDPRICE_BURST: 'trader=5/10s' });
  assert.deepEqual(burst, { trader: { requests: 5, seconds: 10 } });
});

const BAD: Readonly<Record<SettingName, readonly string[]>> = {
  database: [
    ...[
      'mysql://cards@db/cards',
      'http://db.example',
      'Postgres://db/cards',
      ' postgres://db/cards',
    ],
    ...['postgres:/db/cards', 'host=db password=x', 'cards.db?password=x'],
  ],
  migrate: ['yes'],
  databaseReplica: ['cards.db', 'mysql://cards@db/cards'],
  host: ['a b', 'http://x'],
  port: ['abc', '-1', '65536', '80.5', '1e3', ' 80', '99999999999'],
  workers: ['0', '65', 'auto'],
  drainSeconds: ['-1', '301', '1.5'],
  logLevel: ['verbose', 'INFO'],
  logSample: ['0', '1000001', 'on', '1/10', '-5'],
  traces: ['on', '127.0.0.1:4318', 'ftp://a.example', 'https://me:secret@a.example'],
  authErrors: ['both'],
  corsOrigins: [
    '*',
    'shop.example',
    'https://shop.example/',
    'https://a.example,,',
    'ftp://a.example',
  ],
  burst: ['free', 'free=1', 'free=0/3s', 'free=1/0s', 'Gold=1/1s', 'free=1/1s,free=2/1s', '1/1s'],
  keyBurst: ['free=1/3s', '0/10s', '5/0s', '5', 'on', '1e3/1s'],
  addressBurst: ['key=1/3s', '0/10s', '5/10', 'OFF'],
  hosts: ['https://cards.example', 'cards.example:8080', 'a b', 'a,*', '*.example', '-x'],
  metrics: ['on', 'everybody'],
  metricsToken: ['short', 'with spaces in it, long', 'x'.repeat(201)],
  queryKeys: ['yes', 'ON'],
  keyDays: ['0', '-1', '1.5', '3651', 'never'],
  auditDays: ['0', 'off', '3651', '1e2'],
  billingWebhook: [
    'billing.example',
    'ftp://x',
    'https://user:pass@billing.example',
    'http://billing.example/events',
    'http://10.0.0.7/events',
    'http://[fd00::7]/events',
    'http://user:pass@127.0.0.1/',
    'http://localhost.example/',
  ],
  billingSecret: ['whsec_', 'secret', 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(23)}`],
  bulk: [],
  bulkDays: ['0', '366', 'off'],
  bulkSources: ['all', 'quotes;starter'],
  bulkKey: ['secret', 'A'.repeat(64), 'MC4CAQAwBQYDK2VuBCIEIA=='],
  billingThresholds: ['0', '101', '80,80', '80;100', '1.5', '1,2,3,4,5,6,7,8,9,10,11'],
  trustProxy: ['on', 'nginx', '10.0.0.0/33', '10.0.0.1 10.0.0.2', '0.0.0.0/0', '::/0', 'off,::1'],
  publicUrl: ['cards.example', 'https://cards.example/', 'https://cards.example/x', 'ftp://x'],
  isPublic: ['yes', 'start'],
  name: [' Cards', 'x'.repeat(41), 'a\tb'],
  tagline: ['x'.repeat(201), 'a\nb', 'a '],
  logo: [],
  color: ['red', '#fff', '#12345g'],
  signUp: ['yes', 'invitation'],
  operatorSecondFactor: ['yes', 'totp'],
  invitationCode: ['x'.repeat(101), 'a\nb'],
  smtp: ['mail.example', 'http://mail.example', 'smtp:', 'smtp://', 'smtps:///x', 'smtp://a%@x'],
  digest: ['yes', 'daily'],
  mailFrom: ['Cards', 'Cards <cards@shop.example>', 'a@b@c'],
  securityContacts: ['security', 'http://x.example', 'javascript:x', 'a@b.example,', 'mailto:'],
  securityPolicy: ['x', 'http://x.example/policy', 'https://x.example/a\nContact: x', 'https://'],
  webhookNetworks: ['192.168.1', '0.0.0.0/0', '10.0.0.0/8,host'],
  pictures: ['yes', 'true'],
  rates: [
    '1.08',
    '2026-02-30:1.08',
    '2026-01-28:0',
    '2026-01-28:-1',
    '2026-01-28:1.08,2026-01-28:1',
  ],
  estimates: ['yes', 'true'],
  jumpFactor: ['1', '0', '-3', '3x', '1e3', '1001', 'off'],
  lossShare: ['0', '101', '0.3', '30%', '-1'],
  sync: ['everything', 'tcgcsv,', 'tcgcsv;scryfall', 'constructor'],
  syncFrom: ['tcgcsv', 'nobody=/x', 'tcgcsv=ftp://x', 'tcgcsv=https://a:b@x', 'tcgcsv=a,tcgcsv=b'],
  syncKeys: ['KEY', 'nobody=KEY', 'justtcg=', 'justtcg=a b', 'justtcg=a,justtcg=b'],
  syncAt: ['24:00', '9:30', '21:30,', '21:30 UTC', 'hourly'],
  staleAfter: ['60', '0h', '60h,3d', 'nobody=3d', '60h,tcgcsv', '60h,tcgcsv=1d,tcgcsv=2d', '1w'],
  aliases: [],
  downloads: [],
  apiKey: ['two words', 'kéy'],
};

for (const name of Object.keys(SETTINGS) as SettingName[]) {
  it(`refuses an invalid ${name} and names the allowed values`, () => {
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

it('names the flag with the invalid value, and never shows a possible password', () => {
  assert.throws(() => readConfig({ port: '' }, {}), /^OperatorError: --port "" is not allowed/);
  assert.throws(
    () => readConfig({ database: 'mysql://cards:secret@db/cards' }, {}),
    (error: Error) =>
      /^--database is not allowed/.test(error.message) && !/secret/.test(error.message),
  );
  const secrets = [
    ['CARDPRICE_SYNC_FROM', 'nobody=secret'],
    ['CARDPRICE_SYNC_KEYS', 'nobody=secret'],
    ['CARDPRICE_SMTP', 'http://cards:secret@mail.example'],
    ['CARDPRICE_INVITATION_CODE', 'secret\n'],
    ['CARDPRICE_METRICS_TOKEN', 'secret'],
  ] as const;
  for (const [name, text] of secrets) {
    assert.throws(
      () => readConfig({}, { [name]: text }),
      (error: Error) => error.message.startsWith(name) && !/secret/.test(error.message),
    );
  }
});

it('shows no password of a URL that may not have one, in no setting', () => {
  const environment = {
    CARDPRICE_TRACES: 'https://ann:TOP/SECRET@traces.example',
    CARDPRICE_URL: 'https://ann:TOP@SECRET@cards.example',
  };
  const shown = describeSettings({}, environment).filter(({ from }) => from === 'variable');
  assert.deepEqual(
    shown.map(({ value }) => value),
    ['https://***@traces.example', 'https://***@cards.example'],
  );
  assert.throws(
    () => readConfig({}, environment),
    /^OperatorError: CARDPRICE_\w+ "https:\/\/\*\*\*@/,
  );
});

it('returns a frozen configuration', () => {
  const config = readConfig({}, {});
  for (const part of [config, config.corsOrigins, config.burst, config.sync])
    assert.ok(Object.isFrozen(part));
});

/** A file with a text, in a folder that is removed when the tests end. */
function fileWith(text: string, name = 'secret'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

it('reads a secret from a file, without its last line break', () => {
  const file = fileWith('smtps://mail.example\r\n');
  assert.equal(readSetting('smtp', {}, { CARDPRICE_SMTP_FILE: file }), 'smtps://mail.example');
});

it('reads a secret from a credential of systemd, and prefers the variable', () => {
  const folder = dirname(fileWith('postgres://db/a\n', 'CARDPRICE_DATABASE'));
  const environment = { CREDENTIALS_DIRECTORY: folder };
  assert.equal(readSetting('database', {}, environment), 'postgres://db/a');
  assert.equal(readSetting('smtp', {}, environment), '');
  const own = { ...environment, CARDPRICE_DATABASE: 'own.db' };
  assert.equal(readSetting('database', {}, own), 'own.db');
});

it('reports an unusable file of a secret, and never its content', () => {
  const bad = fileWith('ftp://TOP-SECRET');
  const both = { CARDPRICE_SMTP: 'smtp://a', CARDPRICE_SMTP_FILE: bad };
  const wrong = [
    [{ CARDPRICE_SMTP_FILE: bad }, /secret is not allowed; it must be an smtp/],
    [{ CARDPRICE_SMTP_FILE: `${bad}.missing` }, /^CARDPRICE_SMTP_FILE cannot be read: ENOENT/],
    [{ CARDPRICE_SMTP_FILE: fileWith('x'.repeat(65_537)) }, /cannot be read: it is longer than/],
    [both, /^Both CARDPRICE_SMTP and CARDPRICE_SMTP_FILE are set/],
  ] as const;
  for (const [environment, message] of wrong) {
    assert.throws(
      () => readSetting('smtp', {}, environment),
      (error) => {
        assert.ok(error instanceof OperatorError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /TOP-SECRET/);
        return true;
      },
    );
  }
});

it('lists the settings and where they are set, without secrets', () => {
  const environment = {
    CARDPRICE_PORT: '9000',
    CARDPRICE_SMTP_FILE: fileWith('smtps://ann:TOP-SECRET@mail.example'),
    CARDPRICE_DATABASE: 'postgres://ann:TOP-SECRET@db/cards',
    CARDPRICE_PROT: '9001',
  };
  const settings = describeSettings({ host: '0.0.0.0' }, environment);
  const set = settings.filter(({ from }) => from !== 'default');
  assert.deepEqual(
    set.map(({ variable, value, from }) => [variable, value, from]),
    [
      ['CARDPRICE_DATABASE', 'postgres://ann:***@db/cards', 'variable'],
      ['CARDPRICE_HOST', '0.0.0.0', 'flag'],
      ['CARDPRICE_PORT', '9000', 'variable'],
      ['CARDPRICE_SMTP', '***', 'file'],
    ],
  );
  assert.deepEqual(unknownVariables(environment), ['CARDPRICE_PROT']);
});
