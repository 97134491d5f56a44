import { parseColor } from '../domain/colors.ts';
import { displayLocation, isLocation, isPostgres } from '../domain/location.ts';
import { PRICE_SOURCES } from '../domain/sources.ts';
import { parseEmail } from '../lib/email.ts';
import {
  isBetween,
  isCollector,
  isMailServer,
  isOrigin,
  isSecureUrl,
  isSigningKey,
  isWebhook,
  isWebhookSecret,
  orOff,
  parseAges,
  parseBulkSources,
  parseBurst,
  parseBurstLimit,
  parseContacts,
  parseHosts,
  parseKeys,
  parseNetworks,
  parseOrigins,
  parsePercents,
  parsePlaces,
  parseRates,
  parseSources,
  parseSwitch,
  parseTimes,
  wholeNumber,
} from './parsers.ts';

/** A setting: an environment variable that some commands also take as a flag. */
export interface Setting<Value> {
  readonly variable: string;
  /** In the syntax of commander: `--port <number>`. */
  readonly flag?: string;
  /** One or more sentences for docs/settings.md and the help. */
  readonly description: string;
  /** The allowed values, worded to end the sentence "it must be …". */
  readonly allowed: string;
  /** The value of an unset setting, as an operator would write it. */
  readonly default: string;
  /** Whether the value may contain a password. Messages never repeat such a value. */
  readonly secret?: boolean;
  /** Returns the part of a secret that may be shown. Without it, nothing is shown. */
  show?(text: string): string;
  /** Returns the value, or undefined if the text is not allowed. */
  parse(text: string): Value | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const METRICS_ACCESS = ['local', 'public'] as const;
const AUTH_ERRORS = ['standard', 'unauthorized'] as const;
const SOURCE_NAMES = PRICE_SOURCES.map(({ name }) => name);

/** Every setting. `docs/settings.md`, the help and error messages are generated from this table. */
export const SETTINGS = {
  database: setting({
    variable: 'CARDPRICE_DATABASE',
    flag: '--database <location>',
    description:
      'Where the data is stored: PostgreSQL, or a SQLite file that the first import or start ' +
      'creates.',
    allowed: 'a file path or a postgres:// URL',
    default: 'cardprice.db',
    secret: true,
    show: displayLocation,
    parse: (text) => (isLocation(text) ? text : undefined),
  }),
  databaseReplica: setting({
    variable: 'CARDPRICE_DATABASE_REPLICA',
    description:
      'A replica of the PostgreSQL server, used to read history and for `explain`. If the ' +
      'replica lags behind what this process serves, is slow or is unreachable, the server ' +
      'itself is read. Not used unless set.',
    allowed: 'a postgres:// URL',
    default: '',
    secret: true,
    show: displayLocation,
    parse: (text) => (text === '' || isPostgres(text) ? text : undefined),
  }),
  migrate: setting({
    variable: 'CARDPRICE_MIGRATE',
    description:
      'Whether every command migrates the database schema when it opens the database. With ' +
      '`off`, only `cardprice migrate` does.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  host: setting({
    variable: 'CARDPRICE_HOST',
    flag: '--host <address>',
    description: 'The address to listen on; `0.0.0.0` listens on all addresses.',
    allowed: 'an address or host name',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  port: setting({
    variable: 'CARDPRICE_PORT',
    flag: '--port <number>',
    description: 'The TCP port to listen on; 0 picks a free port.',
    allowed: 'a whole number from 0 to 65535',
    default: '8080',
    parse: (text) => wholeNumber(text, 0, 65_535),
  }),
  workers: setting({
    variable: 'CARDPRICE_WORKERS',
    flag: '--workers <number>',
    description: 'How many processes answer requests. Each keeps the whole catalogue in memory.',
    allowed: 'a whole number from 1 to 64',
    default: '1',
    parse: (text) => wholeNumber(text, 1, 64),
  }),
  drainSeconds: setting({
    variable: 'CARDPRICE_DRAIN_SECONDS',
    description:
      'Seconds to keep answering after a stop signal, with `/readyz` at 503, so load balancers ' +
      'stop sending requests first. Set it longer than their check interval.',
    allowed: 'a whole number from 0 to 300',
    default: '0',
    parse: (text) => wholeNumber(text, 0, 300),
  }),
  logLevel: setting({
    variable: 'CARDPRICE_LOG_LEVEL',
    description:
      'The lowest level that is logged. Refused and failed requests are logged at `info`, ' +
      'successful ones at `debug`. `/metrics` counts all of them at any level.',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: (text) => LOG_LEVELS.find((level) => level === text),
  }),
  logSample: setting({
    variable: 'CARDPRICE_LOG_SAMPLE',
    description:
      'Log one in this many successful requests at `info`, for example 1000. The others stay at ' +
      '`debug`.',
    allowed: 'a whole number from 1 to 1000000, or off',
    default: 'off',
    parse: orOff((text) => wholeNumber(text, 1, 1_000_000)),
  }),
  traces: setting({
    variable: 'CARDPRICE_TRACES',
    description:
      'The OpenTelemetry collector (OTLP over HTTP) that receives traces of requests, ' +
      'statements and imports, such as `http://127.0.0.1:4318`. Traces need extra packages ' +
      '(docs/operating.md). Unless this is set, there are no traces.',
    allowed: 'an http:// or https:// URL without a user',
    default: '',
    parse: (text) => (text === '' || isCollector(text) ? text : undefined),
  }),
  authErrors: setting({
    variable: 'CARDPRICE_AUTH_ERRORS',
    description:
      'The format of 401 responses of `/v1`. `standard` answers `MISSING_API_KEY` or ' +
      '`INVALID_API_KEY` with a status. `unauthorized` answers `unauthorized` without a status, ' +
      'for clients that expect that.',
    allowed: `one of ${AUTH_ERRORS.join(', ')}`,
    default: 'standard',
    parse: (text) => AUTH_ERRORS.find((form) => form === text),
  }),
  corsOrigins: setting({
    variable: 'CARDPRICE_CORS_ORIGINS',
    description:
      'The web origins whose pages may call `/v1` from a browser, separated by commas. ' +
      'None unless set: keys belong on servers.',
    allowed: 'origins such as https://shop.example, separated by commas',
    default: '',
    parse: parseOrigins,
  }),
  burst: setting({
    variable: 'CARDPRICE_BURST',
    description:
      'Requests that an account may send within a few seconds, by plan: ' +
      '`free=1/3s,trader=1/1s,business=3/1s`. A plan that is not listed has no such limit ' +
      'unless `cardprice plan` sets one. `CARDPRICE_KEY_BURST` and `CARDPRICE_ADDRESS_BURST` ' +
      'apply as well.',
    allowed: 'limits such as free=1/3s, separated by commas, each plan once',
    default: '',
    parse: parseBurst,
  }),
  keyBurst: setting({
    variable: 'CARDPRICE_KEY_BURST',
    description:
      'Requests that an API key may send to one process within a few seconds, on any plan. ' +
      'Responses with status 304, which cost no quota, count as well.',
    allowed: 'a limit such as 5000/10s, or off',
    default: '5000/10s',
    parse: orOff(parseBurstLimit),
  }),
  addressBurst: setting({
    variable: 'CARDPRICE_ADDRESS_BURST',
    description:
      'Requests that a network address (for IPv6, the network of one customer) may send to one ' +
      'process within a few seconds, with or without an API key. Behind a reverse proxy, set ' +
      '`CARDPRICE_TRUST_PROXY`; otherwise all callers share the address of the proxy.',
    allowed: 'a limit such as 10000/10s, or off',
    default: '10000/10s',
    parse: orOff(parseBurstLimit),
  }),
  queryKeys: setting({
    variable: 'CARDPRICE_QUERY_KEYS',
    description:
      'Whether API keys are also accepted in the query (`?api_key=`). Queries end up in logs ' +
      'and browser histories, so turn this `off` once all callers send the key in a header.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  keyDays: setting({
    variable: 'CARDPRICE_KEY_DAYS',
    description:
      'Days that a new API key works unless its owner chooses otherwise. With `off`, keys work ' +
      'until they are revoked.',
    allowed: 'off or a whole number from 1 to 3650',
    default: 'off',
    parse: orOff((text) => wholeNumber(text, 1, 3650)),
  }),
  auditDays: setting({
    variable: 'CARDPRICE_AUDIT_DAYS',
    description:
      'Days to keep entries of the audit log (`cardprice audit`). Older entries are deleted.',
    allowed: 'a whole number from 1 to 3650',
    default: '400',
    parse: (text) => wholeNumber(text, 1, 3650),
  }),
  trustProxy: setting({
    variable: 'CARDPRICE_TRUST_PROXY',
    description:
      'The addresses and networks of your reverse proxies. Their requests have the address of ' +
      'the caller in `X-Forwarded-For` and the protocol in `X-Forwarded-Proto`; the proxies must ' +
      'set both headers, and limit the connections of each address. Nobody else is believed.',
    allowed: 'off, or addresses and networks separated by commas, such as 127.0.0.1,10.0.0.0/8',
    default: 'off',
    parse: parseNetworks,
  }),
  publicUrl: setting({
    variable: 'CARDPRICE_URL',
    description:
      'The address at which people open the dashboard, without a path. Requests for its host ' +
      'are answered. If it begins with https, cookies are sent only over TLS. Links to set a ' +
      'password begin with this address. Without it, links from the command line begin with the ' +
      'host and port, and no links are sent by mail.',
    allowed: 'an address such as https://cards.example',
    default: '',
    parse: (text) => (text === '' || isOrigin(text) ? text : undefined),
  }),
  hosts: setting({
    variable: 'CARDPRICE_HOSTS',
    description:
      'More host names of the service, such as `cardprice,prices.lan`: the names that programs ' +
      'and proxies send as the Host. IP addresses, `localhost`, the name of the machine and the ' +
      'host of `CARDPRICE_URL` are always accepted. Requests for any other host get 421. `*` ' +
      'accepts all names, for a proxy that checks them itself.',
    allowed: 'host names without ports, separated by commas, or *',
    default: '',
    parse: parseHosts,
  }),
  metrics: setting({
    variable: 'CARDPRICE_METRICS',
    description:
      'Who may read `/metrics`. `local` admits programs on the same machine that call without a ' +
      'proxy, and callers that send `CARDPRICE_METRICS_TOKEN`. `public` admits everyone.',
    allowed: `one of ${METRICS_ACCESS.join(', ')}`,
    default: 'local',
    parse: (text) => METRICS_ACCESS.find((access) => access === text),
  }),
  metricsToken: setting({
    variable: 'CARDPRICE_METRICS_TOKEN',
    description:
      'The bearer token that Prometheus sends to read `/metrics` from another machine. None ' +
      'unless set.',
    allowed: '16 to 200 letters, digits and any of -._~+/=',
    default: '',
    secret: true,
    parse: (text) => (text === '' || /^[\w.~+/=-]{16,200}$/.test(text) ? text : undefined),
  }),
  isPublic: setting({
    variable: 'CARDPRICE_PUBLIC',
    description:
      'Whether visitors without an account can see cards, sets and prices on the pages, within ' +
      'the limits of the free plan and 3,000 priced cards a day for each network address. ' +
      '`cardprice start` turns it `on` unless you set it. Behind a reverse proxy, set ' +
      '`CARDPRICE_TRUST_PROXY`; otherwise all visitors share the address of the proxy.',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  }),
  name: setting({
    variable: 'CARDPRICE_NAME',
    description:
      'The name of the service on its pages: in the header, in titles and on home screens.',
    allowed: '1 to 40 characters, without control characters',
    default: 'Cardprice',
    parse: (text) => (/^\P{C}{1,40}$/u.test(text) && text.trim() === text ? text : undefined),
  }),
  tagline: setting({
    variable: 'CARDPRICE_TAGLINE',
    description: 'One sentence on the home page that says what the service is.',
    allowed: '1 to 200 characters, without control characters',
    default: 'What trading cards are worth: every price, every day.',
    parse: (text) => (/^\P{C}{1,200}$/u.test(text) && text.trim() === text ? text : undefined),
  }),
  logo: setting({
    variable: 'CARDPRICE_LOGO',
    description:
      'The picture that the pages show next to the name: SVG, PNG, JPEG, WebP, AVIF or GIF, up ' +
      'to 128 kB. It is read when the service starts.',
    allowed: 'the path of a file',
    default: '',
    parse: (text) => text,
  }),
  color: setting({
    variable: 'CARDPRICE_COLOR',
    description:
      'The color of links and buttons on the pages, such as `#8a1538`. Where it would be hard ' +
      'to read on a light or dark background, a darker or lighter color of the same hue is ' +
      'used.',
    allowed: 'a color such as #8a1538, or default',
    default: 'default',
    parse: (text) => (text === 'default' ? text : parseColor(text)),
  }),
  signUp: setting({
    variable: 'CARDPRICE_SIGN_UP',
    description:
      'Whether people can sign up in the dashboard, on the free plan. With `off`, only ' +
      '`cardprice account create` creates accounts.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  invitationCode: setting({
    variable: 'CARDPRICE_INVITATION_CODE',
    description: 'The code that people need to sign up. Without one, anyone can sign up.',
    allowed: 'at most 100 characters, without control characters',
    default: '',
    secret: true,
    parse: (text) => (/^\P{C}{0,100}$/u.test(text) ? text : undefined),
  }),
  operatorSecondFactor: setting({
    variable: 'CARDPRICE_OPERATOR_SECOND_FACTOR',
    description:
      'Whether operators need a second factor: an authenticator app or a passkey. Turn it on ' +
      'before you expose the service. An operator without a second factor can then only add ' +
      'one.',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  }),
  smtp: setting({
    variable: 'CARDPRICE_SMTP',
    description:
      'The mail server, such as `smtps://cards%40shop.example:PASSWORD@mail.example`. It sends ' +
      'notices and the links that prove an address or set a password. Unless this is set, no ' +
      'mail is sent and an operator confirms each sign-up. `smtps://` uses TLS from the start. ' +
      'With `smtp://` the server must support STARTTLS unless it runs on this machine. In a ' +
      'network that you trust, add `?requireTLS=false` to the URL to send without TLS.',
    allowed: 'an smtp:// or smtps:// URL',
    default: '',
    secret: true,
    parse: (text) => (text === '' || isMailServer(text) ? text : undefined),
  }),
  mailFrom: setting({
    variable: 'CARDPRICE_MAIL_FROM',
    description: 'The sender of mail. Defaults to the user in `CARDPRICE_SMTP`.',
    allowed: 'an e-mail address',
    default: '',
    parse: (text) => (text === '' ? text : parseEmail(text)),
  }),
  digest: setting({
    variable: 'CARDPRICE_DIGEST',
    description:
      'Whether a service that syncs by itself mails the operators once a day which decisions on ' +
      'quarantined prices matter most, while any wait. Needs `CARDPRICE_SMTP`.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  securityContacts: setting({
    variable: 'CARDPRICE_SECURITY_CONTACT',
    description:
      'Where people can report a vulnerability in your service, separated by commas, preferred ' +
      'contact first. `/.well-known/security.txt` (RFC 9116) lists them. Unless this is set, ' +
      'that file does not exist.',
    allowed: 'e-mail addresses or https:// URLs, separated by commas',
    default: '',
    parse: parseContacts,
  }),
  securityPolicy: setting({
    variable: 'CARDPRICE_SECURITY_POLICY',
    description: 'The page with your rules for vulnerability reports, which security.txt links to.',
    allowed: 'an https:// URL',
    default: '',
    parse: (text) => (text === '' || isSecureUrl(text) ? text : undefined),
  }),
  billingWebhook: setting({
    variable: 'CARDPRICE_BILLING_WEBHOOK',
    description:
      'The URL at which your billing system receives events: accounts that were created, ' +
      'disabled, deleted or moved to another plan, and quotas that are used up ' +
      '(docs/operating.md). Events have e-mail addresses, so they travel over https, in a private ' +
      'network as well. No events are sent unless this and `CARDPRICE_BILLING_SECRET` are set.',
    allowed:
      'an https:// URL without a user or password, or an http:// URL of this machine, such as ' +
      'http://127.0.0.1:9000/events',
    default: '',
    secret: true,
    parse: (text) => (text === '' || isWebhook(text) ? text : undefined),
  }),
  billingSecret: setting({
    variable: 'CARDPRICE_BILLING_SECRET',
    description:
      'The secret that signs these events, in the format of Standard Webhooks. To make one: ' +
      '`echo "whsec_$(openssl rand -base64 32)"`.',
    allowed: '`whsec_` and 24 to 64 bytes in base64',
    default: '',
    secret: true,
    parse: (text) => (text === '' || isWebhookSecret(text) ? text : undefined),
  }),
  billingThresholds: setting({
    variable: 'CARDPRICE_BILLING_THRESHOLDS',
    description:
      'Percentages of the daily quota of an account that trigger an event, each at most once a ' +
      'day.',
    allowed: 'up to 10 whole numbers from 1 to 100, separated by commas',
    default: '80,100',
    parse: parsePercents,
  }),
  bulk: setting({
    variable: 'CARDPRICE_BULK',
    description:
      'The folder of bulk files (docs/bulk.md), which `GET /v1/bulk` lists. `serve` and `start` write them ' +
      'after each publication. There are none unless this is set.',
    allowed: 'the path of a folder',
    default: '',
    parse: (text) => text,
  }),
  bulkDays: setting({
    variable: 'CARDPRICE_BULK_DAYS',
    description: 'Days to keep bulk files after those of the next publication replace them.',
    allowed: 'a whole number from 1 to 365',
    default: '7',
    parse: (text) => wholeNumber(text, 1, 365),
  }),
  bulkSources: setting({
    variable: 'CARDPRICE_BULK_SOURCES',
    description:
      'The sources whose prices may be in bulk files (docs/bulk.md), separated by commas: those ' +
      'whose terms let you give their prices to others. `quotes` are your own prices. Prices of ' +
      'the `starter` are left out once `tcgcsv` itself has been imported, unless you list it.',
    allowed: `any of ${[...SOURCE_NAMES, 'starter'].join(', ')}, separated by commas`,
    default: 'quotes,starter',
    parse: parseBulkSources,
  }),
  bulkKey: setting({
    variable: 'CARDPRICE_BULK_KEY',
    description:
      'The private key (Ed25519) that signs the list of bulk files. To make one: ' +
      '`openssl genpkey -algorithm ed25519 -outform DER | base64 -w0`. The list is not signed ' +
      'unless this is set.',
    allowed: 'a private Ed25519 key as PKCS #8 in base64',
    default: '',
    secret: true,
    parse: (text) => (text === '' || isSigningKey(text) ? text : undefined),
  }),
  webhookNetworks: setting({
    variable: 'CARDPRICE_WEBHOOK_NETWORKS',
    description:
      'The private networks in which webhooks of accounts may be, in addition to the public ' +
      'internet. In these networks they may use http and any port.',
    allowed: 'off, or addresses and networks separated by commas, such as 192.168.1.0/24',
    default: 'off',
    parse: parseNetworks,
  }),
  pictures: setting({
    variable: 'CARDPRICE_PICTURES',
    description:
      'Whether the dashboard shows pictures of cards. The service fetches them from the ' +
      'addresses in the sources, so browsers contact only the service. It keeps up to 256 MB of ' +
      'pictures for a week. With `off`, the dashboard draws the cards instead.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  aliases: setting({
    variable: 'CARDPRICE_ALIASES',
    description:
      'A CSV file of names that your customers use for cards, in addition to the built-in ' +
      'aliases. It has the header `game,alias,means` and one row for each alias, such as ' +
      '`mtg,bobby,dark confidant`. It is read when the service starts.',
    allowed: 'the path of a file',
    default: '',
    parse: (text) => text,
  }),
  rates: setting({
    variable: 'CARDPRICE_EUR_RATE',
    description:
      'Euro exchange rates in dollars with their start dates, separated by commas, such as ' +
      '`2026-01-28:1.08`. They replace the rates of the ECB (`cardprice import ecb`). A price in ' +
      'euros is converted at the newest rate that is not later than the price. Prices without a ' +
      'rate are stored, but not served in dollars.',
    allowed: 'days with a rate such as 2026-01-28:1.08, separated by commas',
    default: '',
    parse: parseRates,
  }),
  estimates: setting({
    variable: 'CARDPRICE_ESTIMATES',
    description:
      'Whether to estimate missing prices of conditions from the market price. ' +
      '`prices.estimated` lists the estimated prices (docs/pricing.md).',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  }),
  jumpFactor: setting({
    variable: 'CARDPRICE_JUMP_FACTOR',
    description:
      'The largest factor by which a price may rise or fall from one day to the next. A larger ' +
      'change is quarantined unless another source has moved as well (docs/pricing.md).',
    allowed: 'a number from 1.5 to 1000',
    default: '2',
    parse: (text) => (isBetween(text, 1.5, 1000) ? Number(text) : undefined),
  }),
  lossShare: setting({
    variable: 'CARDPRICE_LOSS_SHARE',
    description:
      'The largest percentage of the prices of a set that a source may lose at once. If it ' +
      'loses more, the old prices stay (docs/pricing.md).',
    allowed: 'a number from 1 to 100',
    default: '30',
    parse: (text) => (isBetween(text, 1, 100) ? Number(text) / 100 : undefined),
  }),
  sync: setting({
    variable: 'CARDPRICE_SYNC',
    description:
      'The sources that `cardprice sync` updates, separated by commas. Some need a key ' +
      '(`CARDPRICE_SYNC_KEYS`) or one of your files (`CARDPRICE_SYNC_FROM`).',
    allowed: `names of sources, separated by commas, of ${SOURCE_NAMES.join(', ')}`,
    default: 'tcgcsv',
    parse: parseSources,
  }),
  syncFrom: setting({
    variable: 'CARDPRICE_SYNC_FROM',
    description:
      'Where to read sources from instead of their own addresses: a mirror, or a file or folder ' +
      'on this machine, such as `tcgcsv=https://mirror.example,quotes=/srv/prices.csv`. The ' +
      'address of a file may contain a key.',
    allowed: 'places such as tcgcsv=https://mirror.example, separated by commas',
    default: '',
    secret: true,
    parse: parsePlaces,
  }),
  syncKeys: setting({
    variable: 'CARDPRICE_SYNC_KEYS',
    description: 'Your keys for sources that require one, such as `justtcg=…,pokemontcg=…`.',
    allowed: 'keys such as justtcg=KEY, separated by commas',
    default: '',
    secret: true,
    parse: parseKeys,
  }),
  syncAt: setting({
    variable: 'CARDPRICE_SYNC_AT',
    description:
      'The times of day (UTC) at which `serve --sync` syncs, separated by commas. Each sync ' +
      'begins up to ten minutes later, so that services do not all call a source at the same ' +
      'moment.',
    allowed: 'times such as 21:30, separated by commas',
    default: '21:30',
    parse: parseTimes,
  }),
  staleAfter: setting({
    variable: 'CARDPRICE_STALE_AFTER',
    description:
      'The age at which prices of a source count as stale (`cardprice status`), for all sources ' +
      'or by source: `60h,pricecharting=14d`. Sources that are neither synced nor listed here ' +
      'are never stale.',
    allowed: 'ages such as 60h or 3d, one for all and others by source, separated by commas',
    default: '60h',
    parse: parseAges,
  }),
  downloads: setting({
    variable: 'CARDPRICE_DOWNLOADS',
    description:
      'The folder for files that `sync` downloads and removes once it has read them. Defaults ' +
      'to a place next to the SQLite file, or to the system folder for temporary files with ' +
      'PostgreSQL.',
    allowed: 'the path of a folder',
    default: '',
    parse: (text) => text,
  }),
  apiKey: setting({
    variable: 'CARDPRICE_API_KEY',
    description:
      'The API key that `cardprice mcp --url` sends to another Cardprice. The service itself ' +
      'does not use it.',
    allowed: 'an API key',
    default: '',
    secret: true,
    parse: (text) => (/^[!-~]*$/.test(text) ? text : undefined),
  }),
};

/** Infers the type of the value while it checks the rest. */
function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}

export type SettingName = keyof typeof SETTINGS;
