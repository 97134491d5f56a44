import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  /** The heading, and the title of the window. */
  readonly title: string;
  /** Whether the heading is only for who hears the page. */
  readonly isTitleHidden?: boolean;
  readonly children: ComponentChildren;
}

/** Whether a page has been shown before: the first one leaves the focus where it is. */
let hasNavigated = false;

/** A page: its heading gets the focus when the reader comes from another page. */
export function Page({ title, isTitleHidden = false, children }: Props) {
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
      <h1 ref={heading} tabIndex={-1} class={isTitleHidden ? 'unseen' : undefined} dir="auto">
        {title}
      </h1>
      {children}
    </>
  );
}
