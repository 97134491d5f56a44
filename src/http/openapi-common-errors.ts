import { isDeepStrictEqual } from 'node:util';
import { ERRORS } from '../domain/errors.ts';
import { JSON_TYPE, type JsonObject, objectOf } from './openapi-json.ts';

/** The key of the response for all statuses that an operation does not list. */
export const ANY_STATUS = 'default';

/**
 * Lists the errors that every operation answers as one response for all other statuses, so an
 * operation has one reference instead of one for each status. Operations that describe such an
 * error differently keep their own.
 */
export function joinCommonErrors(operations: readonly JsonObject[]): void {
  const all = operations.map(({ responses }) => objectOf(responses));
  const statuses = Object.keys(all[0] ?? {}).filter((status) => status >= '400');
  const common = statuses.flatMap((status) => usualAnswer(all, status) ?? []);
  if (common.length === 0) return;
  const meanings = common.map(([status, { description }]) => `${status}: ${description}`);
  const joined = joinedErrors(
    common.map(([, error]) => error),
    meanings.join(' '),
  );
  for (const responses of all) {
    for (const [status, usual] of common) {
      if (isDeepStrictEqual(responses[status], usual)) delete responses[status];
    }
    responses[ANY_STATUS] = structuredClone(joined);
  }
}

/**
 * Gives all operations that list a status the same response for it, with all of their errors. The
 * reference shows the errors of each operation.
 */
export function joinLikeErrors(operations: readonly JsonObject[]): void {
  const all = operations.map(({ responses }) => objectOf(responses));
  const statuses = new Set(all.flatMap((responses) => Object.keys(responses)));
  for (const status of statuses) {
    if (status < '400' || status === ANY_STATUS) continue;
    const holders = all.filter((responses) => status in responses);
    const errors = holders.map((responses) => objectOf(responses[status]));
    const joined = joinedErrors(errors);
    for (const responses of holders) responses[status] = structuredClone(joined);
  }
}

/** Returns the meaning of an error, by its code. */
function meaningOf(code: string): string {
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS].meaning : code;
}

type ErrorResponse = readonly [status: string, error: JsonObject];

/** Returns the most common response to a status; undefined if no operation lists the status. */
function usualAnswer(all: readonly JsonObject[], status: string): [ErrorResponse] | undefined {
  const answers = all.map((responses) => responses[status]);
  if (answers.includes(undefined)) return undefined;
  const [usual = []] = Map.groupBy(answers, (answer) => JSON.stringify(answer))
    .values()
    .toArray()
    .sort((a, b) => b.length - a.length);
  return usual.length * 2 > all.length ? [[status, objectOf(usual[0])]] : undefined;
}

/**
 * Returns one response for several errors, with their headers, examples and, by default, meanings.
 */
function joinedErrors(errors: readonly JsonObject[], description?: string): JsonObject {
  const bodies = errors.map(({ content }) => objectOf(objectOf(content)[JSON_TYPE]));
  const headers = mergedOf(errors.map((error) => objectOf(error.headers)));
  const examples = mergedOf(bodies.map((body) => objectOf(body.examples)));
  return {
    description: description ?? Object.keys(examples).map(meaningOf).join(' '),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { [JSON_TYPE]: { ...bodies[0], examples } },
  };
}

function mergedOf(parts: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}
