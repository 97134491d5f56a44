import { useId } from 'preact/hooks';
import type { CandidateBody } from '../api/responses.ts';
import { SetCell } from '../cards/card-list.tsx';
import { CardName } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { useAction } from '../ui/hooks.ts';
import { Money } from '../ui/parts.tsx';
import { ErrorMessage } from '../ui/status.tsx';
import type { LineProps } from './line-props.ts';
import { allCandidates } from './resolve-list.ts';

/** The cards that a line may mean, as pictures to choose from; nothing if there are none. */
export function Candidates({ row, game, currency, onRow, onLookup }: LineProps) {
  const { text, answer, chosen } = row;
  const { candidates = [], candidateCount = candidates.length } = answer;
  const { isBusy, error, run } = useAction();
  const group = useId();
  if (candidates.length === 0) return null;
  const choose = (candidate: CandidateBody | undefined) => {
    onRow({ ...row, chosen: candidate, picked: undefined });
  };
  const showAll = () => {
    run(async () => {
      const all = await allCandidates(row, { game, currency });
      onRow({ ...row, answer: { ...answer, candidates: [...all] } });
      onLookup();
    });
  };
  return (
    <fieldset class="candidates">
      <legend>
        Which card is “<bdi>{text}</bdi>”?
      </legend>
      {candidates.map((candidate) => (
        <Candidate
          key={candidate.id}
          group={group}
          candidate={candidate}
          isChosen={chosen?.id === candidate.id}
          onChoose={() => choose(candidate)}
        />
      ))}
      <div class="row">
        <label class="check">
          <input
            type="radio"
            name={group}
            checked={chosen === undefined}
            onChange={() => choose(undefined)}
          />
          None of these
        </label>
        {candidateCount > candidates.length && (
          <button type="button" aria-disabled={isBusy} onClick={showAll}>
            Show all {candidateCount}
          </button>
        )}
      </div>
      <ErrorMessage error={error} />
    </fieldset>
  );
}

interface CandidateProps {
  /** The name of the group of radio buttons. */
  readonly group: string;
  readonly candidate: CandidateBody;
  readonly isChosen: boolean;
  onChoose(): void;
}

function Candidate({ group, candidate, isChosen, onChoose }: CandidateProps) {
  const { name, number, printing, prices, price = prices.market, noPrice, reasons } = candidate;
  return (
    <label class="candidate">
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      <CardPicture card={candidate} size="small" />
      <span class="name">
        <CardName name={name} />
      </span>
      <span class="quiet">
        <SetCell set={candidate.set} />
      </span>
      <bdi class="quiet">{[number, printing].filter(Boolean).join(' · ')}</bdi>
      <span class="worth">
        <Money amount={price} currency={prices.currency} />
      </span>
      {noPrice !== undefined && <span class="quiet under">{noPrice}</span>}
      {isOdd(reasons) && <span class="quiet under">{reasons.join(' ')}</span>}
    </label>
  );
}

/**
 * Whether reasons contain more than the position of the card, which the candidate already shows.
 */
function isOdd(reasons: readonly string[]): boolean {
  return reasons.some((reason) => !reason.startsWith('It is in '));
}
