import { certificateToPem, privateKeyToPem } from '@slipway/pki';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { mountConsole } from '../support/plane-console.js';
import { guestToken } from '../support/people.js';
import { harbour, patience, rowOf, type Scene, shipyard } from './scene.js';

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('header.head').waitFor();
}

/** Who comes in, how, and what each may see and do. */
export function testPeople(scene: () => Scene): void {
  it('signs in by a client certificate on the port of the plane itself', async () => {
    const { plane, stage } = scene();
    const origin = plane.connection.server;
    const console = await mountConsole(plane, stage.assets, stage.planThread);
    const { admin } = plane.identity;
    const certificate = {
      origin,
      cert: Buffer.from(certificateToPem(admin.certificate)),
      key: Buffer.from(privateKeyToPem(admin.key)),
    };
    const known = await stage.browser.newContext({ ignoreHTTPSErrors: true, clientCertificates: [certificate] });
    const page = await known.newPage();
    await page.goto(`${origin}/console/`);
    await rowOf(page, 'shipyard').waitFor(patience);
    expect(await page.locator('.user').innerText()).not.toBe('');
    const stranger = await stage.browser.newContext({ ignoreHTTPSErrors: true });
    const other = await stranger.newPage();
    await other.goto(`${origin}/console/`);
    await other.getByRole('heading', { name: 'Sign in to Slipway' }).waitFor();
    await known.close();
    await stranger.close();
    await console.dispose();
  });

  it('shows one namespace to who may see only that', async () => {
    const { plane, stage } = scene();
    const token = await guestToken(plane, 'sea');
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${stage.url}/console/`);
    await signIn(page, token);
    await page.getByText('forbidden').first().waitFor(patience);
    await page.getByLabel('Show one namespace').fill('sea');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await rowOf(page, 'regatta').waitFor(patience);
    expect(page.url()).toContain('namespace=sea');
    expect(await page.locator('.row.cluster').count()).toBe(1);
    await page.getByText('Only namespace sea is shown.').waitFor();
    await page.getByRole('button', { name: 'Show all namespaces' }).click();
    await page.getByLabel('Show one namespace').waitFor();
    await context.close();
  });

  it('is read-only from another host, whatever permissions the user has', async () => {
    const { stage } = scene();
    const other = await stage.open('/console/', {
      before: (page) => page.setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.7' }),
    });
    await other.page.goto(`${stage.url}${shipyard}`);
    const remove = other.page.getByRole('button', { name: 'Delete' });
    await remove.waitFor();
    expect(await other.page.locator('.actions button:enabled').count()).toBe(0);
    expect(await remove.getAttribute('title')).toContain('read-only');
    await other.page.goto(`${stage.url}/console/plan`);
    await other.page.getByLabel('Manifest').fill('kind: Cluster');
    expect(await other.page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await other.context.close();
  });

  it('runs no foreign scripts and cannot be framed', async () => {
    const { stage } = scene();
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    const response = await page.goto(`${stage.url}/console/`);
    expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
    await page.evaluate(
      "document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.taken = 1' }))",
    );
    expect(await page.evaluate('window.taken')).toBeUndefined();
    const thief = await context.newPage();
    await thief.setContent(`<iframe src="${stage.url}/console/"></iframe>`, { waitUntil: 'load' });
    await expect.poll(() => thief.frames().at(-1)?.url()).toContain('chrome-error:');
    await context.close();
  });

  it('says why on every page that shows something red', async () => {
    const { page, stage } = scene();
    await page.goto(`${stage.url}/console/`);
    await rowOf(page, 'harbour').getByText('which does not exist').waitFor(patience);
    for (const tab of ['', '/graph', '/timeline', '/machines', '/certificates', '/events']) {
      await page.goto(`${stage.url}${harbour}${tab}`);
      const panel = page.getByRole('region', { name: 'Blocked: action required' });
      await panel.waitFor();
      expect(await panel.innerText()).toContain('references DevMachineTemplate default/harbour-gone');
    }
  });
}
