import { PAGES } from '../../../src/dashboard/pages.ts';
import type { Health, SourceHealth } from '../api/responses.ts';
import { formatCount } from '../ui/format.ts';

/** An existing or imminent problem. */
export interface Alarm {
  readonly state: 'warning' | 'wrong';
  /** The source or the part of the service. */
  readonly about: string;
  /** The sentences that describe it. Backticks enclose code. */
  readonly says: string;
  /** The last moment without the problem, with its name; null for never. */
  readonly last?: readonly [name: string, at: string | null];
  /** The remedy. Backticks enclose code. */
  readonly fix: string;
  /** The page with details. */
  readonly href: string;
}

interface Examined {
  readonly health: Health;
  readonly sources: readonly SourceHealth[];
  /** Returns the name of a game. */
  gameName(slug: string): string;
}

/** Returns the alarms about the service and its sources, the worst first. */
export function alarmsOf({ health, sources, gameName }: Examined): readonly Alarm[] {
  const rowsOf = Map.groupBy(sources, ({ source }) => source);
  const alarms = [
    ...[...rowsOf].flatMap(([source, rows]) => sourceAlarms(source, rows, gameName)),
    ...checkAlarms(health),
  ];
  return ['wrong', 'warning'].flatMap((state) => alarms.filter((alarm) => alarm.state === state));
}

/** The alarms of failed checks. Omits checks of sources, whose rows have more facts. */
function checkAlarms({ findings, backupAt }: Health): readonly Alarm[] {
  return findings.flatMap(({ about, state, says, fix }) => {
    if (state === 'good' || about === 'sources') return [];
    const alarm = { state, about, says, fix, href: PAGES.health };
    return about === 'backups' ? { ...alarm, last: ['Newest backup', backupAt] as const } : alarm;
  });
}

/** The alarm of a source that is stale, has failed, or has unreadable parts. */
function sourceAlarms(
  about: string,
  rows: readonly SourceHealth[],
  gameName: (slug: string) => string,
): readonly Alarm[] {
  const stale = rows.filter(({ isStale }) => isStale);
  const failures = new Set(rows.flatMap(({ error }) => error ?? []));
  const partCount = rows.reduce((sum, { failedPartCount }) => sum + failedPartCount, 0);
  const says = [
    ...(stale.length > 0 ? [staleSentence(stale, gameName)] : []),
    ...[...failures].map((error) => `The last update failed: ${error}`),
    ...(partCount > 0 ? [`${formatCount(partCount)} parts could not be read completely.`] : []),
  ];
  if (says.length === 0) return [];
  const prices = stale.flatMap(({ observedAt }) => observedAt ?? []);
  const isExplained = failures.size > 0 || partCount > 0;
  return [
    {
      state: stale.length > 0 ? 'wrong' : 'warning',
      about,
      says: says.join(' '),
      last:
        prices.length > 0
          ? ['Newest price', earliest(prices)]
          : ['Last success', earliest(rows.map(({ succeededAt }) => succeededAt))],
      fix: isExplained
        ? 'Fix the cause, then sync the source.'
        : 'Sync the source, and check that it is synced on schedule.',
      href: PAGES.sources,
    },
  ];
}

/** The number of games to name in a sentence. */
const GAMES_NAMED = 2;

function staleSentence(stale: readonly SourceHealth[], gameName: (slug: string) => string): string {
  if (stale.every(({ observedAt }) => observedAt === null))
    return 'The source has never had a price.';
  const games = stale.flatMap(({ game }) => (game === null ? [] : gameName(game)));
  if (games.length === 0) return 'Its prices are older than allowed.';
  const named = games.length > GAMES_NAMED ? `${games.length} games` : games.join(' and ');
  return `Its prices of ${named} are older than allowed.`;
}

/** Returns the earliest moment; null if one is missing. */
function earliest(moments: readonly (string | null)[]): string | null {
  const known = moments.filter((moment) => moment !== null);
  return known.length < moments.length ? null : (known.toSorted()[0] ?? null);
}
