import { HOST, type Layout, type Links } from './layout.ts';

/**
 * The network between the database machines: one proxy, through whose ports they reach each other.
 * Nodes bypass it, so pausing it only separates the machines from each other, as silently as a lost
 * cable.
 */
export const LINKS = 'haproxy-links';

const DEFAULTS = `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
`;

/** The settings of that proxy. */
export function linksConfig({ databases }: Layout): string {
  const listens = databases.flatMap((machine) =>
    (Object.keys(machine.links) as (keyof Links)[]).map((port) => {
      const [bind, server] = [machine.links[port], machine[port]];
      return `
listen ${machine.name}-${port}
  bind ${HOST}:${bind}
  server ${machine.name} ${HOST}:${server}
`;
    }),
  );
  return [DEFAULTS, ...listens].join('');
}
