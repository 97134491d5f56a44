/** A text of ours in which backticks enclose code. */
export function InlineCode({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, index) => {
        // Every second part stands between backticks.
        return index % 2 === 1 ? <code key={part}>{part}</code> : part;
      })}
    </>
  );
}
