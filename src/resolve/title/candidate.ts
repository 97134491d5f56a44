import type { Card } from '../../domain/card.ts';
import { facesOf, withoutBrackets, withoutYear } from '../../domain/card-name.ts';
import { rulesOf } from '../../domain/games.ts';
import { type ComparableName, readName } from '../../domain/naming/comparable-name.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { Facts, Lookup } from '../../search/index.ts';

/** A card that a title may mean, in the forms that titles are compared with. */
export class TitleCandidate {
  readonly card: Card;
  readonly facts: Facts;
  #names: readonly string[] | undefined;
  #parts: ComparableName | undefined;
  #words: readonly string[] | undefined;

  constructor(card: Card, lookup: Lookup) {
    this.card = card;
    this.facts = lookup.factsOf(card);
  }

  /** The folded names, longest first: whole, without brackets, and of each face. */
  get names(): readonly string[] {
    this.#names ??= namesOf(this.card);
    return this.#names;
  }

  /** The name by the rules of its game. */
  get parts(): ComparableName {
    const { name, set } = this.card;
    this.#parts ??= readName(rulesOf(set.game), withoutYear(name), null);
    return this.#parts;
  }

  /** The words of the name without its brackets. */
  get words(): readonly string[] {
    this.#words ??= foldWords(withoutBrackets(this.card.name));
    return this.#words;
  }
}

function namesOf({ name }: Card): string[] {
  const plain = withoutBrackets(withoutYear(name));
  const names = new Set([name, plain, withoutBrackets(name), ...facesOf(plain)]);
  const folded = new Set([...names].map(foldText));
  return [...folded].sort((a, b) => b.length - a.length);
}
