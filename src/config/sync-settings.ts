import type { Millis } from '../domain/day.ts';
import { parseDuration, parseTimeOfDay, type TimeOfDay } from '../domain/schedule.ts';
import { findSource } from '../domain/sources.ts';
import { splitList } from '../lib/lists.ts';

/**
 * What the operator says about syncing, as it is written in settings: which sources, from where,
 * when, and when they are stale. Each function gives undefined for what is not allowed.
 */

export function parseSources(text: string): readonly string[] | undefined {
  const names = [...new Set(splitList(text))];
  return names.every((name) => findSource(name)) ? Object.freeze(names) : undefined;
}

export function parseTimes(text: string): readonly TimeOfDay[] | undefined {
  const times = splitList(text).map(parseTimeOfDay);
  const good = times.filter((time) => time !== undefined);
  return good.length === times.length && good.length > 0 ? Object.freeze(good) : undefined;
}

/** By source, an address or a path. */
export function parsePlaces(text: string): Readonly<Record<string, string>> | undefined {
  return parseBySource(text, (place) => {
    if (!place.includes('://')) return place;
    if (!/^https?:/.test(place) || !URL.canParse(place)) return undefined;
    const { username, password } = new URL(place);
    return username || password ? undefined : place;
  });
}

export function parseKeys(text: string): Readonly<Record<string, string>> | undefined {
  return parseBySource(text, (key) => (/^[\x21-\x7e]+$/.test(key) ? key : undefined));
}

/** How old prices may be: `all` unless a source has an age of its own. */
export interface AgeLimits {
  readonly all: Millis;
  readonly bySource: Readonly<Record<string, Millis>>;
}

/** The age from which prices of a source are stale; null if they never are. */
export function staleLimit(
  { sync, staleAfter }: { sync: readonly string[]; staleAfter: AgeLimits },
  source: string,
): Millis | null {
  return staleAfter.bySource[source] ?? (sync.includes(source) ? staleAfter.all : null);
}

export function parseAges(text: string): AgeLimits | undefined {
  const parts = splitList(text);
  const [all = '60h', ...more] = parts.filter((part) => !part.includes('='));
  const limit = parseDuration(all);
  const named = parts.filter((part) => part.includes('=')).join(',');
  const bySource = parseBySource(named, parseDuration);
  if (limit === undefined || !bySource || more.length > 0) return undefined;
  return Object.freeze({ all: limit, bySource });
}

/** `source=value,source=value`: no source twice, and every value good. */
function parseBySource<Value>(
  text: string,
  parse: (value: string) => Value | undefined,
): Readonly<Record<string, Value>> | undefined {
  const values = new Map<string, Value>();
  for (const part of splitList(text)) {
    const [, source = '', written = ''] = /^([\w-]+)=(.+)$/.exec(part) ?? [];
    const value = parse(written);
    if (!findSource(source) || values.has(source) || value === undefined) return undefined;
    values.set(source, value);
  }
  return Object.freeze(Object.fromEntries(values));
}
