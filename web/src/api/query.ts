type Parameters = Readonly<Record<string, string | number | undefined>>;
type Pair = [name: string, value: string];

/**
 * Appends a query string to a path. Parameters that are undefined or empty are left out. The query
 * contains no character that a shell would interpret inside single quotes.
 */
export function withQuery(path: string, parameters: Parameters): string {
  const present = Object.entries(parameters).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const query = new URLSearchParams(present.map(([name, value]): Pair => [name, String(value)]));
  return present.length === 0 ? path : `${path}?${query}`;
}
