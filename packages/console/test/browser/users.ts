import { certificateToPem, privateKeyToPem } from '@slipway/pki';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { mountConsole } from '../support/plane-console.js';
import { guestToken } from '../support/tokens.js';
import { harbour, waitOptions, rowOf, type BrowserFixture, shipyard } from './fixture.js';

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('header.head').waitFor();
}

/** Tests the ways to sign in, and the permissions of each user. */
export function testUsers(fixture: () => BrowserFixture): void {
  it('signs in by a client certificate on the port of the management plane', async () => {
    const { plane, testConsole } = fixture();
    const origin = plane.connection.server;
    const console = await mountConsole(plane, testConsole.assets, testConsole.planThread);
    const { admin } = plane.identity;
    const certificate = {
      origin,
      cert: Buffer.from(certificateToPem(admin.certificate)),
      key: Buffer.from(privateKeyToPem(admin.key)),
    };
    const signedIn = await testConsole.browser.newContext({
      ignoreHTTPSErrors: true,
      clientCertificates: [certificate],
    });
    const page = await signedIn.newPage();
    await page.goto(`${origin}/console/`);
    await rowOf(page, 'shipyard').waitFor(waitOptions);
    expect(await page.locator('.user').innerText()).not.toBe('');
    const anonymous = await testConsole.browser.newContext({ ignoreHTTPSErrors: true });
    const other = await anonymous.newPage();
    await other.goto(`${origin}/console/`);
    await other.getByRole('heading', { name: 'Sign in to Slipway' }).waitFor();
    await signedIn.close();
    await anonymous.close();
    await console.dispose();
  });

  it('shows a single namespace to a user who may not list all of them', async () => {
    const { plane, testConsole } = fixture();
    const token = await guestToken(plane, 'sea');
    const context = await testConsole.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${testConsole.url}/console/`);
    await signIn(page, token);
    await page.getByText('forbidden').first().waitFor(waitOptions);
    await page.getByLabel('Show one namespace').fill('sea');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await rowOf(page, 'regatta').waitFor(waitOptions);
    expect(page.url()).toContain('namespace=sea');
    expect(await page.locator('.row.cluster').count()).toBe(1);
    await page.getByText('Only namespace sea is shown.').waitFor();
    await page.getByRole('button', { name: 'Show all namespaces' }).click();
    await page.getByLabel('Show one namespace').waitFor();
    await context.close();
  });

  it('is read-only from another host, whatever permissions the user has', async () => {
    const { testConsole } = fixture();
    const other = await testConsole.open('/console/', {
      before: (page) => page.setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.7' }),
    });
    await other.page.goto(`${testConsole.url}${shipyard}`);
    const remove = other.page.getByRole('button', { name: 'Delete' });
    await remove.waitFor();
    expect(await other.page.locator('.actions button:enabled').count()).toBe(0);
    expect(await remove.getAttribute('title')).toContain('read-only');
    await other.page.goto(`${testConsole.url}/console/plan`);
    await other.page.getByLabel('Manifest').fill('kind: Cluster');
    expect(await other.page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await other.context.close();
  });

  it('runs no foreign scripts and cannot be framed', async () => {
    const { testConsole } = fixture();
    const context = await testConsole.browser.newContext();
    const page = await context.newPage();
    const response = await page.goto(`${testConsole.url}/console/`);
    expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
    await page.evaluate(
      "document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.taken = 1' }))",
    );
    expect(await page.evaluate('window.taken')).toBeUndefined();
    const framing = await context.newPage();
    await framing.setContent(`<iframe src="${testConsole.url}/console/"></iframe>`, { waitUntil: 'load' });
    await expect.poll(() => framing.frames().at(-1)?.url()).toContain('chrome-error:');
    await context.close();
  });

  it('shows the cause on every page that shows an unhealthy object', async () => {
    const { page, testConsole } = fixture();
    await page.goto(`${testConsole.url}/console/`);
    await rowOf(page, 'harbour').getByText('which does not exist').waitFor(waitOptions);
    for (const tab of ['', '/graph', '/timeline', '/machines', '/certificates', '/events']) {
      await page.goto(`${testConsole.url}${harbour}${tab}`);
      const panel = page.getByRole('region', { name: 'Blocked: action required' });
      await panel.waitFor();
      expect(await panel.innerText()).toContain('references DevMachineTemplate default/harbour-gone');
    }
  });
}
