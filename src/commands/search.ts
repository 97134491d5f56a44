import { Command } from 'commander';
import { type Card, defaultPrinting, type Printing } from '../domain/card.ts';
import { dayOf } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { GameSlug } from '../domain/games.ts';
import { formatGrade } from '../domain/grade-names.ts';
import { compareGrades, isGrade } from '../domain/grades.ts';
import { type Cents, formatCents } from '../domain/money.ts';
import { CONDITION_NAMES, CONDITIONS } from '../domain/price.ts';
import { cardDetail, cardSummary, moment } from '../http/v1/views.ts';
import { withCatalog } from './catalog.ts';
import type { CommandContext } from './context.ts';
import { countOption, GAME_LIST, gameOption, type JsonFlag, jsonOption } from './options.ts';
import { printJson, printLine, printTable } from './output.ts';

interface SearchFlags extends JsonFlag {
  readonly game?: GameSlug;
  readonly limit: number;
}

/** `cardprice search`: the cards that words mean, as `/v1/search` finds them. */
export function searchCommand(context: CommandContext): Command {
  return new Command('search')
    .description('Find cards by name, set, number and more, with their prices.')
    .argument('<words...>', 'What to search for.')
    .addOption(gameOption('--game <slug>', `Only cards of this game: ${GAME_LIST}.`))
    .addOption(countOption('--limit <count>', 'List at most this many.').default(20))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
It reads the whole catalogue first. Operators work as in the API: put them in quotes, so that the shell
does not read them.

Examples:
  cardprice search charizard base set 4/102
  cardprice search 'cheapest lugia -v under $20'`,
    )
    .action(async (words: readonly string[], { game, limit, json }: SearchFlags) => {
      const today = dayOf(context.clock());
      const found = await withCatalog(context, async ({ search }) => {
        const query = { q: words.join(' '), sort: 'relevance', limit, offset: 0, today } as const;
        return search.search({ ...query, ...(game && { game }) });
      });
      if (json) printJson(found.cards.map((card) => cardSummary(card, today)));
      else printFound(found);
    });
}

/** `cardprice show`: one card with all of its prices. */
export function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Show a card with the prices of all printings.')
    .argument('<id>', 'The id of the card, as in search results.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
\`cardprice explain\` shows where each price comes from.

Example:
  cardprice show pokemon-bs-charizard-004`,
    )
    .action(async (id: string, { json }: JsonFlag) => {
      const { estimates } = context.config();
      await withCatalog(context, async (catalog) => {
        const card = catalog.card(id);
        if (!card)
          throw new OperatorError(`No card has the id "${id}". Search for it by its name.`);
        const options = { estimates, today: dayOf(context.clock()) };
        if (json) printJson(cardDetail(card, catalog.externalIds(card), options));
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
      const price = amount(printing?.prices.market);
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
    printings.map(({ name, prices }) => {
      const { market, low, mid, high, figuresAt } = prices;
      return [name, ...[market, low, mid, high].map(amount), moment(figuresAt) ?? ''];
    }),
    'No source has a price.',
  );
  for (const printing of printings) printCopies(printing);
}

/** Prints the prices of conditions and grades, as far as sources report them. */
function printCopies({ name, prices: { conditions, graded } }: Printing): void {
  const print = (copy: string, cents: Cents) =>
    printLine(`${name}, ${copy}: ${formatCents(cents)}`);
  for (const condition of CONDITIONS) {
    const cents = conditions[condition];
    if (cents !== undefined) print(CONDITION_NAMES[condition], cents);
  }
  for (const grade of Object.keys(graded).filter(isGrade).sort(compareGrades)) {
    const cents = graded[grade];
    if (cents !== undefined) print(formatGrade(grade), cents);
  }
}

function amount(cents: Cents | null | undefined): string {
  return cents === null || cents === undefined ? '' : formatCents(cents);
}
