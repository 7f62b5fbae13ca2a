import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../../../docs/operating/console/', import.meta.url));

/** Pictures for the documentation, made anew only when they are asked for: every run would draw other times into them. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['CONSOLE_PICTURES'] === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' });
}
