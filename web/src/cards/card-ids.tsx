import type { CardBody } from '../api/responses.ts';

/** The ids of a card, ours and others', and its names in other languages. */
export function CardIds({ card }: { card: CardBody }) {
  const { id, setId, externalIds = {}, names = {} } = card;
  const named = Object.entries(names).map(([code, name]) => [`Name (${code})`, [name]] as const);
  return (
    <dl class="ids">
      <dt>Card</dt>
      <dd>{id}</dd>
      <dt>Set</dt>
      <dd>{setId}</dd>
      {[...Object.entries(externalIds), ...named].map(([label, texts]) => (
        <>
          <dt>{label}</dt>
          <dd>
            <bdi>{texts.join(', ')}</bdi>
          </dd>
        </>
      ))}
    </dl>
  );
}
