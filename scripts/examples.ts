/**
 * Writes the answers that the reference and `/openapi.json` show as examples: `node
 * scripts/examples.ts`, after which `npm run fix` formats the file. They are the service's answers
 * to the requests of the reference with the starter catalogue.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STARTER_FOLDER } from '../src/commands/files.ts';
import { importStarter, importStarterQuotes } from '../src/commands/starter.ts';
import { halfOf, type OpenApiDocument } from '../src/http/openapi-documents.ts';
import { type Document, type Operation, pathOf } from '../src/http/reference/document.ts';
import { bodyOf } from '../src/http/reference/samples.ts';
import { openStore } from '../src/store/connect.ts';
import { type Caller, Service } from '../test/support/app.ts';

export const EXAMPLES = new URL('../src/http/example-answers.json', import.meta.url);

/** The day after the newest prices of the starter catalogue, so that they are not stale. */
const NOW = Date.UTC(2026, 0, 29, 12);

const PUBLICATION = 'faf065c4-5b1e-4f0a-9d3c-2a7c61e0b8d5';

/** Returns the answers by the ids of operations. */
export async function exampleAnswers(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-examples-'));
  try {
    return await answersOf(join(folder, 'cards.db'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function answersOf(location: string): Promise<Record<string, unknown>> {
  const clock = { now: NOW };
  const store = await openStore(location);
  await importStarter(store, STARTER_FOLDER, () => clock.now);
  await importStarterQuotes(store, STARTER_FOLDER, () => clock.now);
  // Cursors contain the id of the publication, which is random.
  await store.db
    .updateTable('publications')
    .set({ id: PUBLICATION })
    .where('revision', '=', 1)
    .execute();
  await store.close();
  const service = await Service.open(location, {}, clock);
  await service.app.ready();
  const routes = service.app.swagger() as unknown as OpenApiDocument;
  const document = halfOf(routes, 'callers') as unknown as Document;
  const answers: Record<string, unknown> = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      // A separate caller for each, so no answer about a caller depends on the calls before.
      const caller = await service.caller();
      const answer = await answerTo(caller, document, path, operation);
      if (answer) answers[operation.operationId] = answer;
    }
  }
  await service.close();
  return answers;
}

/** Returns a short answer; undefined if the starter catalogue has nothing to show. */
async function answerTo(caller: Caller, document: Document, path: string, operation: Operation) {
  const url = pathOf(document, path, operation);
  const body = bodyOf(document, operation);
  const answer = await (body === undefined ? caller.get(url) : caller.post(url, body));
  if (answer.statusCode !== 200) return undefined;
  const { data, ...others } = answer.json();
  // Secrets are random.
  if ('secret' in data) return undefined;
  return data.length === 0 ? undefined : withShortLists({ data, ...others });
}

/** Truncates every list after its first item. */
function withShortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(withShortLists);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withShortLists(member)]);
  return Object.fromEntries(members);
}

if (import.meta.main) writeFileSync(EXAMPLES, JSON.stringify(await exampleAnswers(), null, 2));
