import type { Locator, Page } from 'playwright-core';
import type { TestConsole } from '../support/test-console.js';
import type { TestProxy } from '../support/test-proxy.js';
import type { LivePlane } from '../support/live-plane.js';

/** Shared by all browser tests, because starting a plane and a browser takes longer than most tests. */
export interface BrowserFixture {
  readonly plane: LivePlane;
  readonly testConsole: TestConsole;
  /** The proxy between the console and the plane. */
  readonly proxy: TestProxy;
  /** The page of the administrator. */
  readonly page: Page;
}

export const waitOptions = { timeout: 60_000 };
export const shipyard = '/console/clusters/default/shipyard';
export const harbour = '/console/clusters/default/harbour';

export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
}
