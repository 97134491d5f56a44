/**
 * Writes the generated files of the clients from the OpenAPI document: `node scripts/clients.ts`.
 * They are the types of the API, and a method for each operation. `--check` only reports which of
 * them are out of date, and then exits with 1.
 *
 * Other generators support only one language, and the one for TypeScript (openapi-typescript) needs
 * the compiler's JavaScript interface, which TypeScript 7 does not have.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, type OpenApiDocument } from '../src/http/openapi-documents.ts';
import { Service } from '../test/support/app.ts';
import { type Document, modelOf } from './clients/model.ts';
import { pythonOperations, pythonTypes } from './clients/python.ts';
import { typescriptOperations, typescriptTypes } from './clients/typescript.ts';

const ROOT = new URL('../', import.meta.url);

/** Returns the texts of the generated files by their paths. */
async function generatedFiles(): Promise<Record<string, string>> {
  const model = modelOf(await readDocument());
  return {
    'clients/typescript/src/types.ts': formatted(typescriptTypes(model)),
    'clients/typescript/src/operations.ts': formatted(typescriptOperations(model)),
    'clients/python/src/cardprice/types.py': pythonTypes(model),
    'clients/python/src/cardprice/_operations.py': pythonOperations(model),
  };
}

async function readDocument(): Promise<Document> {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-clients-'));
  const service = await Service.open(join(folder, 'cards.db'));
  await service.app.ready();
  const all = service.app.swagger() as unknown as OpenApiDocument;
  await service.close();
  rmSync(folder, { recursive: true });
  const described = { origin: '', audience: 'callers', isForClients: true } as const;
  return documentOf(all, described) as unknown as Document;
}

function formatted(text: string): string {
  const args = ['format', '--stdin-file-path=generated.ts'];
  return execFileSync('biome', args, { input: text, encoding: 'utf8', cwd: ROOT });
}

const files = Object.entries(await generatedFiles()).map(([path, text]) => {
  return { path, url: new URL(path, ROOT), text };
});
if (process.argv.includes('--check')) {
  const old = files.filter(({ url, text }) => readFileSync(url, 'utf8') !== text);
  for (const { path } of old) console.error(`${path} is out of date: run node scripts/clients.ts`);
  process.exitCode = old.length === 0 ? 0 : 1;
} else {
  for (const { url, text } of files) writeFileSync(url, text);
}
