/** Where a database is: a file path, or the URL of a PostgreSQL server. */

const SERVER = /^postgres(ql)?:\/\//;

/**
 * A connection string that is no URL of PostgreSQL as it has to be written: another scheme, other
 * letters or a slip (`Postgres://`, `postgres:/`), or parameters (`host=db password=…`). A single
 * letter before the colon is a drive of Windows.
 */
const CONNECTION_STRING = /^[^/]{2,}:(\/|.*@)|(password|passwd|pwd)\s*=/is;

/** Parameters of a server's URL that are not secret. */
const SHOWN_PARAMETERS = ['sslmode', 'host', 'port', 'application_name', 'connect_timeout'];

/** Whether a database location is a PostgreSQL URL, and not a SQLite file. */
export function isPostgres(location: string): boolean {
  return SERVER.test(location);
}

/** Whether a text is the path of a file, or a PostgreSQL URL, and no other connection string. */
export function isLocation(text: string): boolean {
  return isPostgres(text) || !CONNECTION_STRING.test(text);
}

/**
 * A location for messages and logs: without the password that a URL can have, in any of the places
 * where one can be. Of a URL that cannot be taken apart for certain only the scheme is shown: an
 * unescaped `/`, `?`, `#` or `@` in a password moves its rest into another part. Nothing is shown of
 * what is no location but may have a password.
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
  // An unescaped `&` in a password makes parameters of its rest.
  const isShown = [...url.searchParams.keys()].every((name) => SHOWN_PARAMETERS.includes(name));
  if (!isShown) url.search = '***';
  return url.hash === '' ? url.href : `${scheme}***`;
}
