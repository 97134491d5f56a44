import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { withLock } from '../../ingest/lock.ts';
import type { Store } from '../../store/connect.ts';
import { formatCount, printJson, printLine } from '../output.ts';
import { withProgress } from '../progress.ts';
import { publicKeyOf } from './list.ts';
import { type BulkOptions, writeBulk } from './write.ts';

interface ExportOptions {
  readonly json: boolean;
  readonly clock: () => Millis;
}

/**
 * Runs `cardprice export bulk`.
 *
 * @throws OperatorError if the folder cannot be written, or another process exports.
 */
export async function exportBulk(
  store: Store,
  folder: string,
  { json, clock, ...options }: BulkOptions & ExportOptions,
): Promise<void> {
  const write = () => {
    return withProgress('parts', json, (watch) => {
      return writeBulk(store, folder, { ...options, ...watch });
    });
  };
  const written = withLock(store, clock, write, 'bulk export');
  const { data: files } = await written.catch((error: unknown) => {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new OperatorError(`${folder} cannot be written: ${message}.`, { cause: error });
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const publicKey = options.key === '' ? null : publicKeyOf(options.key);
  if (json) return printJson({ files: files.length, bytes, publicKey });
  printLine(`Exported  ${formatCount(files.length)} files, ${(bytes / 1e6).toFixed(1)} MB`);
  if (publicKey === null) printLine('Signature none; CARDPRICE_BULK_KEY is not set');
  else printLine(`Signature by the key ${publicKey}`);
}
