import type { Locator, Page } from 'playwright-core';
import type { Stage } from '../support/browser.js';
import type { Cable } from '../support/cable.js';
import type { LivePlane } from '../support/live-plane.js';

/** What all tests of a run share: a plane and a browser cost more than most of them. */
export interface Scene {
  readonly plane: LivePlane;
  readonly stage: Stage;
  /** From the console to the plane. */
  readonly cable: Cable;
  /** Of the administrator. */
  readonly page: Page;
}

export const patience = { timeout: 60_000 };
export const shipyard = '/console/clusters/default/shipyard';
export const harbour = '/console/clusters/default/harbour';

export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
}
