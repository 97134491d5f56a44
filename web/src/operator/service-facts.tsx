import type { Health } from '../api/responses.ts';
import { formatBytes, formatCount, formatShare } from '../ui/format.ts';
import { Fact, Facts } from '../ui/parts.tsx';
import { Age } from '../ui/time.tsx';

/** The figures of the service: how complete its prices are, its syncs, its backups and so on. */
export function ServiceFacts({ health }: { health: Health }) {
  const { version, processes, nextSyncAt, backupAt, freeBytes, games } = health;
  const priced = games.reduce((sum, game) => sum + game.priced, 0);
  const cards = games.reduce((sum, game) => sum + game.cards, 0);
  return (
    <Facts>
      <Fact name="Cards with a price">{formatShare(priced, cards)}</Fact>
      <Fact name="Next sync">
        {nextSyncAt === null ? 'not scheduled' : <Age iso={nextSyncAt} />}
      </Fact>
      <Fact name="Newest backup">{backupAt === null ? 'none found' : <Age iso={backupAt} />}</Fact>
      {freeBytes !== null && <Fact name="Free disk space">{formatBytes(freeBytes)}</Fact>}
      <Fact name="Processes">{formatCount(processes)}</Fact>
      <Fact name="Version">{version}</Fact>
    </Facts>
  );
}
