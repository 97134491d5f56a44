import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Returns a component whose code is loaded when it is first shown, because few readers open it.
 * `what` names it in the message if it cannot be loaded.
 */
export function late<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let Content: ComponentType<Props> | undefined;
  return (props) => {
    const [isLoaded, setLoaded] = useState(Content !== undefined);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (isLoaded) return;
      load().then(
        (loaded) => {
          Content = loaded;
          setLoaded(true);
        },
        () => setFailed(true),
      );
    }, []);
    if (hasFailed) return <p role="status">{what} could not be loaded. Reload the page.</p>;
    return Content ? <Content {...props} /> : <p class="quiet">Loading…</p>;
  };
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
