import type { EndImport, EndPublication, PublicationRun, RunRecord } from '../record.ts';

/** Promises about the publications in the database. */

/** Each publication follows the one before it, by its number and by its predecessor. */
export function publicationsAreAChain({ endPublications }: RunRecord): string[] {
  return endPublications.flatMap((publication, index) => {
    const before = endPublications[index - 1];
    const { revision, predecessor } = publication;
    if (!before || (revision === before.revision + 1 && predecessor === before.id)) return [];
    return [`revision ${revision} does not follow revision ${before.revision}`];
  });
}

/**
 * The database remembers the import of each publication that was acknowledged, and one revision of
 * it. Of those that nobody knows of, each published at most once. Nothing else has been published.
 */
export function publicationsAreKept(record: RunRecord): string[] {
  const acknowledged = record.publications.filter((run) => run.acknowledged !== null);
  return [...acknowledged.flatMap((run) => lossOf(record, run)), ...unasked(record)];
}

/** Returns the faults of an acknowledged publication. */
function lossOf({ endImports, endPublications }: RunRecord, run: PublicationRun): string[] {
  const [own] = endImports.filter((one) => {
    return one.finished !== null && one.observedAt === run.observedAt;
  });
  const told = `publication ${run.number} was acknowledged, and the database`;
  if (!own) return [`${told} has no import of it`];
  const { length } = endPublications.filter((one) => isBetween(own, own.finished, one));
  // An import that lost its database starts again, and finds what its first try published.
  const before = endImports[endImports.indexOf(own) - 1];
  const isRepeated = length === 0 && before?.finished === null;
  if (isRepeated && endPublications.some((one) => isBetween(before, own.started, one))) return [];
  return length === 1 ? [] : [`${told} has ${length} revisions of it`];
}

/** Revisions that no import of the run made, or that an import made in addition to another. */
function unasked({ publications, endImports, endPublications }: RunRecord): string[] {
  const observed = new Set(publications.map(({ observedAt }) => observedAt));
  const first = endImports.findIndex((one) => observed.has(one.observedAt ?? Number.NaN));
  const imports = endImports.slice(Math.max(0, first));
  const made = new Set(
    imports.flatMap((one, index) => {
      const end = one.finished ?? imports[index + 1]?.started ?? null;
      return endPublications.find((publication) => isBetween(one, end, publication)) ?? [];
    }),
  );
  const later = endPublications.slice(endPublications.findIndex((one) => made.has(one)));
  return later
    .filter((publication) => !made.has(publication))
    .map(({ revision }) => `nobody asked for revision ${revision}`);
}

function isBetween(
  { started }: EndImport,
  end: number | null,
  { published }: EndPublication,
): boolean {
  return started <= published && published <= (end ?? Number.POSITIVE_INFINITY);
}
