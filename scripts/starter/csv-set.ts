import { createReadStream } from 'node:fs';
import { OperatorError } from '../../src/domain/errors.ts';
import type { Group, SourceSet } from '../../src/sources/contract/snapshot.ts';
import { BadRow, readCsv } from '../../src/sources/io/csv.ts';
import { findCsvFiles, openTcgcsvCsv } from '../../src/sources/tcgcsv-csv/read.ts';
import type { DatedFile } from './quotes.ts';

/**
 * Reads the cards and prices of a set from its TCGCSV file `ProductsAndPrices.csv`. `set` is the
 * set as described in a tree; its id is replaced by the file's.
 * @throws OperatorError if the file cannot be read.
 */
export async function readSetFile(set: SourceSet, { file, observedAt }: DatedFile): Promise<Group> {
  const externalId = await readGroupId(file);
  const sets = new Map([[externalId, { ...set, externalId }]]);
  const options = { sets, observedAt, now: Date.now() };
  const snapshot = openTcgcsvCsv(await findCsvFiles(file), options);
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind === 'read') return outcome.group;
    if (outcome.kind === 'broken') throw new OperatorError(`${file}: ${outcome.reason}`);
  }
  throw new OperatorError(`${file} has no set.`);
}

async function readGroupId(file: string): Promise<string> {
  for await (const row of readCsv(createReadStream(file))) {
    if (!(row instanceof BadRow)) return row.groupId ?? '';
  }
  return '';
}
