/** A text in which an e-mail address breaks after its @ rather than within a word. */
export function Breakable({ text }: { text: string }) {
  return text
    .split(/(?<=@)/)
    .flatMap((part, index) => (index === 0 ? part : [<wbr key={part} />, part]));
}
