/** A part of a text. If it is an address, `href` links to it. */
interface TextPart {
  readonly text: string;
  readonly href?: string;
}

/** Web and mail addresses, without the punctuation that ends a sentence. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/;

/** Splits a text at the web and mail addresses in it. */
export function partsOfText(text: string): readonly TextPart[] {
  return text.split(ADDRESS).flatMap((part, index): TextPart[] => {
    if (part === '') return [];
    // Every second part is an address.
    if (index % 2 === 0) return [{ text: part }];
    return [{ text: part, href: part.startsWith('http') ? part : `mailto:${part}` }];
  });
}
