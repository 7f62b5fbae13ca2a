import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { topologyManifests } from '../support/topology.js';
import { waitOptions, rowOf, type BrowserFixture, shipyard } from './fixture.js';

const regatta = '/console/clusters/sea/regatta';

/** Selects the group whose option contains `part`. The rest of the option's text may change at any time. */
async function choose(dialog: Locator, part: string): Promise<void> {
  const option = dialog.getByLabel('Target').locator('option').filter({ hasText: part }).first();
  await option.waitFor({ state: 'attached' });
  await dialog.getByLabel('Target').selectOption((await option.getAttribute('value')) ?? '');
}

/** Tests actions on clusters, performed by real controllers. */
export function testActions(fixture: () => BrowserFixture): void {
  it('scales and upgrades a cluster through its topology', { timeout: 180_000 }, async () => {
    const { plane, page, testConsole } = fixture();
    await plane.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sea' } });
    await plane.create(...topologyManifests('regatta', 'sea'));
    await page.goto(`${testConsole.url}/console/`);
    await rowOf(page, 'regatta').getByText('Available', { exact: true }).waitFor(waitOptions);
    await rowOf(page, 'regatta').getByText('↑ v1.35.1').waitFor();
    await page.goto(`${testConsole.url}${regatta}`);
    await page.getByRole('button', { name: 'Scale' }).click();
    const scale = page.getByRole('dialog', { name: 'Scale' });
    await choose(scale, 'crew');
    await scale.getByText('This changes spec.topology of the Cluster').waitFor();
    await scale.getByLabel('Machines').fill('2');
    await scale.getByRole('button', { name: 'Scale to 2' }).click();
    await page.locator('.facts').getByText('2/2').waitFor(waitOptions);
    await page.getByRole('button', { name: 'Upgrade' }).click();
    const upgrade = page.getByRole('dialog', { name: 'Upgrade or roll out' });
    await upgrade.getByRole('button', { name: 'Upgrade to v1.35.1' }).click();
    await page.getByText('regatta is being upgraded to v1.35.1.').waitFor();
    await page.goto(`${testConsole.url}${regatta}/machines`);
    const versions = async (): Promise<string[]> =>
      (await page.locator('tbody tr').allInnerTexts()).map((text) => /v1\.35\.\d/.exec(text)?.[0] ?? text);
    await expect.poll(versions, { timeout: 120_000, interval: 500 }).toEqual(['v1.35.1', 'v1.35.1', 'v1.35.1']);
  });

  it('replaces the machines of a MachineDeployment without a change', async () => {
    const { page, testConsole } = fixture();
    await page.goto(`${testConsole.url}${shipyard}/machines`);
    const names = (): Promise<string[]> => page.getByRole('link', { name: /shipyard-workers-/ }).allInnerTexts();
    await expect.poll(async () => (await names()).length, waitOptions).toBeGreaterThan(0);
    const [first = ''] = await names();
    await page.getByRole('button', { name: 'Upgrade' }).click();
    const dialog = page.getByRole('dialog', { name: 'Upgrade or roll out' });
    await choose(dialog, 'workers');
    await dialog.getByRole('button', { name: 'Replace all Machines of shipyard-workers without changes' }).click();
    await page.getByText('the Machines of shipyard-workers are being replaced.').waitFor();
    await expect.poll(names, waitOptions).not.toContain(first);
    await expect.poll(async () => (await names()).length, waitOptions).toBeGreaterThan(0);
  });
}
