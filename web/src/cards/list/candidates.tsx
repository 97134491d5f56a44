import { useId } from 'preact/hooks';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Money } from '../../ui/money.tsx';
import type { CandidateBody } from '../responses.ts';
import type { ListRow } from './rows.ts';

interface Props {
  readonly row: ListRow;
  onRow(row: ListRow): void;
}

/** The cards that a line may mean, to choose one from: nothing is guessed. */
export function Candidates({ row, onRow }: Props) {
  const { text, answer, chosen } = row;
  const { candidates = [] } = answer;
  const group = useId();
  if (candidates.length === 0) return null;
  return (
    <Disclosure
      summary={candidates.length === 1 ? '1 candidate' : `${candidates.length} candidates`}
      render={() => (
        <fieldset class="candidates">
          <legend class="sr-only">Which card is “{text}”?</legend>
          {candidates.map((candidate) => (
            <Candidate
              key={candidate.id}
              group={group}
              candidate={candidate}
              isChosen={chosen?.id === candidate.id}
              onChoose={() => onRow({ ...row, chosen: candidate })}
            />
          ))}
          <label class="check">
            <input
              type="radio"
              name={group}
              checked={chosen === undefined}
              onChange={() => onRow({ ...row, chosen: undefined })}
            />
            None of these
          </label>
        </fieldset>
      )}
    />
  );
}

interface CandidateProps {
  /** The name of the group of which one can be chosen. */
  readonly group: string;
  readonly candidate: CandidateBody;
  readonly isChosen: boolean;
  onChoose(): void;
}

function Candidate({ group, candidate, isChosen, onChoose }: CandidateProps) {
  const { name, setCode, number, prices, reasons } = candidate;
  return (
    <label class="check">
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      <span>
        <bdi>{[name, setCode, number].filter(Boolean).join(' · ')}</bdi>{' '}
        <Money amount={prices.market} />
        <span class="quiet under">{reasons.join(' ')}</span>
      </span>
    </label>
  );
}
