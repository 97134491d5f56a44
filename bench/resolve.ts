/**
 * Measures how well and how fast the resolver finds the one card that a line means, and whether it
 * abstains where a line means none, or more than one.
 *
 *     node bench/resolve.ts [--data ../shared/data] [--seed 1] [--missed]
 *
 * --missed  lists every line that is not answered rightly
 */
import { parseArgs } from 'node:util';
import type { Resolution } from '../src/resolve/item.ts';
import { Catalogue } from './resolve/catalogue.ts';
import { makeKnownLines, readScryfallIds } from './resolve/forms.ts';
import {
  buildResolver,
  judge,
  misreadDetails,
  type Verdict,
  watchDelays,
} from './resolve/judge.ts';
import type { KnownLine, Line } from './resolve/line.ts';
import { makeUnanswerable } from './resolve/unanswerable.ts';
import { Draw } from './search/draw.ts';
import { readTree } from './search/tree.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    seed: { type: 'string', default: '1' },
    missed: { type: 'boolean' },
  },
});

const VERDICTS: readonly Verdict[] = ['right', 'told', 'wrong', 'ambiguous', 'unknown'];
const VERDICT_NAMES = ['right', 'really ambiguous and told so', 'wrong', 'ambiguous', 'unknown'];

const BATCH = 500;
const BATCHES = 100;
/** Stops sooner when the requests take longer than this in all. */
const MOST_MS = 30_000;

const seed = Number(values.seed);
const catalogue = new Catalogue(readTree(values.data));
const scryfallIds = readScryfallIds(values.data);
const known = makeKnownLines(catalogue, scryfallIds, seed);
const unanswerable = makeUnanswerable(catalogue, seed);
const resolver = buildResolver(catalogue.cards, scryfallIds);

const answers = await resolveAll(known);
const verdicts = known.map((line, i) => judge(line, answerAt(answers, i)));
printVerdicts();
printDetails();
const refusals = await resolveAll(unanswerable);
printRefusals();
if (values.missed) printMissed();
await printTimes();

/** Resolves lines in requests of the largest size. */
async function resolveAll(lines: readonly Line[]): Promise<Resolution[]> {
  const all: Resolution[] = [];
  for (let from = 0; from < lines.length; from += BATCH) {
    const items = lines.slice(from, from + BATCH).map(({ item }) => item);
    all.push(...(await resolver.resolve(items)));
  }
  return all;
}

function answerAt(all: readonly Resolution[], index: number): Resolution {
  const answer = all[index];
  if (answer === undefined) throw new Error(`no answer for line ${index}`);
  return answer;
}

function printVerdicts(): void {
  const forms = [...new Set(known.map(({ form }) => form))];
  const rows = forms.map((form) => verdictRow(form, ({ form: other }) => other === form));
  printTable(
    ['lines that mean a card', 'lines', ...VERDICT_NAMES, 'confidence'],
    [...rows, verdictRow('all', () => true)],
  );
}

function verdictRow(what: string, some: (line: KnownLine) => boolean): string[] {
  const places = known.flatMap((line, i) => (some(line) ? [i] : []));
  const share = (verdict: Verdict) => {
    const count = places.filter((i) => verdicts[i] === verdict).length;
    return `${count} (${((100 * count) / places.length).toFixed(1)}%)`;
  };
  const confidences = places.flatMap((i) => {
    const answer = answerAt(answers, i);
    return answer.status === 'matched' ? [answer.confidence] : [];
  });
  const mean = confidences.reduce((sum, one) => sum + one, 0) / confidences.length;
  const least = Math.min(...confidences);
  return [
    ...[what, `${places.length}`, ...VERDICTS.map(share)],
    confidences.length === 0 ? '' : `${mean.toFixed(2)}, at least ${least.toFixed(2)}`,
  ];
}

/** Prints how often right answers have another quantity, condition or grade than the line. */
function printDetails(): void {
  const misread = known.flatMap((line, i) => {
    const answer = answerAt(answers, i);
    return answer.status === 'matched' && verdicts[i] === 'right'
      ? misreadDetails(line, answer).map((detail) => `${line.form}: ${detail}`)
      : [];
  });
  const counts = Map.groupBy(misread, (each) => each);
  printTable(
    ['misread next to the right card', 'lines'],
    [...counts].map(([what, all]) => [what, `${all.length}`]),
  );
}

function printRefusals(): void {
  const kinds = [...new Set(unanswerable.map(({ form }) => form)), undefined];
  const rows = kinds.map((kind) => {
    const some = refusals.filter((_, i) => !kind || unanswerable[i]?.form === kind);
    const count = (status: string) => `${some.filter((each) => each.status === status).length}`;
    return [kind ?? 'all', `${some.length}`, ...['matched', 'ambiguous', 'unknown'].map(count)];
  });
  printTable(
    ['lines that mean no card, or several', 'lines', 'wrong', 'ambiguous', 'unknown'],
    rows,
  );
}

function printMissed(): void {
  const missed = known.flatMap((line, i) => {
    const verdict = verdicts[i] ?? 'wrong';
    if (verdict === 'right' || verdict === 'told') return [];
    const meant = [line.card.id, line.printing].filter((each) => each !== undefined).join(', ');
    return [[verdict, line.form, written(line), meant, told(answerAt(answers, i))]];
  });
  const matched = unanswerable.flatMap((line, i) => {
    const answer = answerAt(refusals, i);
    return answer.status === 'matched'
      ? [['wrong', line.form, written(line), 'no card', told(answer)]]
      : [];
  });
  printTable(['missed', 'form', 'line', 'meant', 'answer'], [...matched, ...missed]);
}

function written({ item }: Line): string {
  return item.text ?? JSON.stringify(item);
}

function told(answer: Resolution): string {
  const cards =
    answer.status === 'matched'
      ? `${answer.card.id}, ${answer.printing?.name}, ${answer.confidence.toFixed(2)}`
      : answer.candidates.map(({ card }) => card.id).join(', ');
  return `${answer.status}: ${cards}: ${answer.reasons.join(' ')}`;
}

/** Prints the time of requests of 500 lines, and how they delay other work. */
async function printTimes(): Promise<void> {
  printTable(
    [`${BATCH} lines`, 'fastest', 'p50', 'p99', 'longest slice', 'a timer is late by at most'],
    [
      await timesRow('that mean a card', known),
      await timesRow('a fifth of which mean none', [...known, ...unanswerable]),
    ],
  );
}

async function timesRow(what: string, lines: readonly Line[]): Promise<string[]> {
  const draw = new Draw(seed, 'batches');
  const times: number[] = [];
  let [slice, delay] = [0, 0];
  const end = performance.now() + MOST_MS;
  while (times.length < BATCHES && performance.now() < end) {
    const items = Array.from({ length: BATCH }, () => draw.pick(lines).item);
    const start = performance.now();
    const { longestSlice, timerDelay } = await watchDelays(() => resolver.resolve(items));
    times.push(performance.now() - start);
    [slice, delay] = [Math.max(slice, longestSlice), Math.max(delay, timerDelay)];
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
  const cells = [at(0), at(0.5), at(0.99), slice, delay].map((ms) => `${ms.toFixed(1)} ms`);
  return [`${what}, ${times.length} requests`, ...cells];
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}
