import { languageOf } from './language.ts';

/**
 * A name of a card or set. It keeps its direction to itself, and browsers choose the font and the
 * voice by its language.
 */
export function CardName({ name }: { name: string }) {
  return <bdi lang={languageOf(name)}>{name}</bdi>;
}
