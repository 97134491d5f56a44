import { useState } from 'preact/hooks';
import { useSession } from '../session.tsx';

interface Props {
  readonly id: string;
  readonly name: string;
  /** Whether any source has a picture. */
  readonly isKnown: boolean;
}

/** The picture of a card in a box that is there from the start; words where there is none. */
export function Picture({ id, name, isKnown }: Props) {
  const { pictures } = useSession();
  const [hasFailed, setFailed] = useState(false);
  return (
    <div class="picture">
      {pictures && isKnown && !hasFailed ? (
        <img
          src={`/dashboard/pictures/${encodeURIComponent(id)}`}
          alt={name}
          width={240}
          height={336}
          decoding="async"
          onError={() => setFailed(true)}
        />
      ) : (
        <p class="quiet">No picture</p>
      )}
    </div>
  );
}
