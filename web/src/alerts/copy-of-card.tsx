import { formatGrade } from '../../../src/domain/grade-names.ts';
import { CONDITION_NAMES, type Condition } from '../../../src/domain/price.ts';
import { cardHref } from '../api/links.ts';

interface CopyOfCardProps {
  readonly of: {
    readonly card: string;
    readonly cardName: string;
    readonly printing: string;
    readonly condition?: string | undefined;
    readonly grade?: string | undefined;
  };
}

/** The card of a price, as a link to it, with the printing and the condition or grade. */
export function CopyOfCard({ of }: CopyOfCardProps) {
  const { card, cardName, printing, condition, grade } = of;
  return (
    <>
      <a href={cardHref(card, { printing, condition, grade })}>
        <bdi>{cardName}</bdi>
      </a>
      , <bdi>{printing}</bdi>
      {condition !== undefined && `, ${CONDITION_NAMES[condition as Condition] ?? condition}`}
      {grade !== undefined && `, ${formatGrade(grade)}`}
    </>
  );
}
