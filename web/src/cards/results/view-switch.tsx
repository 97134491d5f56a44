import { Segmented } from '../../ui/segmented.tsx';
import type { View } from './views.ts';

const SEGMENTS = [
  { value: 'rows', label: 'Rows' },
  { value: 'grid', label: 'Pictures' },
] as const;

interface Props {
  readonly view: View;
  onChange(view: View): void;
}

/** Switches between rows and a grid of pictures. */
export function ViewSwitch({ view, onChange }: Props) {
  return <Segmented label="Show as" segments={SEGMENTS} value={view} onChange={onChange} />;
}
