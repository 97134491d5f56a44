import { Segmented } from '../../ui/segmented.tsx';
import type { View } from './views.ts';

const SEGMENTS = [
  { value: 'rows', label: <Icon name="Rows" d="M2 4h16M2 10h16M2 16h16" /> },
  {
    value: 'grid',
    label: <Icon name="Pictures" d="M3 3h5v6H3zM12 3h5v6h-5zM3 12h5v6H3zM12 12h5v6h-5z" />,
  },
] as const;

function Icon({ name, d }: { name: string; d: string }) {
  return (
    <>
      <svg class="icon" viewBox="0 0 20 20" width={20} height={20} aria-hidden>
        <path d={d} />
      </svg>
      <span class="sr-only">{name}</span>
    </>
  );
}

interface Props {
  readonly view: View;
  onChange(view: View): void;
}

/** Switches between rows and a grid of pictures. */
export function ViewSwitch({ view, onChange }: Props) {
  return <Segmented label="Show as" segments={SEGMENTS} value={view} onChange={onChange} />;
}
