import { parseColor } from '../domain/colors.ts';
import { parseEmail } from '../domain/email.ts';
import { displayLocation, isLocation, isPostgres } from '../domain/location.ts';
import { PRICE_SOURCES } from '../domain/sources.ts';
import {
  isBetween,
  isCollector,
  isMailServer,
  isOrigin,
  isSecureUrl,
  isWebhook,
  isWebhookSecret,
  orOff,
  parseAges,
  parseBurst,
  parseBurstLimit,
  parseContacts,
  parseHosts,
  parseKeys,
  parseOrigins,
  parsePercents,
  parsePlaces,
  parseRates,
  parseSources,
  parseSwitch,
  parseTimes,
  wholeNumber,
} from './parsers.ts';

/** A setting of the operator: an environment variable, some with a command-line flag. */
export interface Setting<Value> {
  readonly variable: string;
  /** As commander writes it: `--port <number>`. */
  readonly flag?: string;
  /** One or more sentences for docs/settings.md and the help. */
  readonly description: string;
  /** The values that are allowed, as the end of the sentence "it must be …". */
  readonly allowed: string;
  /** The value of an unset setting, as an operator would write it. */
  readonly default: string;
  /** Whether the value may contain a password, so that no message repeats it. */
  readonly secret?: boolean;
  /** What may be shown of a secret; nothing without it. */
  show?(text: string): string;
  /** The value, or undefined when the text is not allowed. */
  parse(text: string): Value | undefined;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const METRICS_ACCESS = ['local', 'public'] as const;
const AUTH_ERRORS = ['standard', 'unauthorized'] as const;
const SOURCE_NAMES = PRICE_SOURCES.map(({ name }) => name);

/** Every setting. `docs/settings.md`, the help and the error messages are made from this table. */
export const SETTINGS = {
  database: setting({
    variable: 'CARDPRICE_DATABASE',
    flag: '--database <location>',
    description:
      'Where the data is: a SQLite file, made by the first import or start, or PostgreSQL.',
    allowed: 'a file path or a postgres:// URL',
    default: 'cardprice.db',
    secret: true,
    show: displayLocation,
    parse: (text) => (isLocation(text) ? text : undefined),
  }),
  databaseReplica: setting({
    variable: 'CARDPRICE_DATABASE_REPLICA',
    description:
      'A replica of the PostgreSQL server, from which history and `explain` are read. Where it is ' +
      'behind what this process serves, slow or away, the server itself is read. None unless set.',
    allowed: 'a postgres:// URL',
    default: '',
    secret: true,
    show: displayLocation,
    parse: (text) => (text === '' || isPostgres(text) ? text : undefined),
  }),
  migrate: setting({
    variable: 'CARDPRICE_MIGRATE',
    description:
      'Whether every command brings the schema of the database up to date when it opens it; `off` ' +
      'leaves that to `cardprice migrate`.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  host: setting({
    variable: 'CARDPRICE_HOST',
    flag: '--host <address>',
    description: 'The address to listen on; `0.0.0.0` for all of them.',
    allowed: 'an address or host name',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  port: setting({
    variable: 'CARDPRICE_PORT',
    flag: '--port <number>',
    description: 'The TCP port to listen on; 0 for any free one.',
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
      'For how many seconds a service that is told to stop goes on answering, with `/readyz` at 503, ' +
      'so that load balancers leave it first. Longer than they take to notice.',
    allowed: 'a whole number from 0 to 300',
    default: '0',
    parse: (text) => wholeNumber(text, 0, 300),
  }),
  logLevel: setting({
    variable: 'CARDPRICE_LOG_LEVEL',
    description:
      'The least important messages that the log gets. Requests that were refused or failed are ' +
      '`info`; those that went well are `debug`, and are counted in `/metrics` at any level.',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: (text) => LOG_LEVELS.find((level) => level === text),
  }),
  logSample: setting({
    variable: 'CARDPRICE_LOG_SAMPLE',
    description:
      'Of how many requests that went well one is logged at `info`, such as 1000. All others are ' +
      'at `debug`.',
    allowed: 'a whole number from 1 to 1000000, or off',
    default: 'off',
    parse: orOff((text) => wholeNumber(text, 1, 1_000_000)),
  }),
  traces: setting({
    variable: 'CARDPRICE_TRACES',
    description:
      'Where traces of requests, statements and imports are sent, by OpenTelemetry (OTLP over ' +
      'HTTP), such as `http://127.0.0.1:4318`. It needs packages that are installed besides ' +
      '(docs/operating.md). None are made unless it is set.',
    allowed: 'an http:// or https:// URL without a user',
    default: '',
    parse: (text) => (text === '' || isCollector(text) ? text : undefined),
  }),
  authErrors: setting({
    variable: 'CARDPRICE_AUTH_ERRORS',
    description:
      'The form of the 401s of `/v1`: `standard` is `MISSING_API_KEY` or `INVALID_API_KEY` with a ' +
      'status, `unauthorized` is `unauthorized` without one, for clients of that form.',
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
      'How many requests an account of a plan may send within some seconds, by plan: ' +
      '`free=1/3s,trader=1/1s,business=3/1s`. No limit for a plan that is not named, unless ' +
      '`cardprice plan` gives it one, besides those of `CARDPRICE_KEY_BURST` and ' +
      '`CARDPRICE_ADDRESS_BURST`.',
    allowed: 'limits such as free=1/3s, separated by commas, each plan once',
    default: '',
    parse: parseBurst,
  }),
  keyBurst: setting({
    variable: 'CARDPRICE_KEY_BURST',
    description:
      'How many requests an API key may send to a process within some seconds, whatever its plan. ' +
      'It also bounds the answers 304, which cost no quota.',
    allowed: 'a limit such as 5000/10s, or off',
    default: '5000/10s',
    parse: orOff(parseBurstLimit),
  }),
  addressBurst: setting({
    variable: 'CARDPRICE_ADDRESS_BURST',
    description:
      'How many requests a network address (IPv6: a network of one customer) may send to a process ' +
      'within some seconds, with an API key or without. Behind a reverse proxy it needs ' +
      '`CARDPRICE_TRUST_PROXY=on`, or all callers share the address of the proxy.',
    allowed: 'a limit such as 10000/10s, or off',
    default: '10000/10s',
    parse: orOff(parseBurstLimit),
  }),
  queryKeys: setting({
    variable: 'CARDPRICE_QUERY_KEYS',
    description:
      'Whether API keys are taken from the query (`?api_key=`), too. Queries get into logs and ' +
      'histories on the way, so turn it `off` once all callers send the header `X-API-Key`.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  keyDays: setting({
    variable: 'CARDPRICE_KEY_DAYS',
    description:
      'How many days a new API key works unless its owner says otherwise; `off` for keys that ' +
      'work until they are revoked.',
    allowed: 'off or a whole number from 1 to 3650',
    default: 'off',
    parse: orOff((text) => wholeNumber(text, 1, 3650)),
  }),
  auditDays: setting({
    variable: 'CARDPRICE_AUDIT_DAYS',
    description:
      'How many days the audit log keeps what happened (`cardprice audit`); what is older is ' +
      'deleted.',
    allowed: 'a whole number from 1 to 3650',
    default: '400',
    parse: (text) => wholeNumber(text, 1, 3650),
  }),
  trustProxy: setting({
    variable: 'CARDPRICE_TRUST_PROXY',
    description:
      'Whether the address of a caller is read from `X-Forwarded-For`, and the protocol from ' +
      '`X-Forwarded-Proto`: `on` only behind a reverse proxy that sets them. The proxy then also ' +
      'has to limit the connections of each address.',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  }),
  publicUrl: setting({
    variable: 'CARDPRICE_URL',
    description:
      'The address at which people open the dashboard, without a path. Requests for its host are ' +
      'answered. When it begins with https, cookies are sent over TLS only. Links to set a password ' +
      'begin with it; without it, links of the command line begin with the host and port, and no ' +
      'links are sent by mail.',
    allowed: 'an address such as https://cards.example',
    default: '',
    parse: (text) => (text === '' || isOrigin(text) ? text : undefined),
  }),
  hosts: setting({
    variable: 'CARDPRICE_HOSTS',
    description:
      'More names under which the service is called, such as `cardprice,prices.lan`: what programs ' +
      'and proxies send as the Host. Addresses, `localhost`, the name of the machine and the host of ' +
      '`CARDPRICE_URL` are always answered, and others refused with 421; `*` answers all, for a ' +
      'proxy that refuses them itself.',
    allowed: 'host names without ports, separated by commas, or *',
    default: '',
    parse: parseHosts,
  }),
  metrics: setting({
    variable: 'CARDPRICE_METRICS',
    description:
      'Who may read `/metrics`: `local` for programs on the same machine that call without a ' +
      'proxy, and those that send `CARDPRICE_METRICS_TOKEN`; `public` for everybody.',
    allowed: `one of ${METRICS_ACCESS.join(', ')}`,
    default: 'local',
    parse: (text) => METRICS_ACCESS.find((access) => access === text),
  }),
  metricsToken: setting({
    variable: 'CARDPRICE_METRICS_TOKEN',
    description:
      'The bearer token with which Prometheus reads `/metrics` from another machine. None unless set.',
    allowed: '16 to 200 letters, digits and any of -._~+/=',
    default: '',
    secret: true,
    parse: (text) => (text === '' || /^[\w.~+/=-]{16,200}$/.test(text) ? text : undefined),
  }),
  isPublic: setting({
    variable: 'CARDPRICE_PUBLIC',
    description:
      'Whether the pages show cards, sets and prices to visitors without an account, as far as the ' +
      'free plan goes and 3,000 priced cards a day to a network address. `cardprice start` has it ' +
      '`on` unless it is set. Behind a reverse proxy it needs `CARDPRICE_TRUST_PROXY=on`, or all ' +
      'visitors share the address of the proxy.',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  }),
  name: setting({
    variable: 'CARDPRICE_NAME',
    description: 'What the pages call the service: in the header, in titles and on home screens.',
    allowed: '1 to 40 characters, without control characters',
    default: 'Cardprice',
    parse: (text) => (/^\P{C}{1,40}$/u.test(text) && text.trim() === text ? text : undefined),
  }),
  tagline: setting({
    variable: 'CARDPRICE_TAGLINE',
    description: 'What the home page says the service is, in one sentence.',
    allowed: '1 to 200 characters, without control characters',
    default: 'What trading cards are worth: every price, every day.',
    parse: (text) => (/^\P{C}{1,200}$/u.test(text) && text.trim() === text ? text : undefined),
  }),
  logo: setting({
    variable: 'CARDPRICE_LOGO',
    description:
      'The picture that the pages show beside the name: SVG, PNG, JPEG, WebP, AVIF or GIF, of at ' +
      'most 128 kB. It is read at the start.',
    allowed: 'the path of a file',
    default: '',
    parse: (text) => text,
  }),
  color: setting({
    variable: 'CARDPRICE_COLOR',
    description:
      'The color of links and buttons of the pages, such as `#8a1538`. Where it would be hard to ' +
      'read on a light or a dark ground, a darker or lighter one of the same hue is taken.',
    allowed: 'a color such as #8a1538, or default',
    default: 'default',
    parse: (text) => (text === 'default' ? text : parseColor(text)),
  }),
  signUp: setting({
    variable: 'CARDPRICE_SIGN_UP',
    description:
      'Whether people may make accounts for themselves in the dashboard, on the free plan. When ' +
      '`off`, only `cardprice account create` makes them.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  invitationCode: setting({
    variable: 'CARDPRICE_INVITATION_CODE',
    description:
      'The code that people need to make an account. Without one, anybody can make an account.',
    allowed: 'at most 100 characters, without control characters',
    default: '',
    secret: true,
    parse: (text) => (/^\P{C}{0,100}$/u.test(text) ? text : undefined),
  }),
  operatorSecondFactor: setting({
    variable: 'CARDPRICE_OPERATOR_SECOND_FACTOR',
    description:
      'Whether operators need a second factor, an authenticator app or a passkey. Switch it on ' +
      'before you expose the service: an operator without one can do nothing but add one then.',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  }),
  smtp: setting({
    variable: 'CARDPRICE_SMTP',
    description:
      'The server that sends mail: links that prove an address or set a password, and notices, ' +
      'such as `smtps://cards%40shop.example:PASSWORD@mail.example`. Unless it is set, no mail is ' +
      'sent, and an operator confirms those who sign up. ' +
      '`smtps://` is for TLS from the start. With `smtp://` the server has to turn to TLS ' +
      '(STARTTLS), unless it is on this machine; in a network that you trust, ' +
      '`?requireTLS=false` at the end of the URL sends without.',
    allowed: 'an smtp:// or smtps:// URL',
    default: '',
    secret: true,
    parse: (text) => (text === '' || isMailServer(text) ? text : undefined),
  }),
  mailFrom: setting({
    variable: 'CARDPRICE_MAIL_FROM',
    description: 'The sender of mail; the user in `CARDPRICE_SMTP` unless set.',
    allowed: 'an e-mail address',
    default: '',
    parse: (text) => (text === '' ? text : parseEmail(text)),
  }),
  securityContacts: setting({
    variable: 'CARDPRICE_SECURITY_CONTACT',
    description:
      'Where people report a weakness of your service, the most wanted way first, separated by ' +
      'commas. `/.well-known/security.txt` names them (RFC 9116); there is none unless it is set.',
    allowed: 'e-mail addresses or https:// URLs, separated by commas',
    default: '',
    parse: parseContacts,
  }),
  securityPolicy: setting({
    variable: 'CARDPRICE_SECURITY_POLICY',
    description: 'The page with your rules for such reports, which security.txt names as well.',
    allowed: 'an https:// URL',
    default: '',
    parse: (text) => (text === '' || isSecureUrl(text) ? text : undefined),
  }),
  billingWebhook: setting({
    variable: 'CARDPRICE_BILLING_WEBHOOK',
    description:
      'Where your billing system takes events: accounts that are made, disabled or deleted or ' +
      'have another plan, and quotas that are used up (docs/operating.md). It may be in a private ' +
      'network. Nothing is sent unless it is set, with its secret.',
    allowed: 'an http:// or https:// URL without a user or password',
    default: '',
    secret: true,
    parse: (text) => (text === '' || isWebhook(text) ? text : undefined),
  }),
  billingSecret: setting({
    variable: 'CARDPRICE_BILLING_SECRET',
    description:
      'The secret with which these events are signed, as in Standard Webhooks: ' +
      '`echo "whsec_$(openssl rand -base64 32)"` makes one.',
    allowed: '`whsec_` and 24 to 64 bytes in base64',
    default: '',
    secret: true,
    parse: (text) => (text === '' || isWebhookSecret(text) ? text : undefined),
  }),
  billingThresholds: setting({
    variable: 'CARDPRICE_BILLING_THRESHOLDS',
    description:
      'At how many percent of the daily quota of an account there is an event, each once a day.',
    allowed: 'up to 10 whole numbers from 1 to 100, separated by commas',
    default: '80,100',
    parse: parsePercents,
  }),
  pictures: setting({
    variable: 'CARDPRICE_PICTURES',
    description:
      'Whether the dashboard shows pictures of cards. The service fetches them from where the ' +
      'sources have them, so that browsers ask nobody else, and keeps up to 256 MB of them for a ' +
      'week. Without them cards are drawn.',
    allowed: 'on or off',
    default: 'on',
    parse: parseSwitch,
  }),
  aliases: setting({
    variable: 'CARDPRICE_ALIASES',
    description:
      'A CSV file of what your customers call cards, besides the built-in aliases: with ' +
      'the header `game,alias,means` and a row for each alias, such as ' +
      '`mtg,bobby,dark confidant`. It is read at the start.',
    allowed: 'the path of a file',
    default: '',
    parse: (text) => text,
  }),
  rates: setting({
    variable: 'CARDPRICE_EUR_RATE',
    description:
      'What a euro was worth in dollars from which day on, such as `2026-01-28:1.08`, several ' +
      'separated by commas. Prices in euros are served by the newest rate that is not later than ' +
      'they are; without one they are kept, but not served.',
    allowed: 'days with a rate such as 2026-01-28:1.08, separated by commas',
    default: '',
    parse: parseRates,
  }),
  estimates: setting({
    variable: 'CARDPRICE_ESTIMATES',
    description:
      'Whether prices of conditions that no source gives are estimated from the market price. ' +
      '`prices.estimated` names the estimated ones (docs/pricing.md).',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  }),
  jumpFactor: setting({
    variable: 'CARDPRICE_JUMP_FACTOR',
    description:
      'How many times as much, or as little, a price may become from one day to the next before ' +
      'it is quarantined, unless another source has moved as well (docs/pricing.md).',
    allowed: 'a number from 1.5 to 1000',
    default: '2',
    parse: (text) => (isBetween(text, 1.5, 1000) ? Number(text) : undefined),
  }),
  lossShare: setting({
    variable: 'CARDPRICE_LOSS_SHARE',
    description:
      'How many percent of its prices of a set a source may lose at once. When it loses more, ' +
      'they stay as they were (docs/pricing.md).',
    allowed: 'a number from 1 to 100',
    default: '30',
    parse: (text) => (isBetween(text, 1, 100) ? Number(text) / 100 : undefined),
  }),
  sync: setting({
    variable: 'CARDPRICE_SYNC',
    description:
      'The sources that `cardprice sync` keeps up to date, separated by commas. Some need a key ' +
      '(`CARDPRICE_SYNC_KEYS`), or a file of yours (`CARDPRICE_SYNC_FROM`).',
    allowed: `names of sources, separated by commas, of ${SOURCE_NAMES.join(', ')}`,
    default: 'tcgcsv',
    parse: parseSources,
  }),
  syncFrom: setting({
    variable: 'CARDPRICE_SYNC_FROM',
    description:
      'Other places of sources than their own addresses: a mirror, or a file or folder on ' +
      'this machine, such as `tcgcsv=https://mirror.example,quotes=/srv/prices.csv`. The address ' +
      'of a file may contain a key.',
    allowed: 'places such as tcgcsv=https://mirror.example, separated by commas',
    default: '',
    secret: true,
    parse: parsePlaces,
  }),
  syncKeys: setting({
    variable: 'CARDPRICE_SYNC_KEYS',
    description: 'Your keys of sources that want one, such as `justtcg=…,pokemontcg=…`.',
    allowed: 'keys such as justtcg=KEY, separated by commas',
    default: '',
    secret: true,
    parse: parseKeys,
  }),
  syncAt: setting({
    variable: 'CARDPRICE_SYNC_AT',
    description:
      'When `serve --sync` syncs: times of the day (UTC), separated by commas. It begins up to ' +
      'ten minutes later, so that not everybody asks a source at the same moment.',
    allowed: 'times such as 21:30, separated by commas',
    default: '21:30',
    parse: parseTimes,
  }),
  staleAfter: setting({
    variable: 'CARDPRICE_STALE_AFTER',
    description:
      'The age at which prices of a source count as stale (`cardprice status`), for all sources ' +
      'or by source: `60h,pricecharting=14d`. Sources that are neither synced nor named here ' +
      'never do.',
    allowed: 'ages such as 60h or 3d, one for all and others by source, separated by commas',
    default: '60h',
    parse: parseAges,
  }),
  downloads: setting({
    variable: 'CARDPRICE_DOWNLOADS',
    description:
      'The folder for files that `sync` downloads; they are removed once they are read. ' +
      'Beside the SQLite file unless set; in the system’s folder for temporary files with ' +
      'PostgreSQL.',
    allowed: 'the path of a folder',
    default: '',
    parse: (text) => text,
  }),
};

/** Infers the type of the value while it checks the rest. */
function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}

export type SettingName = keyof typeof SETTINGS;
