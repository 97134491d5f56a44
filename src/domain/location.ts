/** The location of a database: a file path, or the URL of a PostgreSQL server. */

const SERVER = /^postgres(ql)?:\/\//;

/**
 * A connection string that is not a valid URL of PostgreSQL: another scheme, wrong case or a typo
 * (`Postgres://`, `postgres:/`), or parameters (`host=db password=…`). A single letter before the
 * colon is a Windows drive.
 */
const CONNECTION_STRING = /^[^/]{2,}:(\/|.*@)|(password|passwd|pwd)\s*=/is;

/** Parameters of a server's URL that are not secret. */
const SHOWN_PARAMETERS = [
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['host', 'port', 'application_name', 'connect_timeout'],
];

/** Whether a database location is a PostgreSQL URL, and not a SQLite file. */
export function isPostgres(location: string): boolean {
  return SERVER.test(location);
}

/** Whether a text is a file path or a PostgreSQL URL, and not another kind of connection string. */
export function isLocation(text: string): boolean {
  return isPostgres(text) || !CONNECTION_STRING.test(text);
}

/**
 * Returns a location for messages and logs, without a password in any part of the URL. If a URL
 * cannot be parsed with certainty, only the scheme is shown: an unescaped `/`, `?`, `#` or `@` in a
 * password moves the rest of it into another part. Other texts that may contain a password are not
 * shown.
 */
export function displayLocation(location: string): string {
  const [scheme] = SERVER.exec(location) ?? [];
  if (!scheme) return isLocation(location) ? location : '***';
  const url = URL.parse(location);
  const rest = location.slice(scheme.length);
  if (!url || rest.split('@').length > 2 || rest.indexOf('@') > rest.search(/[/?#]|$/)) {
    return `${scheme}***`;
  }
  if (url.password !== '') url.password = '***';
  // An unescaped `&` in a password turns the rest of it into parameters.
  const isShown = [...url.searchParams.keys()].every((name) => SHOWN_PARAMETERS.includes(name));
  if (!isShown) url.search = '***';
  return url.hash === '' ? url.href : `${scheme}***`;
}
