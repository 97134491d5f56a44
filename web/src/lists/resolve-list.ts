import { CallError, call, post } from '../api/call.ts';
import { localPath } from '../api/currency.ts';
import { cardApiPath, dashboardPath } from '../api/links.ts';
import type { CandidateBody, CardBody, ResolvedBody } from '../api/responses.ts';
import { answered, type ListRow, type ResolvedList, type SentList } from './list.ts';

/** The calls for a list. Each rejects with an error for the reader. */

/** The most candidates in one answer of the API. */
const MAX_CANDIDATES = 2500;

/** Finds the cards of lines, and their prices. */
export async function resolveList(sent: SentList): Promise<ResolvedList> {
  return answered(sent, await resolveLines(sent));
}

/** Finds the prices of a list in another currency. The reader's changes stay. */
export async function repriceList(
  { rows: before, ...sent }: ResolvedList,
  currency: SentList['currency'],
): Promise<ResolvedList> {
  const changed = { ...sent, currency };
  const list = answered(changed, await resolveLines(changed), before);
  const edited = await Promise.all(
    list.rows.map(async (row, i) => {
      const chosen = row.chosen ?? (await findAgain(row, before[i]?.chosen, changed));
      const { picked } = row;
      if (!picked) return { ...row, chosen };
      return {
        ...row,
        chosen,
        picked: { ...picked, card: await cardIn(picked.card.id, currency) },
      };
    }),
  );
  return { ...list, rows: edited };
}

/** Finds a candidate that is not among the first ones. */
async function findAgain(
  row: ListRow,
  chosen: CandidateBody | undefined,
  sent: SentList,
): Promise<CandidateBody | undefined> {
  if (!chosen) return undefined;
  return (await allCandidates(row, sent)).find(({ id }) => id === chosen.id);
}

/** Returns every candidate of a line. */
export async function allCandidates(
  { answer, ...line }: ListRow,
  { game, currency }: Pick<SentList, 'game' | 'currency'>,
): Promise<readonly CandidateBody[]> {
  const maxCandidates = Math.min(answer.candidateCount ?? 1, MAX_CANDIDATES);
  const [all] = await resolveLines({ lines: [line], game, currency }, { maxCandidates });
  return all?.candidates ?? [];
}

async function resolveLines(
  { lines, game, currency }: SentList,
  options: { readonly maxCandidates?: number } = {},
): Promise<readonly ResolvedBody[]> {
  const path = dashboardPath(localPath('/v1/resolve', currency));
  const body = { items: lines.map(({ text }) => text), ...(game && { game }), ...options };
  try {
    return (await post<{ data: ResolvedBody[] }>(path, body)).data;
  } catch (error) {
    throw isUsedUp(error) ? new Error(USED_UP) : error;
  }
}

const USED_UP =
  'This list needs more card lookups than you have left today. Each line uses one, or one for each ' +
  'card that it may mean.';

function isUsedUp(error: unknown): boolean {
  return error instanceof CallError && error.code === 'RATE_LIMIT_EXCEEDED';
}

async function cardIn(id: string, currency: SentList['currency']): Promise<CardBody> {
  const path = dashboardPath(localPath(cardApiPath(id), currency));
  return (await call<{ data: CardBody }>(path)).data;
}
