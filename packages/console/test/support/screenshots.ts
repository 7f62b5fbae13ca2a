import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../../../docs/operating/console/', import.meta.url));

const isEnabled = process.env['CONSOLE_PICTURES'] !== undefined;

/**
 * Takes a screenshot for the documentation, optionally of the top of a page only. Does so only on request, because times differ
 * in every run.
 */
export async function takeScreenshot(page: Page, name: string, height?: number): Promise<void> {
  if (!isEnabled) return;
  await mkdir(folder, { recursive: true });
  const width = page.viewportSize()?.width ?? 0;
  const clip = height === undefined ? {} : { clip: { x: 0, y: 0, width, height } };
  await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled', ...clip });
}
