import {
  groupSentence,
  type QuarantineDigest,
  type QuarantineGroup,
} from '../../store/quarantine/groups.ts';
import { formatCount } from '../output.ts';
import { exampleText } from './list.ts';

/** The lines of a digest, for a terminal or a mail. */
export function digestLines({ first, count, entries }: QuarantineDigest): string[] {
  if (count === 0) return ['Nothing waits for your decision.'];
  const head = `${formatCount(entries)} prices wait for ${formatCount(count)} decisions.`;
  const shown = first.length < count ? ` These ${first.length} matter most:` : '';
  return [`${head}${shown}`, ...first.flatMap(groupLines)];
}

function groupLines(group: QuarantineGroup, index: number): string[] {
  const examples = group.examples.map((example) => `     ${exampleText(example)}`);
  return ['', `${String(index + 1).padStart(2)}. ${groupSentence(group)}`, ...examples];
}
