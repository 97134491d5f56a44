import type { Finding } from '../../domain/finding.ts';

type About = Finding['about'];

export function good(about: About, says: string): Finding {
  return { about, state: 'good', says, fix: '' };
}

/** A problem that can wait. */
export function warning(about: About, says: string, fix: string): Finding {
  return { about, state: 'warning', says, fix };
}

export function wrong(about: About, says: string, fix: string): Finding {
  return { about, state: 'wrong', says, fix };
}
