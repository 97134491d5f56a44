/** The parts of a text that commas separate, without the space around them; none of an empty one. */
export function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}
