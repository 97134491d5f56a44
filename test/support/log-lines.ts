/** A line of the log, as an object. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The lines of a log that are about a request each. */
export function requests(log: readonly string[]): LogLine[] {
  const lines = log.map((line) => JSON.parse(line) as LogLine);
  return lines.filter(({ msg }) => msg === 'request' || msg === 'slow request');
}
