/**
 * Characters that change how text looks or what a terminal does: C0 and C1 controls, bidirectional
 * and other format characters, line and paragraph separators, and lone surrogates.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Shows control characters as `\u001b`, as in JSON. A card's name can then not move the cursor, set
 * a window title, reverse text or start a line. JSON keeps its meaning.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, escapeCharacter);
}

/** Like {@link escapeControls}, but keeps line breaks. */
export function escapeControlsInLines(text: string): string {
  return text.replaceAll(CONTROLS, (character) => {
    return character === '\n' ? character : escapeCharacter(character);
  });
}

function escapeCharacter(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
