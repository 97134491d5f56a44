/** Splits a comma-separated text into trimmed parts. An empty text has no parts. */
export function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}
