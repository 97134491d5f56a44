import { formatMoment, type Millis } from '../domain/day.ts';

/** Prints a value as JSON, for programs. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Prints rows under headings, in columns as wide as their widest cell; `empty` when there are none. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): void {
  if (rows.length === 0) {
    console.log(empty);
    return;
  }
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** A moment as people and programs read it; `null` stays null. */
export function formatOptionalMoment(moment: Millis | null): string | null {
  return moment === null ? null : formatMoment(moment);
}
