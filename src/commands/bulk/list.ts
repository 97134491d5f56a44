import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BULK_LIST, BULK_SIGNATURE, type BulkList } from '../../domain/bulk.ts';

/** The list of bulk files, signed with Ed25519 so that readers can trust a mirror. */

/** Replaces the list of a folder and its signature. With an empty key, the list is not signed. */
export async function writeList(folder: string, list: BulkList, key: string): Promise<void> {
  const text = `${JSON.stringify(list, null, 2)}\n`;
  await rm(join(folder, BULK_SIGNATURE), { force: true });
  await replace(join(folder, BULK_LIST), text);
  if (key === '') return;
  const signature = sign(null, Buffer.from(text), privateKey(key));
  await replace(join(folder, BULK_SIGNATURE), `${signature.toString('base64')}\n`);
}

/** Returns the public key in base64, with which readers verify the list. */
export function publicKeyOf(key: string): string {
  const { x } = createPublicKey(privateKey(key)).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}

function privateKey(key: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
}

async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.partial`, text);
  await rename(`${path}.partial`, path);
}
