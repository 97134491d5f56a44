import type { CardSet } from '../domain/card.ts';
import { readSetName } from '../domain/card-name.ts';
import { rulesOf } from '../domain/games.ts';
import { codesOf, setNames } from '../domain/naming/set-names.ts';
import { foldText } from '../domain/text.ts';

const LABELS = new WeakMap<CardSet, readonly string[]>();

/** Returns what a set may be called, folded: its names, as written first, then its codes. */
export function labelsOf(set: CardSet): readonly string[] {
  const known = LABELS.get(set);
  if (known) return known;
  const labels = [...new Set(textsOf(set).map(foldText))];
  LABELS.set(set, labels);
  return labels;
}

/** Returns the names and codes of a set. */
export function textsOf(set: CardSet): string[] {
  const names = setNames(rulesOf(set.game), set.name);
  return [
    set.name,
    readSetName(set.name).name,
    ...names,
    ...withoutEdition(set, names),
    set.code,
    ...codesOf(set),
  ];
}

/** `alpha` for Alpha Edition, where the rules of the game spell one as the other. */
function withoutEdition({ game }: CardSet, names: readonly string[]): string[] {
  const short = names.map((name) => name.replace(/ edition$/, ''));
  return short.filter((name) => {
    return (
      !names.includes(name) && setNames(rulesOf(game), name).some((one) => names.includes(one))
    );
  });
}

/** Whether a label of a set is one of its codes; the code of some sets is their name. */
export function isCode(label: string, set: CardSet): boolean {
  if (label === foldText(set.name)) return false;
  return label === foldText(set.code) || codesOf(set).includes(label);
}
