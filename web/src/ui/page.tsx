import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { RenderingContext } from '../api/rendering.ts';
import { useSession } from '../api/session.ts';
import { Breakable } from './breakable.tsx';

interface PageProps {
  /** The heading of the page. */
  readonly title: string;
  /** Whether the heading is only for screen readers. */
  readonly isTitleHidden?: boolean;
  /** The language of the heading, if it is not English. */
  readonly lang?: string | undefined;
  /** The window title without the name of the service, if it differs from the heading. */
  readonly windowTitle?: string;
  /** A description of the page for search engines and link previews. */
  readonly description?: string;
  /** The path of a picture for link previews. */
  readonly image?: string | null;
  /** Whether the address names something that does not exist. */
  readonly isNotFound?: boolean;
  readonly children: ComponentChildren;
}

/** Whether a page has been shown before. The first one leaves the focus where it is. */
let hasNavigated = false;

/** A page. Its heading takes the focus when the reader comes from another page. */
export function Page({ title, isTitleHidden = false, lang, children, ...head }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useHead(title, head);
  // In a layout effect, the focus moves before anything can be typed into the page.
  useLayoutEffect(() => {
    if (hasNavigated) heading.current?.focus({ preventScroll: true });
    hasNavigated = true;
  }, []);
  return (
    <>
      <h1
        ref={heading}
        tabIndex={-1}
        class={isTitleHidden ? 'sr-only' : undefined}
        dir="auto"
        lang={lang}
      >
        <Breakable text={title} />
      </h1>
      {children}
    </>
  );
}

type Head = Pick<PageProps, 'windowTitle' | 'description' | 'image' | 'isNotFound'>;

/** Sets the window title, and passes the head of the page to the server that renders it. */
function useHead(
  heading: string,
  { windowTitle = heading, description = '', image = null, isNotFound = false }: Head,
): void {
  const { brand } = useSession();
  const title = windowTitle === '' ? brand.name : `${windowTitle} | ${brand.name}`;
  const rendering = useContext(RenderingContext);
  if (rendering) rendering.head = { title, description, image, isNotFound };
  useEffect(() => {
    document.title = title;
  }, [title]);
}

export function NotFoundPage() {
  return (
    <Page title="Page not found" isNotFound>
      <p>
        The address may be mistyped, or the page may have moved.{' '}
        <a href={PAGES.home}>Search cards</a>
      </p>
    </Page>
  );
}
