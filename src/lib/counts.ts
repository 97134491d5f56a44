/** Adds each count to the total with the same name. */
export function addCounts(total: object, counts: object): void {
  const sums = total as Record<string, number>;
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}
