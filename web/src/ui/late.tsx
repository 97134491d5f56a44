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
  return (props) => {
    const [loaded, setLoaded] = useState<{ readonly Content: ComponentType<Props> }>();
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      load().then(
        (Content) => setLoaded({ Content }),
        () => setFailed(true),
      );
    }, []);
    if (hasFailed) return <p role="status">{what} could not be loaded. Reload the page.</p>;
    return loaded ? <loaded.Content {...props} /> : <p class="quiet">Loading…</p>;
  };
}
