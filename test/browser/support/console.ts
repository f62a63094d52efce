import { axeViolations } from './axe';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Service, TestTenant } from '../../support/service';

/** The time limit for one step on a busy machine, in ms. */
const STEP_WAIT_LIMIT_MS = 45_000;
/** For a whole task of many steps. */
export const TASK_WAIT_LIMIT_MS = 240_000;

/** The number of steps with the Tab key, more than a page has elements that can have the focus. */
const TABS_MAX = 80;

/** The view of a page: a wide window or a telephone, light or dark. */
export interface PageView {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** A person's browser, signed in by a one-time link. Whatever it complains about fails the test. */
export class Visitor {
  readonly complaints: string[] = [];
  /** The number of times that the person has pressed something. */
  clicks = 0;

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly base: string,
  ) {
    page.on('console', (message) => {
      this.complaints.push(`${page.url()} ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => {
      this.complaints.push(`${page.url()} threw: ${error.message}`);
    });
  }

  static async open(
    browser: Browser,
    service: Service,
    { width = 1440, scheme = 'light' }: PageView = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width, height: width < 800 ? 740 : 900 },
      colorScheme: scheme,
      baseURL: service.url,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_WAIT_LIMIT_MS);
    return new Visitor(page, context, service.url);
  }

  /** Opens a one-time link and presses its button. */
  async signIn(url: string): Promise<void> {
    await this.page.goto(`${this.base}${new URL(url).pathname}${new URL(url).hash}`);
    await this.press('Continue');
    await this.page.getByRole('button', { name: /^Account of/ }).waitFor();
  }

  /** Presses a button, or follows a link, by what it says. */
  async press(name: string | RegExp, role: 'button' | 'link' | 'tab' = 'button'): Promise<void> {
    await this.page.getByRole(role, { name, exact: typeof name === 'string' }).click();
    this.clicks += 1;
  }

  /** Follows a link of the navigation at the side, as somebody who has no address does. */
  async goTo(page: string): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: page, exact: true })
      .click();
    await this.page.getByRole('heading', { level: 1, name: page, exact: true }).waitFor();
    await this.settle();
    this.clicks += 1;
  }

  /** Pastes a text into the box that finds anything, and presses Enter. */
  async find(text: string): Promise<void> {
    await this.fill('Find by id or e-mail', text);
    await this.page.keyboard.press('Enter');
  }

  /** A card of the page by its heading. */
  card(title: string): Locator {
    const heading = this.page.getByRole('heading', { name: title, exact: true });
    return this.page.locator('section.card').filter({ has: heading });
  }

  /** Presses a button of the dialog that is open. */
  async confirm(name: string): Promise<void> {
    await this.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    this.clicks += 1;
  }

  /** Chooses in the list with this label, by what the choice says. */
  async choose(label: string, choice: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).selectOption({ label: choice });
  }

  /** Presses a button that saves a file; returns its name. */
  async save(name: string): Promise<string> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.press(name)]);
    return file.suggestedFilename();
  }

  /** Types into the field with this label. */
  async fill(label: string | RegExp, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: typeof label === 'string' }).fill(text);
  }

  /** Presses Tab until the focus is on what has this name, as a person without a mouse does. */
  async tabTo(name: string): Promise<void> {
    for (let presses = 0; presses < TABS_MAX; presses += 1) {
      await this.page.keyboard.press('Tab');
      const focused = await this.page.evaluate<string>(`(() => {
        const { activeElement: at } = document;
        const text = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.textContent;
        return (text ?? at?.textContent ?? '').trim();
      })()`);
      if (focused === name) return;
    }
    throw new Error(`Tab never comes to ${name}`);
  }

  /**
   * Presses Tab until the focus has been everywhere. Returns the elements that look the same with and
   * without the focus.
   */
  async listUnseenFocus(): Promise<string[]> {
    const unseen = new Set<string>();
    for (let presses = 0; presses < TABS_MAX; presses += 1) {
      await this.page.keyboard.press('Tab');
      const html = await this.page.evaluate<string | null>(`(() => {
        const { activeElement: at } = document;
        const look = () => {
          const { outline, outlineStyle, boxShadow } = getComputedStyle(at);
          return outlineStyle === 'none' ? boxShadow : outline + boxShadow;
        };
        const focused = look();
        at.blur();
        const isSame = look() === focused;
        at.focus({ focusVisible: true, preventScroll: true });
        return isSame && at !== document.body ? at.outerHTML.slice(0, 120) : null;
      })()`);
      if (html !== null) unseen.add(html);
    }
    return [...unseen];
  }

  /** Waits until the page shows the text. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Opens a page and waits until nothing of it is being loaded. */
  async visit(path: string): Promise<void> {
    await this.page.goto(`${this.base}${path}`);
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.page.locator('h1').first().waitFor();
    await this.page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  }

  /** The addresses to which the page links. */
  links(): Promise<string[]> {
    return this.page.evaluate<string[]>(
      '[...document.querySelectorAll("main a")].map((link) => link.getAttribute("href") ?? "")',
    );
  }

  async look({ width = 1440, scheme = 'light' }: PageView): Promise<void> {
    await this.page.setViewportSize({ width, height: width < 800 ? 740 : 900 });
    await this.page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  }

  /** Returns faults for people who cannot see, and whether the page is wider than the window. */
  async faults(): Promise<string[]> {
    const tooWide = await this.page.evaluate<number>(
      'document.documentElement.scrollWidth - innerWidth',
    );
    return [
      ...(await axeViolations(this.page)),
      ...(tooWide > 0 ? [`wider than the window by ${tooWide} px`] : []),
    ];
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** A link into the dashboard of a tenant with a role; without a tenant, one for the operator. */
export const linkFor = async (
  service: Service,
  tenant: TestTenant | null = null,
  role?: string,
): Promise<string> => {
  const body = {
    ...(tenant === null ? {} : { tenant_id: tenant.id }),
    ...(role === undefined ? {} : { role }),
  };
  const { url } = (await service.operator.post('/operator/v1/console_links', body)).created;
  return url as string;
};

export const pathIn = (tenant: TestTenant, path: string, environment = 'test'): string =>
  `/console/t/${tenant.id}/${environment}${path}`;
