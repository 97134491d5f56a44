/** Media types that browsers show and never run, by how their files begin: SVG is not among them. */
const BEGINNINGS = {
  'image/jpeg': /^ffd8ff/,
  'image/png': /^89504e470d0a1a0a/,
  // RIFF, four bytes of size, WEBP
  'image/webp': /^52494646.{8}57454250/,
  // four bytes of size, ftyp, then avif, avis or mif1
  'image/avif': /^.{8}66747970(?:61766966|61766973|6d696631)/,
  // GIF87a or GIF89a
  'image/gif': /^474946383[79]61/,
};

type PictureType = keyof typeof BEGINNINGS;

/** A picture as the browser gets it. */
export interface Picture {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

export const PICTURE_TYPES = Object.keys(BEGINNINGS) as PictureType[];

/** As many bytes as the longest beginning. */
const READ_BYTES = 12;

/** What a file is by its first bytes, whatever its server calls it; undefined for anything else. */
export function typeOfPicture(bytes: Buffer): PictureType | undefined {
  const start = bytes.toString('hex', 0, READ_BYTES);
  return PICTURE_TYPES.find((type) => BEGINNINGS[type].test(start));
}

/**
 * A picture of the type that its bytes have, which may be another than its server says.
 *
 * @throws Error for bytes that are none.
 */
export function pictureOf(bytes: Buffer): Picture {
  const type = typeOfPicture(bytes);
  if (!type) throw new Error('these bytes are no picture');
  return { type, bytes };
}
