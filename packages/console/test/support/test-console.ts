import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlainServer } from '@slipway/apiserver';
import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import { type ConnectionConfig, createHttpClient } from '@slipway/runtime';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildConsole } from '../../../../scripts/build-console.mjs';
import { freePorts } from '../../../../test/support/peer-process.js';
import { Console, type ConsoleOptions, type User, whoAmI } from '../../src/index.js';

/** The plan thread in the bundle that the global test setup builds: worker threads of Node cannot load TypeScript. */
const planThread = new URL('../../../../dist/installed/lib/node_modules/slipway/dist/plan-thread.mjs', import.meta.url);

/** Timeout of each wait. Long enough for a host that runs other tests at the same time. */
const waitTimeoutMs = 90_000;

/** The console as `slipway console` runs it, with a real browser. */
export interface TestConsole {
  readonly console: Console;
  readonly browser: Browser;
  readonly assets: string;
  readonly planThread: URL;
  readonly url: string;
  /** Opens a page and signs in by a link. Errors of the page are collected in `problems`. */
  open(path?: string, options?: OpenOptions): Promise<OpenPage>;
  /** Stops listening, as if the process was killed, until `restore` is called. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Called before the first page is loaded. */
  readonly before?: (page: Page) => Promise<void>;
  /** The signed-in user. Defaults to the administrator. */
  readonly user?: User;
}

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the page logged. */
  readonly problems: readonly string[];
}

export async function startTestConsole(
  connection: ConnectionConfig,
  asAdmin?: User,
  more: Pick<ConsoleOptions, 'readOutlooks'> = {},
): Promise<TestConsole> {
  const scope = new Scope();
  const assets = await mkdtemp(join(tmpdir(), 'console-'));
  scope.defer(() => rm(assets, { recursive: true, force: true }));
  await buildConsole(assets);
  const admin = asAdmin ?? userOf(connection, 'admin');
  scope.defer(() => admin.close());
  const console = await Console.open({
    assets,
    planThread,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    loopbackOnly: true,
    secure: false,
    ...more,
    authenticator: {
      authenticateToken: async (token) => {
        const { server, certificateAuthority } = connection;
        return authenticate({ server, token: { data: token }, ...(certificateAuthority && { certificateAuthority }) });
      },
    },
  });
  scope.add(console);
  // Do not use an ephemeral port: another process could get it while no server listens on it.
  const [port = 0] = await freePorts(1);
  let server = await listen(console, port);
  scope.defer(() => server.close());
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  scope.defer(() => browser.close());
  const url = `http://127.0.0.1:${port}`;
  return {
    console,
    browser,
    assets,
    planThread,
    url,
    async open(path = '/console/', options = {}) {
      const { width = 1_280, height = 800, dark = false, user = admin } = options;
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        locale: 'en-GB',
        timezoneId: 'UTC',
        acceptDownloads: true,
      });
      context.setDefaultTimeout(waitTimeoutMs);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await options.before?.(page);
      const link = console.signInLink({ ...user, close: () => undefined });
      await page.goto(`${url}${path}${link.slice(link.indexOf('#'))}`);
      // Wait for the sign-in: navigation before that would lose the session.
      await page.locator('header.head').waitFor();
      return { page, context, problems };
    },
    cut: () => server.close(),
    async restore() {
      server = await listen(console, port);
    },
    stop: () => scope.dispose(),
  };
}

function userOf(connection: ConnectionConfig, name: string): User {
  const client = createHttpClient(connection);
  return { name, client, close: () => client.close() };
}

async function authenticate(connection: ConnectionConfig): Promise<User | undefined> {
  const client = createHttpClient(connection);
  try {
    return { name: await whoAmI(client), client, close: () => client.close() };
  } catch {
    client.close();
    return undefined;
  }
}

async function listen(console: Console, port: number): Promise<PlainServer> {
  const server = new PlainServer({
    handle: (request) => console.handle(request),
    clock: systemClock,
    logger: silentLogger,
  });
  await server.listen('127.0.0.1', port);
  return server;
}
