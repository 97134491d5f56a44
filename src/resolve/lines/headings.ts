import { foldText, foldWords } from '../../domain/text.ts';

/** Words that head a part of a decklist, alone or with a count: `Sideboard`, `Pokémon: 12`. */
const HEADINGS = new Set(
  [
    'deck|decklist|deck list|main|main deck|mainboard|side|side deck|sideboard|extra|extra deck',
    'maybeboard|maybe|considering|commander|commanders|companion|companions|tokens|about|attractions',
    'pokemon|trainer|trainers|energy|energies|total|total cards|cards|supporters|stadiums|tools',
    'creature|creatures|land|lands|instant|instants|sorcery|sorceries|artifact|artifacts',
    'enchantment|enchantments|planeswalker|planeswalkers|battles|spell|spells|other spells',
    'monster|monsters|trap|traps|leader|leaders|base|bases|ground units|space units|units',
    'upgrade|upgrades|event|events|stage|stages|hero|heroes|weapon|weapons|equipment|arena cards',
    'character|characters|action|actions|song|songs|item|items|location|locations|don deck',
    'wishlist|want list|wants|collection|binder|trades|for trade|quantity name',
  ].flatMap((line) => line.split('|')),
);

/** What stands before a card's name: `Hero: Bravo, Showstopper`. */
const ROLES = new Set(['hero', 'weapon', 'weapons', 'equipment', 'leader', 'base', 'commander']);

/** What stands before a text that is no card's name: `Name: My first deck`. */
const FACTS = new Set(['name', 'format', 'author', 'class', 'notes', 'description', 'date', 'url']);

/** Why a line is no card; undefined for a line that may be one. */
export function whyNoCard(line: string): string | undefined {
  if (line === '') return 'The line is empty.';
  if (isComment(line)) return 'The line is a comment.';
  if (isHeading(line) || isFact(line)) return 'The line is a heading, not a card.';
  return /[\p{L}\p{N}]/u.test(line) ? undefined : 'The line has neither letters nor digits.';
}

function isComment(line: string): boolean {
  return line.startsWith('//') || /^#(?![#\s]*\d)/.test(line) || /^(?:;|--|<!)/.test(line);
}

/** A word of the list, with what surrounds headings and with a count before or behind it. */
function isHeading(line: string): boolean {
  const words = foldWords(line);
  const counted = words.filter((word) => !/^\d+$/.test(word));
  if (counted.length === 0 || counted.length < words.length - 1) return false;
  const isMarked = /^[=*[<!~-]|[:=\])]$|[:(\]-]\s*\d+\)?$/.test(line);
  return HEADINGS.has(counted.join(' ')) && (isMarked || counted.length === words.length);
}

function isFact(line: string): boolean {
  const [label = '', ...rest] = line.split(':');
  return rest.length > 0 && !rest.join('').startsWith('//') && FACTS.has(foldText(label));
}

/** Returns a line without the role that a card has in the deck, which stands before its name. */
export function withoutRole(line: string): string {
  const colon = line.indexOf(':');
  return colon > 0 && ROLES.has(foldText(line.slice(0, colon)))
    ? line.slice(colon + 1).trim()
    : line;
}
