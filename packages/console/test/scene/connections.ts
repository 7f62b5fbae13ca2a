import { clusters } from '@slipway/cluster-api';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { harbour, patience, rowOf, type Scene, shipyard } from './scene.js';

async function seesLost(page: Page): Promise<void> {
  await page.getByRole('alert').getByText('may be outdated').waitFor(patience);
  await page.getByRole('status').getByText('Not live').waitFor();
}

async function seesLive(page: Page): Promise<void> {
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor(patience);
  await expect.poll(() => page.getByRole('alert').count(), patience).toBe(0);
}

/** As when another tab comes before it, and goes again: pages that a browser without a screen opens are all seen. */
async function turn(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((isHidden) => {
    const { document } = globalThis as unknown as { document: EventTarget };
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state === 'hidden');
}

const machine = 'KubeadmControlPlane|controlplane.cluster.x-k8s.io|default|shipyard';

/** A lost connection is shown on every page, and the notice disappears after reconnecting. */
export function testConnections(scene: () => Scene): void {
  it.each([
    { name: 'the graph', path: `${shipyard}/graph`, shows: '.node.machine' },
    { name: 'the timeline', path: `${shipyard}/timeline`, shows: '.critical-path' },
    { name: 'an object', path: `${shipyard}?object=${encodeURIComponent(machine)}`, shows: 'pre.yaml' },
    { name: 'the plan', path: '/console/plan', shows: 'textarea' },
    { name: 'the infrastructure', path: '/console/infrastructure', shows: 'table' },
  ])('says on $name that the console does not answer, and heals by itself', async ({ path, shows }) => {
    const { page, stage } = scene();
    await page.goto(`${stage.url}${path}`);
    await page.locator(shows).first().waitFor();
    await seesLive(page);
    await stage.cut();
    await seesLost(page);
    await stage.mend();
    await seesLive(page);
    expect(await page.locator(shows).count()).toBeGreaterThan(0);
  });

  it('serves eight pages of one browser with six connections: hidden pages hold none', async () => {
    const { page, stage, plane } = scene();
    const context = await stage.browser.newContext();
    context.setDefaultTimeout(patience.timeout);
    const link = stage.console.inviteLink({ name: 'admin', client: plane.client, close: () => undefined });
    const pages: Page[] = [];
    for (const path of [`/console/${link.slice(link.indexOf('#'))}`, ...Array<string>(7).fill('/console/')]) {
      const one = await context.newPage();
      await one.goto(`${stage.url}${path}`);
      await rowOf(one, 'harbour').waitFor();
      pages.push(one);
      await turn(one, 'hidden');
      await one.getByRole('status').getByText('Loading…').waitFor();
    }
    await page.goto(`${stage.url}/console/`);
    const key = { namespace: 'default', name: 'harbour' };
    await plane.merge(clusters, key, { spec: { paused: true } });
    await rowOf(page, 'harbour').getByText('Paused', { exact: true }).waitFor(patience);
    for (const one of pages) {
      expect(await rowOf(one, 'harbour').getByText('Paused', { exact: true }).count()).toBe(0);
      await turn(one, 'visible');
      await rowOf(one, 'harbour').getByText('Paused', { exact: true }).waitFor();
      await seesLive(one);
      await turn(one, 'hidden');
    }
    await plane.merge(clusters, key, { spec: { paused: false } });
    await context.close();
  });

  it('says that the console does not reach the management cluster, and is true again when it does', async () => {
    const { plane, page, stage, cable } = scene();
    const [cluster, infrastructure] = [await page.context().newPage(), await page.context().newPage()];
    await page.goto(`${stage.url}/console/`);
    await cluster.goto(`${stage.url}${harbour}`);
    await infrastructure.goto(`${stage.url}/console/infrastructure`);
    await rowOf(page, 'harbour').waitFor();
    await cluster.locator('.cluster-title .state').waitFor();
    await infrastructure.locator('table').first().waitFor();
    await cable.cut();
    try {
      for (const one of [page, cluster, infrastructure]) await seesLost(one);
    } finally {
      await cable.mend();
    }
    await plane.merge(clusters, { namespace: 'default', name: 'harbour' }, { spec: { paused: true } });
    for (const one of [page, cluster, infrastructure]) await seesLive(one);
    await rowOf(page, 'harbour').getByText('Paused', { exact: true }).waitFor(patience);
    const paused = cluster.locator('.cluster-title').getByText('Paused', { exact: true });
    await expect.poll(() => paused.count(), patience).toBe(1);
    await plane.merge(clusters, { namespace: 'default', name: 'harbour' }, { spec: { paused: false } });
    await cluster.close();
    await infrastructure.close();
  });
}
