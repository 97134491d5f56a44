/** Returns the first element that matches a selector. */
export function find<T extends HTMLElement>(selector: string, within: ParentNode = document): T {
  const found = within.querySelector<T>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Returns all elements that match a selector. */
export function findAll<T extends HTMLElement>(
  selector: string,
  within: ParentNode = document,
): readonly T[] {
  return [...within.querySelectorAll<T>(selector)];
}

/** Creates an element with content. Texts are never parsed as HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
}

/** The calls of the reference. */
export function operations(): readonly HTMLDetailsElement[] {
  return findAll('.operation');
}
