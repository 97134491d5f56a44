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
function lossOf(record: RunRecord, run: PublicationRun): string[] {
  const told = `publication ${run.number} was acknowledged, and the database`;
  if (!importOf(record, run)) return [`${told} has no import of it`];
  const { length } = revisionsOf(record, run);
  return length === 1 ? [] : [`${told} has ${length} revisions of it`];
}

function importOf({ endImports }: RunRecord, run: PublicationRun): EndImport | undefined {
  return endImports.find((one) => one.finished !== null && one.observedAt === run.observedAt);
}

/** Returns the revisions that the import of a publication made: one, if all is well. */
export function revisionsOf(record: RunRecord, run: PublicationRun): EndPublication[] {
  const { endImports, endPublications } = record;
  const own = importOf(record, run);
  if (!own) return [];
  const made = endPublications.filter((one) => isBetween(own, own.finished, one));
  // An import that lost its database starts again, and finds what its first try published.
  const before = endImports[endImports.indexOf(own) - 1];
  if (made.length > 0 || before?.finished !== null) return made;
  return endPublications.filter((one) => isBetween(before, own.started, one)).slice(0, 1);
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
