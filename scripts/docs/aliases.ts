import { GAMES } from '../../src/domain/games.ts';
import { ALIASES } from '../../src/search/aliases.ts';

/** The text of docs/aliases.md. */
export function aliasesPage(): string {
  return `# Aliases

What collectors and players call cards, and the query that each stands for. An alias is one reading of
its words: cards that have them in their names are found as well (\`bolt\`, \`crow\`). Nothing is
abbreviated by rule, so a word that is not in a table is no alias.

**Your own** go into a CSV file, a row for each alias, and its path into
[\`CARDPRICE_ALIASES\`](settings.md#cardprice_aliases). They are known besides those below; an alias may
have several rows, each with another meaning.

\`\`\`csv
game,alias,means
mtg,bobby,dark confidant
pokemon,shop pikachu,pikachu 58/102 base set
\`\`\`

\`means\` is what somebody would type who knows no alias: words of the card's name, and its number or
words of its set where the alias means one card of several.

The tables below are written from \`src/search/alias-rows.ts\`.

${GAMES.map(({ slug, name }) => section(slug, name))
  .filter(Boolean)
  .join('\n')}`;
}

function section(slug: string, name: string): string {
  const rows = ALIASES.filter(({ game }) => game === slug);
  if (rows.length === 0) return '';
  const lines = rows.map(({ alias, means }) => `| ${alias} | ${means} |`);
  return `## ${name}\n\n| people type | it means |\n|---|---|\n${lines.join('\n')}\n`;
}
