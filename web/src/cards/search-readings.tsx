import type { ShownReading } from './readings.ts';

interface Props {
  readonly readings: readonly ShownReading[];
  /** Called with the words that the reader removes. */
  onRemove(words: string): void;
}

/** How the query was read, as filters that can be removed. They stay in one line, which scrolls. */
export function SearchReadings({ readings, onRemove }: Props) {
  if (readings.length === 0) return null;
  return (
    <ul class="readings" aria-label="How the search was understood">
      {readings.map((reading) => (
        <li key={reading.label}>
          {reading.isRemovable ? (
            <button type="button" onClick={() => onRemove(reading.words)}>
              <span class="sr-only">Remove</span>
              <Reading {...reading} /> <span aria-hidden="true">✕</span>
            </button>
          ) : (
            <span class="fixed">
              <Reading {...reading} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Reading({ label, words }: ShownReading) {
  return (
    <>
      <span class="quiet">{label}:</span> <bdi>{words}</bdi>
    </>
  );
}
