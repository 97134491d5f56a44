import { boundOf, KINDS, type Kind } from './kinds.ts';
import type { FaultReport, Report } from './report.ts';

/** What runs of faults measured, in the table of docs/cluster.md. */

/** How many cells of a row people write; the others are measured. */
const WRITTEN = 4;

const ROW = /^\| `([\w-]+)` \| .* \|$/;

/** The page with the measured cells of its table: those of these reports, and no others. */
export function withMeasured(page: string, reports: readonly Report[]): string {
  return page
    .split('\n')
    .map((line) => {
      const [, name = ''] = ROW.exec(line) ?? [];
      if (!Object.hasOwn(KINDS, name)) return line;
      const written = line.slice(2, -2).split(' | ').slice(0, WRITTEN);
      return `| ${[...written, ...measuredCells(name as Kind, reports)].join(' | ')} |`;
    })
    .join('\n');
}

/** The longest time of failing and of waiting, and how many of its runs kept every promise. */
function measuredCells(name: Kind, reports: readonly Report[]): string[] {
  const runs = reports.flatMap((report) => {
    const own = report.faults.filter((fault) => fault.name === name);
    return own.map((fault) => ({ fault, isGreen: isGreen(name, report) }));
  });
  if (runs.length === 0) return ['–', '–', '0'];
  const green = runs.filter(({ isGreen }) => isGreen).length;
  const longest = (value: (fault: FaultReport) => number) => {
    return Math.max(...runs.map(({ fault }) => value(fault)));
  };
  const failed = `${longest(({ recovery }) => recovery)} s`;
  return [
    boundOf(name).isLasting ? `${failed} after` : failed,
    `${longest(({ longestWait }) => longestWait)} s`,
    green === runs.length ? String(green) : `${green} of ${runs.length}`,
  ];
}

/** A violation that names no fault may be any one's. */
function isGreen(name: Kind, { violations }: Report): boolean {
  return !violations.some((violation) => {
    const named = kindsIn(violation);
    return named.length === 0 || named.includes(name);
  });
}

function kindsIn(violation: string): string[] {
  const words = violation.match(/[\w-]+/g) ?? [];
  return words.filter((word) => Object.hasOwn(KINDS, word));
}
