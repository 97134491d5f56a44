/**
 * Moves the `count` smallest numbers to the front, in no particular order: Hoare's quickselect
 * (1961) with the median of three as pivot. Takes time in proportion to the length, on average.
 */
export function select(numbers: Float64Array, count: number): void {
  let [from, to] = [0, numbers.length - 1];
  while (from < to) {
    const [left, right] = partition(numbers, from, to);
    // The items between the two parts equal the pivot.
    if (count > left && count <= right) return;
    if (count <= left) to = left - 1;
    else from = right;
  }
}

/**
 * Moves smaller numbers before larger ones. Returns the end of the smaller and the start of the
 * larger ones.
 */
function partition(numbers: Float64Array, from: number, to: number): [number, number] {
  const pivot = medianOfThree(numbers, from, to);
  let [low, high] = [from, to];
  while (low <= high) {
    while ((numbers[low] as number) < pivot) low++;
    while ((numbers[high] as number) > pivot) high--;
    if (low > high) break;
    const moved = numbers[low] as number;
    numbers[low++] = numbers[high] as number;
    numbers[high--] = moved;
  }
  return [high + 1, low];
}

function medianOfThree(numbers: Float64Array, from: number, to: number): number {
  const a = numbers[from] as number;
  const b = numbers[(from + to) >>> 1] as number;
  const c = numbers[to] as number;
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
