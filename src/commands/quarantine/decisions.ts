import { Command } from 'commander';
import { formatExactMoment, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { undoDecision } from '../../ingest/decisions/undo.ts';
import type { Store } from '../../store/connect.ts';
import { type ListedDecision, listDecisions } from '../../store/quarantine/decisions.ts';
import { recordCommand } from '../audit.ts';
import type { CommandContext } from '../context.ts';
import { countOption, type JsonFlag, jsonOption } from '../options.ts';
import { formatCount, printErrorLine, printJson, printLine, printTable } from '../output.ts';

interface ListFlags extends JsonFlag {
  readonly limit: number;
}

/** `cardprice quarantine decisions`: lists the decisions that can be undone. */
export function decisionsCommand({ withStore }: CommandContext): Command {
  return new Command('decisions')
    .description('List the decisions that you can undo, newest first.')
    .addOption(countOption('--limit <count>', 'List at most this many.').default(20))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
You can undo an approval for 7 days, except for prices that their source has reported again. You can
always undo a rejection. Pass AT to \`quarantine undo --decision\`.

Examples:
  cardprice quarantine decisions
  cardprice quarantine decisions --limit 100 --json`,
    )
    .action((flags: ListFlags) => withStore((store) => list(store, flags)));
}

async function list({ db }: Store, { limit, json }: ListFlags): Promise<void> {
  const { decisions } = await listDecisions(db, { limit, offset: 0 });
  if (json) return printJson(decisions.map(decisionJson));
  const cells = decisions.map(({ decision, decidedAt, count, sets, rules }) => [
    formatExactMoment(decidedAt),
    decision,
    formatCount(count),
    rules.join(', '),
    sets.map((name) => name ?? 'no set').join(', '),
  ]);
  const nothing = 'There is no decision to undo.';
  printTable(['AT', 'DECISION', 'PRICES', 'RULES', 'SETS'], cells, nothing);
}

function decisionJson({ decidedAt, ...rest }: ListedDecision) {
  return { ...rest, decidedAt: formatExactMoment(decidedAt) };
}

/** Undoes everything decided at a moment that `quarantine decisions` lists. */
export async function undoDecisionOf(
  context: CommandContext,
  moment: string,
  isJson: boolean,
): Promise<void> {
  const decidedAt = readMoment(moment);
  const { undone, kept, pricesChanged } = await context.withStore(async (store) => {
    const done = await undoDecision(store, decidedAt, context.clock);
    if (done.undone + done.kept === 0) throw new OperatorError(nothingAt(moment));
    const detail = `took back ${done.undone}: decision ${moment}`;
    await recordCommand(context, store, 'quarantine-decided', { subject: 'quarantine', detail });
    return done;
  });
  if (isJson) return printJson({ undone, kept, pricesChanged });
  printLine(`Undone ${undone}: they wait for your decision again.`);
  if (kept > 0) printErrorLine(`Left ${kept}: their source has reported them again.`);
}

/** @throws OperatorError if the text is not such a moment. */
function readMoment(text: string): Millis {
  const moment = Date.parse(text);
  if (!Number.isNaN(moment) && formatExactMoment(moment) === text) return moment;
  throw new OperatorError(nothingAt(text));
}

function nothingAt(moment: string): string {
  return `No decision of "${moment}" can be undone. See \`cardprice quarantine decisions\`.`;
}
