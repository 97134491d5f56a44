import { JSON_TYPE, type JsonObject, objectOf } from './openapi-json.ts';

/** The key of the response that stands for all statuses that an operation does not list. */
export const ANY_STATUS = 'default';

/**
 * Lists the errors that every operation answers alike as one response for all other statuses, so an
 * operation has one reference instead of one for each status.
 */
export function joinCommonErrors(operations: readonly JsonObject[]): void {
  const all = operations.map(({ responses }) => objectOf(responses));
  const common = Object.entries(all[0] ?? {}).filter(([status, response]) => {
    const text = JSON.stringify(response);
    return status >= '400' && all.every((own) => JSON.stringify(own[status]) === text);
  });
  if (common.length === 0) return;
  const joined = joinedErrors(common.map(([status, error]) => [status, objectOf(error)]));
  for (const responses of all) {
    for (const [status] of common) delete responses[status];
    responses[ANY_STATUS] = structuredClone(joined);
  }
}

/** Returns one response for several errors: their texts, headers and examples. */
function joinedErrors(errors: readonly (readonly [status: string, error: JsonObject])[]) {
  const bodies = errors.map(([, { content }]) => objectOf(objectOf(content)[JSON_TYPE]));
  const headers = mergedOf(errors.map(([, error]) => objectOf(error.headers)));
  const examples = mergedOf(bodies.map((body) => objectOf(body.examples)));
  return {
    description: errors.map(([status, { description }]) => `${status}: ${description}`).join(' '),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { [JSON_TYPE]: { ...bodies[0], examples } },
  };
}

function mergedOf(parts: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}
