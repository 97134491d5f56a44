/**
 * Whether `decodeURIComponent` can decode a text. Call this instead of ignoring the result: the
 * build drops calls whose results are not used.
 */
export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
