import type { ComponentType } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { RenderingContext } from '../api/rendering.ts';

/**
 * Returns a component whose code is loaded when it is first shown, because few readers open it.
 * `what` is its name in the message if it cannot be loaded.
 */
export function late<Props extends object>(what: string, load: Load<Props>) {
  let Content: ComponentType<Props> | undefined;
  const preload = async () => {
    Content ??= await load();
  };
  const Late = (props: Props) => {
    const [isLoaded, setLoaded] = useState(Content !== undefined);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (isLoaded) return;
      preload().then(
        () => setLoaded(true),
        () => setFailed(true),
      );
    }, []);
    if (hasFailed) return <p role="status">{what} could not be loaded. Reload the page.</p>;
    return Content ? <Content {...props} /> : <p class="quiet">Loading…</p>;
  };
  return Object.assign(Late, { preload });
}

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * Returns a component like {@link late} whose content has no controls and never changes. Pages that
 * the server renders have that content, so a browser loads the code only for pages that it renders.
 */
export function unscripted<Props extends object>(what: string, load: Load<Props>) {
  const Late = late(what, load);
  if (import.meta.env.SSR) loadedOnServer.push(Late.preload());
  return (props: Props) => {
    const rendering = useContext(RenderingContext);
    const [isSent] = useState(!import.meta.env.SSR && rendering?.isOver === false);
    return isSent ? (
      <div {...AS_SENT} />
    ) : (
      <div>
        <Late {...props} />
      </div>
    );
  };
}

/** Hydration keeps the content of an element with these properties. */
const AS_SENT = { dangerouslySetInnerHTML: { __html: '' } };

const loadedOnServer: Promise<void>[] = [];

/** Resolves once the server can render unscripted components. */
export async function loadUnscripted(): Promise<void> {
  await Promise.all(loadedOnServer);
}

/** Adds the style at an address to the document, once. Resolves when it applies. */
export function loadStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (document.querySelector(`link[href="${href}"]`)) return resolve();
    const link = document.createElement('link');
    Object.assign(link, { rel: 'stylesheet', href, onload: resolve });
    link.onerror = () => {
      link.remove();
      reject(new Error(`The style ${href} could not be loaded.`));
    };
    document.head.append(link);
  });
}
