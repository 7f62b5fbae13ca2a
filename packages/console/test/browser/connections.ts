import { clusters } from '@slipway/cluster-api';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { harbour, waitOptions, rowOf, type BrowserFixture, shipyard } from './fixture.js';

async function expectNotLive(page: Page): Promise<void> {
  await page.getByRole('alert').getByText('may be outdated').waitFor(waitOptions);
  await page.getByRole('status').getByText('Not live').waitFor();
}

async function expectLive(page: Page): Promise<void> {
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor(waitOptions);
  await expect.poll(() => page.getByRole('alert').count(), waitOptions).toBe(0);
}

/** Simulates switching to another tab and back: a headless browser reports all pages as visible. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((isHidden) => {
    const { document } = globalThis as unknown as { document: EventTarget };
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state === 'hidden');
}

const machine = 'KubeadmControlPlane|controlplane.cluster.x-k8s.io|default|shipyard';

/** Tests that every page shows a lost connection, and that the notice disappears after reconnecting. */
export function testConnections(fixture: () => BrowserFixture): void {
  it.each([
    { name: 'the graph', path: `${shipyard}/graph`, shows: '.node.machine' },
    { name: 'the timeline', path: `${shipyard}/timeline`, shows: '.critical-path' },
    { name: 'an object', path: `${shipyard}?object=${encodeURIComponent(machine)}`, shows: 'pre.yaml' },
    { name: 'the plan', path: '/console/plan', shows: 'textarea' },
    { name: 'the infrastructure', path: '/console/infrastructure', shows: 'table' },
  ])('shows on $name that the console does not answer, and reconnects by itself', async ({ path, shows }) => {
    const { page, testConsole } = fixture();
    await page.goto(`${testConsole.url}${path}`);
    await page.locator(shows).first().waitFor();
    await expectLive(page);
    await testConsole.cut();
    await expectNotLive(page);
    await testConsole.restore();
    await expectLive(page);
    expect(await page.locator(shows).count()).toBeGreaterThan(0);
  });

  it('serves eight pages of one browser with six connections, because hidden pages close theirs', async () => {
    const { page, testConsole, plane } = fixture();
    const context = await testConsole.browser.newContext();
    context.setDefaultTimeout(waitOptions.timeout);
    const link = testConsole.console.signInLink({ name: 'admin', client: plane.client, close: () => undefined });
    const pages: Page[] = [];
    for (const path of [`/console/${link.slice(link.indexOf('#'))}`, ...Array<string>(7).fill('/console/')]) {
      const one = await context.newPage();
      await one.goto(`${testConsole.url}${path}`);
      await rowOf(one, 'harbour').waitFor();
      pages.push(one);
      await setVisibility(one, 'hidden');
      await one.getByRole('status').getByText('Loading…').waitFor();
    }
    await page.goto(`${testConsole.url}/console/`);
    const key = { namespace: 'default', name: 'harbour' };
    await plane.merge(clusters, key, { spec: { paused: true } });
    await rowOf(page, 'harbour').getByText('Paused', { exact: true }).waitFor(waitOptions);
    for (const one of pages) {
      expect(await rowOf(one, 'harbour').getByText('Paused', { exact: true }).count()).toBe(0);
      await setVisibility(one, 'visible');
      await rowOf(one, 'harbour').getByText('Paused', { exact: true }).waitFor();
      await expectLive(one);
      await setVisibility(one, 'hidden');
    }
    await plane.merge(clusters, key, { spec: { paused: false } });
    await context.close();
  });

  it('shows that the console cannot reach the management cluster, and updates when it can again', async () => {
    const { plane, page, testConsole, proxy } = fixture();
    const [cluster, infrastructure] = [await page.context().newPage(), await page.context().newPage()];
    await page.goto(`${testConsole.url}/console/`);
    await cluster.goto(`${testConsole.url}${harbour}`);
    await infrastructure.goto(`${testConsole.url}/console/infrastructure`);
    await rowOf(page, 'harbour').waitFor();
    await cluster.locator('.cluster-title .state').waitFor();
    await infrastructure.locator('table').first().waitFor();
    await proxy.cut();
    try {
      for (const one of [page, cluster, infrastructure]) await expectNotLive(one);
    } finally {
      await proxy.restore();
    }
    await plane.merge(clusters, { namespace: 'default', name: 'harbour' }, { spec: { paused: true } });
    for (const one of [page, cluster, infrastructure]) await expectLive(one);
    await rowOf(page, 'harbour').getByText('Paused', { exact: true }).waitFor(waitOptions);
    const paused = cluster.locator('.cluster-title').getByText('Paused', { exact: true });
    await expect.poll(() => paused.count(), waitOptions).toBe(1);
    await plane.merge(clusters, { namespace: 'default', name: 'harbour' }, { spec: { paused: false } });
    await cluster.close();
    await infrastructure.close();
  });
}
