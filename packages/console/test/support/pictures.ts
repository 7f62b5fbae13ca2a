import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../../../docs/operating/console/', import.meta.url));

const picturesAreWanted = process.env['CONSOLE_PICTURES'] !== undefined;

/**
 * Pictures for the documentation, of the upper part of a page where that is enough. They are created on request only, because
 * every run shows other times.
 */
export async function picture(page: Page, name: string, height?: number): Promise<void> {
  if (!picturesAreWanted) return;
  await mkdir(folder, { recursive: true });
  const width = page.viewportSize()?.width ?? 0;
  const clip = height === undefined ? {} : { clip: { x: 0, y: 0, width, height } };
  await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled', ...clip });
}
