/** The longest words that are compared; one table of distances serves all comparisons. */
const LONGEST = 64;
const WIDTH = LONGEST + 2;
const distances = new Uint8Array(WIDTH * WIDTH);
for (let i = 0; i < WIDTH; i++) {
  distances[i] = i;
  distances[i * WIDTH] = i;
}

/**
 * How many letters must be put in, left out, replaced or swapped with their neighbour to make one
 * word of the other (Damerau-Levenshtein: also where a letter between two swapped ones is left
 * out, as in `archanlg` for `archangel`). Any number over `limit` stands for "more".
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a.length > LONGEST || b.length > LONGEST) return a === b ? 0 : limit + 1;
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  for (let i = 1; i <= a.length; i++) {
    const nearest = fillRow(a, i, b, limit);
    if (nearest > limit) return nearest;
  }
  return distances[a.length * WIDTH + b.length] ?? 0;
}

/**
 * Fills in the distances of the first `i` letters of `a`, and returns the smallest of them. Only
 * those near the diagonal: all others, of which their neighbours stand for all, are over the limit.
 */
function fillRow(a: string, i: number, b: string, limit: number): number {
  const row = i * WIDTH;
  const first = Math.max(1, i - limit);
  const last = Math.min(b.length, i + limit);
  if (first > 1) distances[row + first - 1] = limit + 1;
  distances[row + last + 1] = limit + 1;
  let nearest = i;
  for (let j = first; j <= last; j++) {
    const edits = distanceAt(a, i, b, j, limit);
    distances[row + j] = edits;
    if (edits < nearest) nearest = edits;
  }
  return nearest;
}

/** The distance of the first `i` letters of `a` from the first `j` of `b`. */
function distanceAt(a: string, i: number, b: string, j: number, limit: number): number {
  const above = (i - 1) * WIDTH + j;
  const diagonal = distances[above - 1] ?? 0;
  if (a.charCodeAt(i - 1) === b.charCodeAt(j - 1)) return diagonal;
  const edits = 1 + Math.min(diagonal, distances[above] ?? 0, distances[above + WIDTH - 1] ?? 0);
  return Math.min(edits, distanceSwapped(a, i, b, j, limit));
}

/** The same if the two last letters of one are swapped in the other; else over the limit. */
function distanceSwapped(a: string, i: number, b: string, j: number, limit: number): number {
  let edits = limit + 1;
  for (let up = 1; up <= limit && up < i; up++) {
    if (a.charCodeAt(i - 1 - up) !== b.charCodeAt(j - 1)) continue;
    for (let left = 1; up + left <= limit + 1 && left < j; left++) {
      if (b.charCodeAt(j - 1 - left) !== a.charCodeAt(i - 1)) continue;
      // Far from the diagonal stands what an earlier comparison left.
      if (Math.abs(i - up - (j - left)) > limit) continue;
      const before = distances[(i - 1 - up) * WIDTH + j - 1 - left] ?? 0;
      edits = Math.min(edits, before + up + left - 1);
    }
  }
  return edits;
}
