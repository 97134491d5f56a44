import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** The window of a reader, and its color scheme. */
export interface Look {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  /** Pixels of the screen for each px; 1 by default. */
  readonly pixelRatio?: number;
}

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

/** The look for tests that need only one. */
export const ANY_LOOK: Look = { name: 'on a phone, light', ...PHONE, colorScheme: 'light' };

const NIGHT_AT_DESK: Look = { name: 'on a desk, dark', ...DESK, colorScheme: 'dark' };

/** The looks in which the pages about cards must work. */
export const LOOKS: readonly Look[] = [
  ANY_LOOK,
  { name: 'on a phone, dark', ...PHONE, colorScheme: 'dark' },
  { name: 'on a desk, light', ...DESK, colorScheme: 'light' },
  NIGHT_AT_DESK,
];

/**
 * The looks in which every flow must work. They cover both widths and both color schemes, on the
 * sharp screens that most phones and many desktops have.
 */
export const FLOW_LOOKS: readonly Look[] = [
  { ...ANY_LOOK, name: 'on a phone, light, 3 pixels per px', pixelRatio: 3 },
  { ...NIGHT_AT_DESK, name: 'on a desk, dark, 2 pixels per px', pixelRatio: 2 },
];

const LARGER = { width: 390, height: 844, colorScheme: 'dark' } as const;

/** A larger phone, for the flows that most people use. */
export const LARGER_PHONE: Look = {
  ...LARGER,
  name: 'on a larger phone, dark, 3 pixels per px',
  pixelRatio: 3,
};

export const DESK_LOOK: Look = {
  ...DESK,
  name: 'at 1280 px, light',
  colorScheme: 'light',
  pixelRatio: 1,
};

/** The looks for pages with pictures and charts, on screens of different sharpness. */
export const SHARP_LOOKS: readonly Look[] = [
  { ...ANY_LOOK, name: 'at 360 px, light, 3 pixels per px', pixelRatio: 3 },
  { ...LARGER, name: 'at 390 px, dark, 2 pixels per px', pixelRatio: 2 },
  DESK_LOOK,
  { ...NIGHT_AT_DESK, name: 'at 1280 px, dark, 2 pixels per px', pixelRatio: 2 },
];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page that responds to its reader, or has no scripts that would. */
const INTERACTIVE = 'html[data-interactive], html:not(:has(#app))';

/** The most times that Tab is pressed; no page has more controls. */
const MOST_TABS = 200;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Somebody at a browser, who records what goes wrong in it. */
export class Reader {
  readonly page: Page;
  readonly context: BrowserContext;
  /** JavaScript errors, violations of the content security policy, and requests to other hosts. */
  readonly problems: string[] = [];
  readonly #origin: string;
  /** Problems that the test provokes. */
  readonly #expected: RegExp[] = [];
  #hasLeft = false;

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.#origin = origin;
    this.#watch(page);
  }

  /** Opens a browser without cookies for the service at `origin`. */
  static async at(browser: Browser, origin: string, look: Look): Promise<Reader> {
    const { width, height, colorScheme, pixelRatio = 1 } = look;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      deviceScaleFactor: pixelRatio,
      baseURL: origin,
      timezoneId: 'America/New_York',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return new Reader(context, await context.newPage(), origin);
  }

  /** Opens a second tab with the same cookies. */
  async secondTab(): Promise<Page> {
    const page = await this.context.newPage();
    this.#watch(page);
    return page;
  }

  /** Declares problems that match `failure` as provoked by the test. */
  expects(failure: RegExp): void {
    this.#expected.push(failure);
  }

  /** Presses Tab until `target` has the focus; fails if the keyboard does not reach it. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let pressed = 0; pressed < MOST_TABS; pressed++) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press('Tab');
    }
    const page = await this.page.locator('body').ariaSnapshot();
    assert.fail(`${target} cannot be reached with the keyboard at ${this.page.url()}:\n${page}`);
  }

  /** Moves to a control, or to the button with a name, with Tab and presses Enter. */
  async press(target: string | Locator): Promise<void> {
    const isName = typeof target === 'string';
    await this.tabTo(isName ? this.page.getByRole('button', { name: target }) : target);
    await this.page.keyboard.press('Enter');
  }

  /** Follows a link of a navigation, which is in a menu on narrow screens. */
  async follow(name: string, of: 'Main' | 'Operator' = 'Main'): Promise<void> {
    const navigation = this.page.getByRole('navigation', { name: of });
    await navigation.waitFor();
    const menu = navigation.getByRole('button', { expanded: false });
    if (await menu.isVisible()) await this.press(menu);
    await this.press(navigation.getByRole('link', { name, exact: true }));
  }

  /** Moves to a field, given by its label, with Tab and replaces its text. */
  async type(field: string | Locator, text: string): Promise<void> {
    await this.tabTo(typeof field === 'string' ? this.#labelled(field) : field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /**
   * Moves to a list, given by its label, with Tab. Selects an option by typing it, once it is
   * there.
   */
  async choose(label: string, option: string): Promise<void> {
    const list = this.page.getByRole('combobox', { name: label, exact: true });
    await list.locator('option', { hasText: option }).first().waitFor({ state: 'attached' });
    await this.tabTo(list);
    await this.page.keyboard.type(option);
  }

  /** Presses the button that opens the filters of a list, which phones have. */
  async openFilters(): Promise<void> {
    const button = this.page.getByRole('button', { name: /^Filters/, expanded: false });
    if (await button.isVisible()) await this.press(button);
  }

  /** Reloads the page until it shows `target`: the usage of keys is stored once a second. */
  async reloadUntil(target: Locator): Promise<void> {
    while (!(await target.first().isVisible())) {
      await this.page.waitForTimeout(200);
      await this.page.reload();
      await this.page.getByRole('heading', { level: 1 }).waitFor();
      await this.page.waitForLoadState('networkidle');
    }
  }

  /** Fails if the page has an accessibility fault or is wider than the window. */
  async checkPage(): Promise<void> {
    assert.deepEqual(await this.faults(), []);
  }

  /** Returns the accessibility faults of the page, and whether it is wider than the window. */
  async faults(): Promise<readonly string[]> {
    const hasAxe = await this.page.evaluate(() => 'axe' in window);
    if (!hasAxe) await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate<AxeResults>('axe.run()');
    const faults = violations.map(({ id, nodes }) => {
      return `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`;
    });
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow === 0) return faults;
    return [...faults, `${this.page.url()} scrolls sideways by ${overflow} pixels`];
  }

  /** Fills in the sign-in form and submits it. */
  async signIn({ email, password }: Credentials): Promise<void> {
    await this.type('E-mail address', email);
    await this.type('Password', password);
    await this.page.keyboard.press('Enter');
  }

  /** Closes the browser, unless it is closed, and fails if there was any unexpected problem. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    await this.context.close();
    const unexpected = this.problems.filter((problem) => {
      return !this.#expected.some((expected) => expected.test(problem));
    });
    assert.deepEqual(unexpected, []);
  }

  /** Finds a field by its label; password fields have no role. */
  #labelled(label: string): Locator {
    const text = this.page.getByRole('textbox', { name: label });
    return text.or(this.page.getByLabel(label, { exact: true })).first();
  }

  #watch(page: Page): void {
    waitForScripts(page);
    page.on('pageerror', (error) => this.#note(`error: ${error.message}`));
    page.on('console', (message) => {
      // A page shows a text in place of a picture that fails to load.
      const isPicture = message.location().url.includes('/dashboard/pictures/');
      if (message.type() === 'error' && !isPicture) this.#note(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${this.#origin}/`)) this.#note(`request: ${request.url()}`);
    });
  }

  #note(problem: string): void {
    this.problems.push(problem);
  }
}

/** Returns whether an element has the focus. */
export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/**
 * Makes `goto` and `reload` resolve when the page responds to its reader, unless the caller says
 * what to wait for. The server renders pages, so they are there before their scripts.
 */
function waitForScripts(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!options?.waitUntil) await untilInteractive(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (!options?.waitUntil) await untilInteractive(page);
    return response;
  };
}

function untilInteractive(page: Page): Promise<void> {
  return page.locator(INTERACTIVE).waitFor({ state: 'attached' });
}
