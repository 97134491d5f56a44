import { Command } from 'commander';
import { type Card, defaultPrinting, type Printing } from '../domain/card.ts';
import type { Currency } from '../domain/currencies.ts';
import { dayOf } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { GameSlug } from '../domain/games.ts';
import { formatGrade } from '../domain/grade-names.ts';
import { compareGrades, isGrade } from '../domain/grades.ts';
import { LocalPrices } from '../domain/local-prices.ts';
import { type Cents, formatCents } from '../domain/money.ts';
import { CONDITION_NAMES, CONDITIONS } from '../domain/price.ts';
import { localPricesOf } from '../http/parameters.ts';
import { cardDetail, cardSummary, moment } from '../http/v1/views.ts';
import { noteConversion, withCatalog } from './catalog.ts';
import type { CommandContext } from './context.ts';
import {
  type CurrencyFlag,
  countOption,
  currencyOption,
  GAME_LIST,
  gameOption,
  type JsonFlag,
  jsonOption,
} from './options.ts';
import { printErrorLine, printJson, printLine, printTable } from './output.ts';

interface SearchFlags extends JsonFlag, CurrencyFlag {
  readonly game?: GameSlug;
  readonly limit: number;
}

/** `cardprice search`: finds cards by words, with the results of `/v1/search`. */
export function searchCommand(context: CommandContext): Command {
  return new Command('search')
    .description('Find cards by name, set, number and more, with their prices.')
    .argument('<words...>', 'What to search for.')
    .addOption(gameOption('--game <slug>', `Only cards of this game: ${GAME_LIST}.`))
    .addOption(countOption('--limit <count>', 'List at most this many.').default(20))
    .addOption(currencyOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
It reads the whole catalogue first. Operators work as in the API: put them in quotes, so that the shell
does not read them.

Examples:
  cardprice search charizard base set 4/102
  cardprice search 'cheapest lugia -v under $20'
  cardprice search 'lugia under 20' --currency EUR`,
    )
    .action(async (words: readonly string[], flags: SearchFlags) => {
      const { game, limit, json } = flags;
      const today = dayOf(context.clock());
      const { found, local } = await withCatalog(context, async ({ search, rates }) => {
        const local = localPricesOf(flags, { rates }, today);
        const query = { q: words.join(' '), sort: 'relevance', limit, offset: 0, today } as const;
        const found = search.search({
          ...query,
          ...(game && { game }),
          local: local ?? new LocalPrices('USD', rates, today),
        });
        return { found, local };
      });
      const cards = found.cards.map((card) => local?.card(card) ?? card);
      for (const { message } of found.understood?.problems ?? []) printErrorLine(message);
      noteConversion(local);
      if (json) printJson(cards.map((card) => cardSummary(card, today)));
      else printFound({ ...found, cards });
    });
}

/** `cardprice show`: one card with all of its prices. */
export function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Show a card with the prices of all printings.')
    .argument('<id>', 'The id of the card, as in search results.')
    .addOption(currencyOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
\`cardprice explain\` shows where each price comes from.

Example:
  cardprice show pokemon-bs-charizard-004`,
    )
    .action(async (id: string, flags: JsonFlag & CurrencyFlag) => {
      const { estimates } = context.config();
      await withCatalog(context, async (catalog) => {
        const found = catalog.card(id);
        if (!found)
          throw new OperatorError(`No card has the id "${id}". Search for it by its name.`);
        const today = dayOf(context.clock());
        const local = localPricesOf(flags, catalog, today);
        const card = local?.card(found) ?? found;
        const options = { estimates, today };
        noteConversion(local);
        if (flags.json) printJson(cardDetail(card, catalog.externalIds(found), options));
        else printCard(card);
      });
    });
}

interface Found {
  readonly cards: readonly Card[];
  readonly total: number;
  readonly suggestion?: string | undefined;
}

function printFound({ cards, total, suggestion }: Found): void {
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
  printTable(
    ['market', 'name', 'number', 'set', 'printing', 'id'],
    cards.map((card) => {
      const printing = defaultPrinting(card);
      const price = amount(printing?.prices.market, printing?.money?.currency);
      return [price, card.name, card.number ?? '', card.set.name, printing?.name ?? '', card.id];
    }),
    `No card matches.${hint}`,
  );
  if (total > cards.length) printLine(`${total - cards.length} more: raise --limit.`);
}

function printCard({ name, number, rarity, set, printings }: Card): void {
  printLine({ style: 'bold', text: name });
  printLine([set.name, number, rarity].filter((fact) => fact !== null).join(' · '));
  printLine();
  printTable(
    ['printing', 'market', 'low', 'mid', 'high', 'observed'],
    printings.map(({ name, prices, money }) => {
      const { market, low, mid, high, figuresAt } = prices;
      const figures = [market, low, mid, high].map((cents) => amount(cents, money?.currency));
      return [name, ...figures, moment(figuresAt) ?? ''];
    }),
    'No source has a price.',
  );
  for (const printing of printings) printCopies(printing);
}

/** Prints the prices of conditions and grades, as far as sources report them. */
function printCopies({ name, prices: { conditions, graded }, money }: Printing): void {
  const print = (copy: string, cents: Cents) =>
    printLine(`${name}, ${copy}: ${formatCents(cents, money?.currency)}`);
  for (const condition of CONDITIONS) {
    const cents = conditions[condition];
    if (cents !== undefined) print(CONDITION_NAMES[condition], cents);
  }
  for (const grade of Object.keys(graded).filter(isGrade).sort(compareGrades)) {
    const cents = graded[grade];
    if (cents !== undefined) print(formatGrade(grade), cents);
  }
}

function amount(cents: Cents | null | undefined, currency: Currency | undefined): string {
  return cents === null || cents === undefined ? '' : formatCents(cents, currency);
}
