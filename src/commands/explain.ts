import { Command } from 'commander';
import type { Static } from 'typebox';
import { comparePrintings, printingInFront } from '../domain/card.ts';
import { OperatorError } from '../domain/errors.ts';
import { isFoilRarity } from '../domain/games.ts';
import type { ExplainedCard } from '../http/explain-schemas.ts';
import { explainedCard, readCardObservations } from '../http/v1/explain.ts';
import { findCardsById, printingsOf, setsById } from '../store/catalogue/catalogue.ts';
import type { Store } from '../store/connect.ts';
import { observationsReader } from '../store/reports/explain.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { printJson, printLine, printTable } from './output.ts';

type Explained = Static<typeof ExplainedCard>;
type ExplainedPrinting = Explained['printings'][number];
type ExplainedNumber = ExplainedPrinting['numbers'][number];

/** `cardprice explain`: where the prices of a card come from. */
export function explainCommand(context: CommandContext): Command {
  return new Command('explain')
    .description(
      'Show where every price of a card comes from, why others are null, and what was left out.',
    )
    .argument('<id>', 'The id of the card, as in search results.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The command shows the prices in the database. While an import runs, some of them are not served yet.
GET /v1/cards/{id}/explain returns the same JSON in "data".

Example:
  cardprice explain pokemon-bs-charizard-004`,
    )
    .action(async (id: string, { json }: JsonFlag) => {
      const { estimates } = context.config();
      const explained = await context.withStore((store) => explain(store, id, estimates));
      if (json) printJson(explained);
      else print(explained);
    });
}

/** @throws OperatorError if there is no such card. */
async function explain(store: Store, id: string, estimates: boolean): Promise<Explained> {
  const card = (await findCardsById(store.db, [id])).get(id);
  if (!card) throw new OperatorError(`No card has the id "${id}". Search for it by its name.`);
  const stored = await printingsOf(store, store.db, [card.rowId]);
  stored.sort((a, b) => comparePrintings(a.name, b.name));
  const set = (await setsById(store.db, [card.setRowId])).get(card.setRowId);
  const isFoil = set !== undefined && isFoilRarity(set.game, card.rarity);
  const shown = printingInFront(stored, isFoil);
  const printings = stored.map(({ rowId, name }) => ({ rowId, name }));
  const asked = { rowId: card.rowId, set: card.setRowId, printings };
  const observations = await readCardObservations(observationsReader(store), asked);
  return explainedCard({ ...asked, id, printing: shown?.name ?? null }, observations, estimates);
}

function print({ cardId, printing, printings, quarantined }: Explained): void {
  for (const { name, numbers, missing } of printings) {
    printLine(`${cardId}, ${name}${name === printing ? ' (shown for the card)' : ''}`);
    printTable(HEADINGS, numbers.map(numberCells), 'No source has a price.');
    for (const line of groupedReasons(numbers, missing)) printLine(line);
    printLine();
  }
  if (printings.length === 0) printLine(`No source has a price for ${cardId}.`);
  for (const {
    id,
    printing: name,
    source,
    rule,
    explanation,
    settledBy,
    closesOn,
  } of quarantined) {
    const until = closesOn === null ? '' : ` It closes by itself on ${closesOn}.`;
    const what = `${explanation} ${settledBy}${until}`;
    printLine(`Quarantined  ${name ?? 'all'}, ${source}, ${rule}: ${what} [entry ${id}]`);
  }
}

const HEADINGS = ['NUMBER', 'VALUE', 'SOURCE', 'EXTERNAL ID', 'OBSERVED', 'FETCHED', 'RULE'];

function numberCells(number: ExplainedNumber): string[] {
  const { name, value, source, marketplace, externalId, observedAt, fetchedAt, rule } = number;
  const from = source === null ? '' : `${source} (${marketplace})`;
  return [
    name,
    dollars(value),
    from,
    externalId ?? '',
    observedAt ?? '',
    fetchedAt ?? '',
    rule ?? '',
  ];
}

function dollars(value: number | null): string {
  return value === null ? '-' : value.toFixed(2);
}

/** One line for each reason, with the numbers that it applies to. */
function groupedReasons(
  numbers: readonly ExplainedNumber[],
  missing: ExplainedPrinting['missing'],
): string[] {
  const reasons = new Map<string, string[]>();
  const note = (text: string, name: string) => {
    reasons.set(text, [...(reasons.get(text) ?? []), name]);
  };
  for (const { name, value, explanation, leftOut } of numbers) {
    if (value !== null) note(`Served       ${explanation}`, name);
    for (const { source: other, marketplace, explanation: why } of leftOut) {
      note(`Left out     ${other} (${marketplace}): ${why}`, name);
    }
  }
  for (const { name, explanation } of missing) note(`Null         ${explanation}`, name);
  return [...reasons].map(([text, names]) => `${text} [${names.join(', ')}]`);
}
