import { useSession } from '../session.tsx';

/** What stands below every page. */
export function Footer() {
  const { version } = useSession();
  return (
    <footer>
      <p>Cardprice {version}</p>
      <p>
        <a href="/docs">API reference</a>
      </p>
    </footer>
  );
}
