import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { RenderingContext } from '../api/rendering.ts';
import { useSession } from '../api/session.ts';

interface PageProps {
  /** The heading of the page. */
  readonly title: string;
  /** Whether only screen readers have the heading. */
  readonly isTitleHidden?: boolean;
  /** The language of the heading, where it is not that of the page. */
  readonly lang?: string | undefined;
  /** The title of the window without the name of the service, where it is not the heading. */
  readonly windowTitle?: string;
  /** What the page is about, for search engines and those with whom it is shared. */
  readonly description?: string;
  /** The path of a picture of what the page is about. */
  readonly image?: string | null;
  /** Whether the address is of something that does not exist. */
  readonly isNotFound?: boolean;
  readonly children: ComponentChildren;
}

/** Whether a page was shown before: the first one leaves the focus where it is. */
let hasNavigated = false;

/** A page. Its heading takes the focus when the reader comes from another page. */
export function Page({ title, isTitleHidden = false, lang, children, ...head }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useHead(title, head);
  // In a layout effect the focus moves before anything can be typed into the page.
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
        {breakable(title)}
      </h1>
      {children}
    </>
  );
}

/** Lets the address of somebody's mailbox break after its sign rather than within a word. */
function breakable(title: string): ComponentChildren {
  return title
    .split(/(?<=@)/)
    .flatMap((part, index) => (index === 0 ? part : [<wbr key={part} />, part]));
}

type Head = Pick<PageProps, 'windowTitle' | 'description' | 'image' | 'isNotFound'>;

/** Names the window, and tells the server that renders the page what the page says of itself. */
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
    <Page title="There is nothing here" isNotFound>
      <p>
        The address may be mistyped, or the page has moved. <a href={PAGES.home}>Search cards</a>
      </p>
    </Page>
  );
}
