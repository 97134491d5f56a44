import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** How a reader looks at the pages. */
export interface Look {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
}

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

/** The look for what is the same in all of them. */
export const ANY_LOOK: Look = { name: 'on a phone, light', ...PHONE, colorScheme: 'light' };

/** The looks that every flow must work in. */
export const LOOKS: readonly Look[] = [
  ANY_LOOK,
  { name: 'on a phone, dark', ...PHONE, colorScheme: 'dark' },
  { name: 'on a desk, light', ...DESK, colorScheme: 'light' },
  { name: 'on a desk, dark', ...DESK, colorScheme: 'dark' },
];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** More controls than any page has. */
const MOST_TABS = 200;

/** Somebody at a browser, who notes what goes wrong in it. */
export class Reader {
  readonly page: Page;
  readonly context: BrowserContext;
  /** JavaScript errors, refusals of the policy, and requests that left the service. */
  readonly problems: string[] = [];
  readonly #origin: string;
  /** What may be logged as failed because the test is about it. */
  readonly #expected: RegExp[] = [];

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.#origin = origin;
    this.#watch(page);
  }

  /** A reader who has never been here, at the service of an address. */
  static async at(browser: Browser, origin: string, look: Look): Promise<Reader> {
    const { width, height, colorScheme } = look;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      baseURL: origin,
      timezoneId: 'America/New_York',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return new Reader(context, await context.newPage(), origin);
  }

  /** The same reader, with the same cookies, in a second tab. */
  async secondTab(): Promise<Page> {
    const page = await this.context.newPage();
    this.#watch(page);
    return page;
  }

  /** Says that the console will tell of a failure which this test is about. */
  expects(failure: RegExp): void {
    this.#expected.push(failure);
  }

  /** Presses Tab until `target` has the focus: whoever has no mouse can reach it. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let pressed = 0; pressed < MOST_TABS; pressed++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press('Tab');
    }
    assert.fail(`${target} cannot be reached with the keyboard`);
  }

  /** Goes to a control with Tab and presses it with Enter. */
  async press(target: Locator): Promise<void> {
    await this.tabTo(target);
    await this.page.keyboard.press('Enter');
  }

  /** Goes to a field, named by its label, with Tab and types in the place of what it holds. */
  async type(field: string | Locator, text: string): Promise<void> {
    await this.tabTo(typeof field === 'string' ? this.#labelled(field) : field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** Goes to a list, named by its label, with Tab and types what is to be chosen. */
  async choose(label: string, option: string): Promise<void> {
    await this.tabTo(this.page.getByRole('combobox', { name: label, exact: true }));
    await this.page.keyboard.type(option);
  }

  /** Loads the page again until it shows something: uses of keys are written down every second. */
  async reloadUntil(target: Locator): Promise<void> {
    while (!(await target.first().isVisible())) {
      await this.page.waitForTimeout(200);
      await this.page.reload();
      await this.page.getByRole('heading', { level: 1 }).waitFor();
      await this.page.waitForLoadState('networkidle');
    }
  }

  /** Fails when the page has an accessibility fault, or is wider than the window. */
  async checkPage(): Promise<void> {
    await this.page.evaluate(AXE);
    const results = await this.page.evaluate<AxeResults>('axe.run()');
    const faults = results.violations.map(({ id, nodes }) => {
      return `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`;
    });
    assert.deepEqual(faults, []);
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, `${this.page.url()} scrolls sideways by ${overflow} pixels`);
  }

  /** Ends, and fails when anything went wrong on the way. */
  async leave(): Promise<void> {
    await this.context.close();
    const unexpected = this.problems.filter((problem) => {
      return !this.#expected.some((failure) => failure.test(problem));
    });
    assert.deepEqual(unexpected, []);
  }

  /** Fields for passwords have no role by which they could be found. */
  #labelled(label: string): Locator {
    const text = this.page.getByRole('textbox', { name: label });
    return text.or(this.page.getByLabel(label, { exact: true })).first();
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.#note(`error: ${error.message}`));
    page.on('console', (message) => {
      // That there is no picture is said by what stands in its place.
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
