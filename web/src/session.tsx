import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Static } from 'typebox';
import type { Me, SessionView } from '../../src/dashboard/schemas.ts';
import { whenUnauthorized } from './api.ts';
import { useData } from './data.ts';
import { SignInDialog } from './parts/sign-in-dialog.tsx';
import { Waiting } from './parts/waiting.tsx';

export type SessionInfo = Static<typeof SessionView>;
export type Account = Static<typeof Me>;

/** Who is signed in, and what the server says of itself. */
export interface Session extends SessionInfo {
  /** Takes note of who is signed in from now on. */
  enter(account: Account): void;
  /** Takes note that nobody is, any more; `farewell` is told to the reader. */
  leave(farewell: string): void;
  /** Why there is nobody; empty when there has been nobody from the start. */
  readonly farewell: string;
  /** Asks the server once more who is signed in. */
  refresh(): void;
  /** What the reader's clock must be moved by to be the server's, in milliseconds. */
  readonly clockOffset: number;
}

const Context = createContext<Session | undefined>(undefined);

/** The session, anywhere below {@link SessionProvider}. */
export function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('there is a session only below SessionProvider');
  return session;
}

/** The account that is signed in, on pages that are shown to nobody else. */
export function useAccount(): Account {
  const { account } = useSession();
  if (!account) throw new Error('this page is shown only when somebody is signed in');
  return account;
}

/** Asks who is signed in, and shows `children` once that is known. */
export function SessionProvider({ children }: { children: ComponentChildren }) {
  const { body, error, reload } = useData<{ data: SessionInfo }>('/dashboard/session', {
    whenSeen: true,
  });
  if (!body) return <Waiting error={error} />;
  return (
    <KnownSession info={body.data} refresh={reload}>
      {children}
    </KnownSession>
  );
}

interface KnownProps {
  readonly info: SessionInfo;
  refresh(): void;
  readonly children: ComponentChildren;
}

function KnownSession({ info, refresh, children }: KnownProps) {
  const [account, setAccount] = useState(info.account);
  const [farewell, setFarewell] = useState('');
  const again = useSigningInAgain(refresh);
  const tell = useOtherTabs(() => leave('You have signed out in another tab.'), refresh);
  const known = useRef(account);
  known.current = account;

  /** Goes on with whom the server, or another tab, has signed in by now. */
  const meet = (found: Account | null) => {
    const { current } = known;
    if (found && current && found.email !== current.email) beginAnew();
    else if (found || !current) {
      setAccount(found);
      again.settle();
    } else again.open();
  };
  const enter = (entered: Account) => {
    setFarewell('');
    meet(entered);
    tell('entered');
    refresh();
  };
  const leave = (words: string) => {
    setAccount(null);
    setFarewell(words);
    again.cancel();
  };
  useEffect(() => meet(info.account), [info]);

  const clockOffset = useMemo(() => offsetOf(info.now), [info]);
  const session = {
    ...info,
    account,
    clockOffset,
    farewell,
    refresh,
    enter,
    leave: (words: string) => {
      leave(words);
      tell('left');
      refresh();
    },
  };
  return (
    <Context.Provider value={session}>
      {children}
      {again.isOpen && account && (
        <SignInDialog email={account.email} onSignedIn={enter} onCancel={again.cancel} />
      )}
    </Context.Provider>
  );
}

let isBeginning = false;

/** Loads the page once more for another account: what stands in it is not for that one's eyes. */
function beginAnew(): void {
  if (!isBeginning) location.reload();
  isBeginning = true;
}

/** Whole seconds: asking again should not move a right clock by the time that the answer takes. */
function offsetOf(now: string): number {
  return Math.round((Date.parse(now) - Date.now()) / 1000) * 1000;
}

/**
 * Calls that were answered with 401 wait here while the server is asked who is signed in: perhaps
 * another tab has signed in again. If nobody is, they wait for the reader to do so over the page.
 */
function useSigningInAgain(refresh: () => void) {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((isBack: boolean) => void)[]>([]);
  const end = useCallback((isBack: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isBack);
    setOpen(false);
  }, []);
  useEffect(() => {
    whenUnauthorized(() => {
      refresh();
      return new Promise((resolve) => waiting.current.push(resolve));
    });
  }, [refresh]);
  return {
    isOpen,
    open: () => setOpen(true),
    /** The account is signed in: what waited for that goes on. */
    settle: () => end(true),
    cancel: () => end(false),
  };
}

/** Hears when another tab signs in or out, and gives what tells the others. */
function useOtherTabs(onLeft: () => void, onEntered: () => void) {
  const heard = useRef({ onLeft, onEntered });
  heard.current = { onLeft, onEntered };
  const channel = useMemo(() => new BroadcastChannel('cardprice'), []);
  useEffect(() => {
    channel.onmessage = ({ data }) => {
      if (data === 'left') heard.current.onLeft();
      else heard.current.onEntered();
    };
    return () => channel.close();
  }, [channel]);
  return (what: 'left' | 'entered') => channel.postMessage(what);
}
