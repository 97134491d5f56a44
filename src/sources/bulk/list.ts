import { createPublicKey, verify } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BULK_FORMATS, BULK_LIST, BULK_SIGNATURE, BULK_TYPES } from '../../domain/bulk.ts';
import { OperatorError } from '../../domain/errors.ts';
import { GAME_SLUGS } from '../../domain/games.ts';
import type { Tree } from '../io/tree.ts';

/** Reads the list of bulk files, which describes the expected files. */

/** A path below the list: neither absolute nor outside of the folder. */
const RELATIVE = '^[a-z0-9-]+(?:/[a-z]+=[\\w-]+|/[a-z0-9-]+)*/[a-z0-9-]+\\.[a-z.]+$';

const LIST = Type.Object({
  cursor: Type.String(),
  data: Type.Array(
    Type.Object({
      type: Type.Enum([...BULK_TYPES]),
      game: Type.Union([Type.Enum([...GAME_SLUGS]), Type.Null()]),
      month: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
      format: Type.Enum(Object.keys(BULK_FORMATS)),
      bytes: Type.Integer({ minimum: 1 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      updatedAt: Type.Union([Type.String(), Type.Null()]),
      url: Type.String({ pattern: RELATIVE }),
    }),
  ),
});
const list = Compile(LIST);

export type ListedFile = Static<typeof LIST>['data'][number];

/**
 * Returns the files of a list.
 *
 * @param publicKey The key that must have signed it, in base64; undefined for no check.
 * @throws OperatorError if there is no such list, or its signature is missing or wrong.
 */
export async function readList(
  tree: Tree,
  publicKey: string | undefined,
): Promise<readonly ListedFile[]> {
  const text = await readText(tree, BULK_LIST);
  if (publicKey !== undefined) {
    requireSignature(tree, publicKey, text, await readText(tree, BULK_SIGNATURE));
  }
  const value = parse(text);
  if (list.Check(value)) return value.data;
  throw new OperatorError(`${tree.location}/${BULK_LIST} is not a list of bulk files.`);
}

async function readText(tree: Tree, name: string): Promise<Buffer> {
  const file = await tree.read(name);
  if (file.kind === 'found') return Buffer.from(file.bytes);
  const what = name === BULK_LIST ? 'no bulk files' : 'no signature, which --key asks for';
  throw new OperatorError(`${tree.location} has ${what}: there is no ${name}.`);
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

function requireSignature(tree: Tree, publicKey: string, text: Buffer, signature: Buffer): void {
  const bytes = Buffer.from(signature.toString('latin1'), 'base64');
  if (verify(null, text, keyOf(publicKey), bytes)) return;
  throw new OperatorError(
    `${tree.location}/${BULK_LIST} was not signed by the key ${publicKey}. Nothing was imported.`,
  );
}

function keyOf(publicKey: string) {
  const x = Buffer.from(publicKey, 'base64');
  if (x.length !== 32) {
    throw new OperatorError(
      `--key "${publicKey}" is not a public key: 32 bytes in base64, as "cardprice export bulk" ` +
        'prints them.',
    );
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}
