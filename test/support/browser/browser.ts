import { spawnSync } from 'node:child_process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A real browser that records problems in its pages. */
export interface TestBrowser {
  /** Opens a page in a new profile. URLs may be relative to `baseURL`. */
  open(options: { baseURL: string } & BrowserContextOptions): Promise<Page>;
  /** Console errors, exceptions, error responses and failed requests since the last call. */
  problems(): string[];
  /** Closes the pages, not the browser. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The path of a Chromium: `CHROMIUM_PATH`, or the first of the usual names on the PATH. Warns if
 * there is none.
 *
 * @throws if `REQUIRE_CHROMIUM=1` and there is none
 */
export function findChromium(): string | undefined {
  const names = [
    process.env.CHROMIUM_PATH,
    // It takes half the processor time of the others.
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
  ];
  const found = names.find((name) => name && spawnSync(name, ['--version']).status === 0);
  if (found !== undefined) return resolvePath(found);
  const missing = 'There is no Chromium on the PATH (Debian: apt-get install chromium).';
  if (process.env.REQUIRE_CHROMIUM === '1') throw new Error(missing);
  console.warn(`${missing} The tests in a browser are skipped.`);
  return undefined;
}

function resolvePath(name: string): string {
  if (name.includes('/')) return name;
  return spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).stdout.trim();
}

/** @param executablePath the result of `findChromium` */
export async function openBrowser(executablePath: string): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
  let problems: string[] = [];
  return {
    async open(options) {
      const context = await browser.newContext(options);
      // In ms. A busy machine can take a minute for a page of the dev server.
      context.setDefaultTimeout(100_000);
      const page = await context.newPage();
      noteProblems(page, (problem) => problems.push(problem));
      return page;
    },
    problems() {
      const noted = problems;
      problems = [];
      return noted;
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    close: () => browser.close(),
  };
}

function noteProblems(page: Page, note: (problem: string) => void): void {
  page.on('pageerror', (error) => note(`exception: ${error.message}`));
  page.on('console', (message) => {
    // The responses below name the URL.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) note(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) note(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that navigates aborts its own requests.
    if (reason !== 'net::ERR_ABORTED') note(`${reason} ${request.url()}`);
  });
}
