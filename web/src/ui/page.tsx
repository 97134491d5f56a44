import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  /** The heading of the page and the title of the window. */
  readonly title: string;
  /** Whether only screen readers have the heading. */
  readonly isTitleHidden?: boolean;
  /** The language of the heading, where it is not that of the page. */
  readonly lang?: string | undefined;
  readonly children: ComponentChildren;
}

/** Whether a page was shown before: the first one leaves the focus where it is. */
let hasNavigated = false;

/** A page. Its heading takes the focus when the reader comes from another page. */
export function Page({ title, isTitleHidden = false, lang, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Cardprice`;
  }, [title]);
  useEffect(() => {
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
        {title}
      </h1>
      {children}
    </>
  );
}
