import { Command } from 'commander';
import { dayOf, formatDay, type Millis } from '../domain/day.ts';
import { GAME_SLUGS, type GameSlug } from '../domain/games.ts';
import { countsAs, findSource, type PriceSource } from '../domain/sources.ts';
import type { SourceEntry } from '../sources/contract/source.ts';
import { FEED_SOURCES, SOURCES } from '../sources/registry.ts';
import { lastFinishedImport } from '../store/catalogue/imports.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

/** `cardprice sources`: lists the sources that can be imported, and their last imports. */
export function sourcesCommand(context: CommandContext): Command {
  return new Command('sources')
    .description(
      'List the sources that you can import, with their prices, games and last imports. Prices of ' +
        'a source take precedence over prices of the sources below it.',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
GIVES lists the kinds of prices: market (what cards sell for), listings (what they are offered
for), graded (graded cards) and conditions (by condition). OBSERVED is the day of its newest
prices.

Example:
  cardprice sources`,
    )
    .action((flags: JsonFlag) => listSources(context, flags.json ?? false));
}

async function listSources(context: CommandContext, json: boolean): Promise<void> {
  const known = await context.withStore((store) => Promise.all(SOURCES.map(lastRunIn(store))));
  const sorted = known.toSorted((a, b) => rankOf(a) - rankOf(b));
  if (json) printJson(sorted.map(describe));
  else print(sorted);
}

/** A source with its last import. */
interface KnownSource {
  readonly source: SourceEntry;
  /** The entry in the table of sources to which its prices are attributed. */
  readonly row: ReturnType<typeof findSource>;
  /** When its last import ended, and the time of its prices; null if there was none. */
  readonly finishedAt: Millis | null;
  readonly observedAt: Millis | null;
}

function lastRunIn({ db }: Store): (source: SourceEntry) => Promise<KnownSource> {
  return async (source) => {
    const last = await lastFinishedImport(db, source.name);
    return {
      source,
      row: findSource(countsAs(source.name)),
      finishedAt: last?.finishedAt ?? null,
      observedAt: last?.observedAt ?? null,
    };
  };
}

function rankOf({ row }: KnownSource): number {
  return row?.rank ?? Number.POSITIVE_INFINITY;
}

/** Returns the JSON form, with moments as text. */
function describe({ source: { name, summary }, row, finishedAt, observedAt }: KnownSource) {
  const feed = FEED_SOURCES.find((source) => source.name === name);
  return {
    name,
    summary,
    countsAs: row?.name ?? name,
    games: row?.games ?? [],
    gives: row?.gives ?? [],
    freshDays: row?.freshDays ?? null,
    files: Object.keys(feed?.files ?? {}),
    address: feed?.remote?.base ?? null,
    lastImport: formatOptionalMoment(finishedAt),
    observedAt: formatOptionalMoment(observedAt),
  };
}

const HEADINGS = ['SOURCE', 'GAMES', 'GIVES', 'LAST IMPORT', 'OBSERVED'];

function print(sources: readonly KnownSource[]): void {
  const rows = sources.map(({ source, row, finishedAt, observedAt }) => [
    source.name,
    row ? gamesOf(row) : '',
    row ? row.gives.join(' ') : '',
    finishedAt === null ? 'never' : formatDay(dayOf(finishedAt)),
    observedAt === null ? '' : formatDay(dayOf(observedAt)),
  ]);
  printTable(HEADINGS, rows, 'There are no sources.');
  printLine();
  printLine('To import one, see `cardprice import <source> --help`.');
}

function gamesOf({ games }: Pick<PriceSource, 'games'>): string {
  const all: readonly GameSlug[] = GAME_SLUGS;
  return all.every((game) => games.includes(game)) ? 'all' : games.join(' ');
}
