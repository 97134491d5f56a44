/** Media types that browsers only show and never run, by the first bytes of a file. SVG may run. */
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

/** A picture as sent to the browser. */
export interface Picture {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

export const PICTURE_TYPES = Object.keys(BEGINNINGS) as PictureType[];

/** The length of the longest signature, in bytes. */
const READ_BYTES = 12;

/** Returns the type of a file by its first bytes, or undefined if it is not a picture. */
export function typeOfPicture(bytes: Buffer): PictureType | undefined {
  const start = bytes.toString('hex', 0, READ_BYTES);
  return PICTURE_TYPES.find((type) => BEGINNINGS[type].test(start));
}

/**
 * Returns a picture with the type of its bytes, which may differ from the type its server claims.
 * @throws Error for bytes that are none.
 */
export function pictureOf(bytes: Buffer): Picture {
  const type = typeOfPicture(bytes);
  if (!type) throw new Error('these bytes are not a picture');
  return { type, bytes };
}
