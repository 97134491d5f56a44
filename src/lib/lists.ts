/** The parts of a comma-separated text, without the space around them; none of an empty text. */
export function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}
