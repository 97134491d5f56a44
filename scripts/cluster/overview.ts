import type { Cluster } from './cluster.ts';

/** A line for each service and its address. */
export async function overview(cluster: Cluster): Promise<string> {
  const nodes = cluster.nodes().map(({ name, url, pid }) => {
    return [name, url, pid > 0 ? `Cardprice, process ${pid}` : 'does not run'];
  });
  const servers = (await cluster.postgres()).map(({ name, role, pid, directUrl }) => {
    const what = `PostgreSQL, ${role}${pid === undefined ? '' : `, process ${pid}`}`;
    return [name, withoutUser(directUrl), what];
  });
  return table([
    ['front', cluster.url, 'HAProxy: to the nodes, by API key'],
    ...nodes,
    ['primary', withoutUser(cluster.database), 'HAProxy: to the primary'],
    ['replicas', withoutUser(cluster.replicas), 'HAProxy: to the replicas'],
    ...servers,
  ]);
}

/** Instructions for trying a cluster. */
export function firstSteps(cluster: Cluster, key: string): string {
  return `Try:
  curl -H 'X-API-Key: ${key}' '${cluster.url}/v1/search?q=charizard'
  psql ${cluster.database}
  npm run -s cluster -- kill primary
  npm run -s cluster -- status
All else that can happen: docs/cluster.md. Ctrl+C ends the cluster.`;
}

function withoutUser(url: string): string {
  return new URL(url).host;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => {
    return row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  });
  return lines.map((line) => `  ${line}`).join('\n');
}
