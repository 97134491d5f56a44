import './card-picture.css';
import 'virtual:game-colors.css';
import { gameClass, glyphOf } from './motifs.ts';

interface SetSymbolProps {
  readonly game: string;
  readonly code: string;
}

/** The code of a set on a badge with the color and the shape of its game. */
export function SetSymbol({ game, code }: SetSymbolProps) {
  return (
    <span class={`set-symbol game-${gameClass(game)}`}>
      <svg viewBox="0 0 100 100" width={10} height={10} aria-hidden>
        <path d={glyphOf(game)} />
      </svg>
      <bdi>{code}</bdi>
    </span>
  );
}
