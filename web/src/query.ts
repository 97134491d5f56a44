type Parameters = Readonly<Record<string, string | number | undefined>>;
type Pair = [name: string, value: string];

/**
 * A path with a query of those parameters that say something: neither undefined nor empty. Nothing
 * in the query needs quoting in a terminal.
 */
export function withQuery(path: string, parameters: Parameters): string {
  const said = Object.entries(parameters).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const query = new URLSearchParams(said.map(([name, value]): Pair => [name, String(value)]));
  return said.length === 0 ? path : `${path}?${query}`;
}
