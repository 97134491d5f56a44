/** The scales, lines and cursor of charts, in px from the upper left corner. */

export type Point = readonly [x: number, y: number];
export type Range = readonly [from: number, to: number];

/** The area of a chart within its margins. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns the linear function that maps the range of `values` to the range of `places`. If `values`
 * has no length, everything is in the middle.
 */
export function linearScale([from, to]: Range, [start, end]: Range): (value: number) => number {
  return (value) => {
    const share = to === from ? 0.5 : (value - from) / (to - from);
    return start + share * (end - start);
  };
}

/** Returns the SVG path of a line through points. The line breaks where a point is missing. */
export function linePath(points: readonly (Point | null)[]): string {
  return points
    .map((point, index) => point && `${points[index - 1] ? 'L' : 'M'}${formatPoint(point)}`)
    .filter(Boolean)
    .join('');
}

/** Returns the SVG path of the bands between two lines, where both have points. */
export function bandPath(
  lower: readonly (Point | null)[],
  upper: readonly (Point | null)[],
): string {
  const bands: string[] = [];
  let band: [Point, Point][] = [];
  const close = () => {
    const outline = [...band.map(([, top]) => top), ...band.map(([low]) => low).toReversed()];
    if (band.length > 0) bands.push(`M${outline.map(formatPoint).join('L')}Z`);
    band = [];
  };
  for (const [index, low] of lower.entries()) {
    const top = upper[index];
    if (low && top) band.push([low, top]);
    else close();
  }
  close();
  return bands.join('');
}

/** A tenth of a px is finer than any screen. */
function formatPoint([x, y]: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}

/** Returns the indexes of the items without a neighbor, which a line does not show. */
export function findIsolated(items: readonly unknown[]): number[] {
  const isKnown = (index: number) => (items[index] ?? null) !== null;
  return [...items.keys()].filter((index) => {
    return isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1);
  });
}

/**
 * Returns the index to which a key moves a cursor from `index`, among the items that `isStop`
 * accepts. Returns `index` if there is no further stop, and undefined for keys that move nothing.
 */
export function moveByKey<Item>(
  key: string,
  items: readonly Item[],
  index: number,
  isStop: (item: Item) => boolean,
): number | undefined {
  const stops = [...items.keys()].filter((at) => isStop(items[at] as Item));
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return stops.find((at) => at > index) ?? index;
    case 'ArrowLeft':
    case 'ArrowDown':
      return stops.findLast((at) => at < index) ?? index;
    case 'Home':
      return stops[0];
    case 'End':
      return stops.at(-1);
    default:
      return undefined;
  }
}
