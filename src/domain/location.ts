/** Where a database is: a file path, or the URL of a PostgreSQL server. */

const SERVER = /^postgres(ql)?:\/\//;

/** Parameters of a server's URL that are no secrets. */
const SHOWN_PARAMETERS = ['sslmode', 'host', 'port', 'application_name', 'connect_timeout'];

/** Whether a database location is a PostgreSQL URL, and not a SQLite file. */
export function isPostgres(location: string): boolean {
  return SERVER.test(location);
}

/**
 * A location for messages and logs: without the password that a URL can have, in any of the places
 * where one can be. Of a URL that cannot be taken apart for certain only the scheme is shown: an
 * unescaped `/`, `?`, `#` or `@` in a password moves its rest into another part.
 */
export function displayLocation(location: string): string {
  const [scheme] = SERVER.exec(location) ?? [];
  if (!scheme) return location;
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
