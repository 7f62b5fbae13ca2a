import { readFile } from 'node:fs/promises';
import { clusters, machineDeployments } from '@slipway/cluster-api';
import { stringifyYaml } from '@slipway/kube';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testActions } from './browser/actions.js';
import { testConnections } from './browser/connections.js';
import { readOutlooks, testInfrastructure } from './browser/infrastructure.js';
import { testUsers } from './browser/users.js';
import { waitOptions, rowOf, type BrowserFixture, shipyard } from './browser/fixture.js';
import { type OpenPage, type TestConsole, startTestConsole } from './support/test-console.js';
import { type TestProxy, startTestProxy } from './support/test-proxy.js';
import { type LivePlane, startLivePlane } from './support/live-plane.js';
import { overflows, seriousFindings } from './support/page-checks.js';
import { clusterManifests } from './support/manifests.js';
import { viewerToken } from './support/tokens.js';
import { takeScreenshot } from './support/screenshots.js';

const slow = { timeout: 180_000 };
const shipyardKey = { namespace: 'default', name: 'shipyard' };

/** All tests share one plane and one browser, and run in the order in which a user works. */
describe('the console in a browser', () => {
  let plane: LivePlane;
  let proxy: TestProxy;
  let testConsole: TestConsole;
  let open: OpenPage;
  let page: Page;

  const goTo = async (path: string): Promise<void> => {
    await page.goto(`${testConsole.url}${path}`);
  };
  const row = (name: string): Locator => rowOf(page, name);
  const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
  const fixture = (): BrowserFixture => ({ plane, testConsole, proxy, page });
  const tab = async (name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Cluster views' }).getByRole('link', { name }).click();
  };

  beforeAll(async () => {
    plane = await startLivePlane();
    proxy = await startTestProxy(Number(new URL(plane.connection.server).port));
    const connection = { ...plane.connection, server: `https://127.0.0.1:${proxy.port}` };
    testConsole = await startTestConsole(connection, undefined, { readOutlooks });
    open = await testConsole.open();
    ({ page } = open);
  });

  // The first failed test. Each test continues on the page of the one before it, so the others would only wait for their
  // timeouts.
  let failed: string | undefined;
  beforeEach(({ skip }) => skip(failed !== undefined, `"${failed}" failed`));
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failed ??= task.name;
  });

  afterAll(async () => {
    await testConsole?.stop();
    await proxy?.cut();
    await plane?.stop();
  });

  it('shows new and failing clusters with the root cause, without a reload', async () => {
    await page.getByText('No clusters found.').waitFor();
    await plane.create(...clusterManifests({ name: 'shipyard', controlPlanes: 3, workers: 2 }));
    await plane.create(...clusterManifests({ name: 'harbour', broken: true }));
    await plane.create(...clusterManifests({ name: 'drydock', startup: '3600s' }));
    await row('shipyard').getByText('Available', { exact: true }).waitFor(waitOptions);
    await row('harbour').getByText('Not available', { exact: true }).waitFor(waitOptions);
    await row('harbour')
      .getByText('references DevMachineTemplate default/harbour-gone, which does not exist')
      .waitFor();
    await row('drydock').getByText('In progress').waitFor(waitOptions);
    await row('drydock').getByText('Waiting for the simulated startup').waitFor(waitOptions);
    // The cluster is Available before its last worker is ready.
    await expect.poll(() => row('shipyard').innerText(), waitOptions).toMatch(/v1\.35\.0[^]*Dev[^]*3\/3[^]*2\/2/);
    await takeScreenshot(page, 'fleet', 420);
  });

  it('searches, filters, groups and sorts the fleet, and keeps the choices in the URL', async () => {
    await page.getByRole('searchbox').fill('harbour-gone');
    await expect.poll(() => page.locator('.row.cluster').count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /^In progress/ }).click();
    await expect.poll(() => page.url()).toContain('filter=coming');
    await expect.poll(() => page.locator('.row.cluster').count()).toBe(1);
    await page.getByText('1 of 3 clusters are shown').waitFor({ state: 'attached' });
    // Every navigation shows the choices of the URL.
    await page.getByRole('link', { name: 'Fleet' }).click();
    await expect.poll(() => page.locator('.row.cluster').count()).toBe(3);
    await page.goBack();
    await expect.poll(() => page.locator('.row.cluster').count()).toBe(1);
    await page.getByRole('button', { name: /^All/ }).click();
    await page.getByRole('combobox', { name: 'Group' }).selectOption('state');
    await expect
      .poll(() => page.locator('.row.group').allInnerTexts())
      .toEqual([
        expect.stringContaining('Not available'),
        expect.stringContaining('In progress'),
        expect.stringContaining('Available'),
      ]);
    await page.getByRole('combobox', { name: 'Group' }).selectOption('none');
    await page.getByRole('columnheader', { name: 'Cluster' }).getByRole('button').click();
    await expect
      .poll(() => page.locator('.row.cluster .name a').allInnerTexts())
      .toEqual(['drydock', 'harbour', 'shipyard']);
  });

  it('supports navigation by keyboard alone', async () => {
    await page.locator('.row.cluster .name a').first().focus();
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('shipyard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'shipyard' }).waitFor();
    expect(page.url()).toContain(shipyard);
    await expect.poll(() => page.title()).toBe('shipyard in default – Slipway');
    await page.goBack();
    await expect.poll(focused).toBe('shipyard');
    await expect.poll(() => page.title()).toBe('Fleet – Slipway');
    // A user who types must keep the focus.
    await page.getByRole('searchbox').pressSequentially('yard');
    await expect.poll(() => page.locator('.row.cluster').count()).toBe(1);
    expect(await page.getByRole('searchbox').inputValue()).toBe('yard');
    await page.getByRole('searchbox').fill('');
  });

  it('keeps the keyboard focus on its cluster while other clusters are created and deleted', async () => {
    await page.locator('.row.cluster .name a').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('harbour');
    await plane.create(...clusterManifests({ name: 'anchor', workers: 0 }));
    await row('anchor').getByText('Available', { exact: true }).waitFor(waitOptions);
    expect(await focused()).toBe('harbour');
    await page.keyboard.press('Home');
    await expect.poll(focused).toBe('anchor');
    await plane.client.delete(clusters, { namespace: 'default', name: 'anchor' });
    await row('anchor').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('drydock');
  });

  it('explains an unhealthy cluster: root cause, path to it, evidence and next commands', async () => {
    await goTo('/console/clusters/default/harbour');
    const panel = page.getByRole('region', { name: 'Blocked: action required' });
    await panel.getByText('references DevMachineTemplate default/harbour-gone').first().waitFor();
    await panel.getByText('waits for its workers').waitFor();
    await panel.getByText('Next commands').click();
    expect(await panel.locator('.commands').innerText()).toContain('kubectl');
    await takeScreenshot(page, 'why');
  });

  it('draws the ownership graph and keeps the positions of objects when others are added', async () => {
    await goTo(`${shipyard}/graph`);
    const nodes = page.locator('.graph svg .node');
    await page.locator('.node.machine').nth(4).waitFor();
    const places = (): Promise<Record<string, string>> =>
      nodes.evaluateAll((all) =>
        Object.fromEntries(
          (
            all as {
              querySelector(name: string): { getAttribute(name: string): string };
              getAttribute(name: string): string;
            }[]
          ).map((node) => [node.querySelector('a').getAttribute('data-key'), node.getAttribute('transform')]),
        ),
      );
    const before = await places();
    expect(await page.locator('.node.machine').first().locator('.chip-part').allInnerTexts()).toHaveLength(3);
    expect(await page.locator('.node.template').count()).toBe(2);
    await takeScreenshot(page, 'graph');
    const workers = { namespace: 'default', name: 'shipyard-workers' };
    await plane.merge(machineDeployments, workers, { spec: { replicas: 3 } });
    await page.locator('.node.machine').nth(5).waitFor(waitOptions);
    expect(await places()).toMatchObject(before);
  });

  it('shows the objects as a tree with their conditions', async () => {
    await tab('Overview');
    const tree = page.getByRole('list', { name: 'Objects of the cluster' });
    await tree.getByText('KubeadmControlPlane').first().waitFor();
    await tree
      .getByRole('button', { name: /conditions/ })
      .first()
      .click();
    await expect.poll(() => tree.getByText('ControlPlaneInitialized').isVisible()).toBe(true);
    await takeScreenshot(page, 'cluster');
  });

  it('shows any object as YAML with managed fields collapsed, and the differences between two versions', async () => {
    await page.getByRole('link', { name: 'KubeadmControlPlane shipyard' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'KubeadmControlPlane shipyard' });
    const yaml = await drawer.locator('pre.yaml').first().innerText();
    expect(yaml).toContain('kind: KubeadmControlPlane');
    expect(yaml).not.toContain('managedFields');
    expect(await drawer.getByText('managedFields:').isVisible()).toBe(false);
    await drawer.getByRole('heading', { name: 'Changes' }).waitFor();
    await drawer.getByLabel('From').selectOption({ index: 2 });
    await expect.poll(() => drawer.locator('.diff .added').count()).toBeGreaterThan(0);
    await expect.poll(() => drawer.locator('.diff .removed').count()).toBeGreaterThan(0);
    await takeScreenshot(page, 'object', 560);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('shows the timeline of the cluster, and moves back in time', async () => {
    await tab('Timeline');
    const lanes = page.getByRole('list', { name: 'Timelines of controllers and machines' });
    await lanes.getByText('KubeadmControlPlane').waitFor();
    await page.getByText('Critical path').waitFor();
    await expect.poll(() => page.locator('.critical-path li').count()).toBeGreaterThan(4);
    await takeScreenshot(page, 'timeline');
    await page.getByRole('slider').fill('0');
    await expect.poll(() => lanes.getByText('not started').count()).toBeGreaterThan(2);
    await page.getByRole('button', { name: 'Now' }).click();
    await expect.poll(() => lanes.getByText('not started').count()).toBe(0);
  });

  it('lists machines, certificates and events, and downloads the kubeconfig', async () => {
    await tab('Machines');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(6);
    await tab('Certificates');
    await page.getByText('etcd CA').waitFor();
    await page.getByText('3649d').first().waitFor();
    await tab('Events');
    await page.getByRole('cell', { name: 'SuccessfulSetNodeRef' }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Kubeconfig' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('shipyard.kubeconfig');
    expect(await readFile(await download.path(), 'utf8')).toContain('current-context: ');
  });

  it('plans a manifest before applying it, and applies it', slow, async () => {
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    const [, , object] = clusterManifests({ name: 'shipyard', controlPlanes: 3, version: 'v1.35.1' });
    const metadata = { ...shipyardKey, labels: { 'cluster.x-k8s.io/cluster-name': 'shipyard' } };
    // The cluster name label limits the plan to this cluster.
    const controlPlane = { ...object, metadata };
    await page.getByLabel('Manifest').fill(stringifyYaml(controlPlane as never));
    expect(await page.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('v1.35.0 → v1.35.1').first().waitFor({ timeout: 90_000 });
    expect(await page.locator('.plan-summary').innerText()).toMatch(/3\s+replace/);
    await takeScreenshot(page, 'plan');
    await page.getByLabel('Manifest').fill('kind: [');
    await page.getByText('plan it again').waitFor();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.locator('.problem').getByText('the manifest').waitFor();
    const template = { ...clusterManifests({ name: 'lighthouse' })[4], metadata: { ...metadata, name: 'lighthouse' } };
    await page.getByLabel('Manifest').fill(JSON.stringify(template));
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('1 other objects').waitFor({ timeout: 90_000 });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Applied KubeadmConfigTemplate default/lighthouse.').waitFor();
  });

  it('shows the infrastructure of the clusters', async () => {
    await page.getByRole('link', { name: 'Infrastructure' }).click();
    await page.getByText('DevMachine', { exact: false }).first().waitFor();
    await expect.poll(() => page.getByRole('cell', { name: /^shipyard-workers/ }).count()).toBe(3);
  });

  it('is accessible in light and dark mode, and in wide and narrow windows', slow, async () => {
    const paths = ['/console/', shipyard, `${shipyard}/graph`, `${shipyard}/timeline`, `${shipyard}/machines`];
    const others = ['/console/clusters/default/harbour', '/console/plan', '/console/infrastructure'];
    const findings: string[] = [];
    for (const look of [{ width: 1_280 }, { width: 390, dark: true }]) {
      const other = await testConsole.open('/console/', look);
      for (const path of [...paths, ...others]) {
        await other.page.goto(`${testConsole.url}${path}`);
        await other.page.locator('header.head').waitFor();
        await other.page.locator('h1').first().waitFor();
        await other.page.waitForLoadState('load');
        await other.page.locator('.empty[aria-busy=true]').waitFor({ state: 'detached' });
        findings.push(...(await seriousFindings(other.page)).map((text) => `${path} ${look.width}: ${text}`));
        if (await overflows(other.page)) findings.push(`${path} ${look.width}: wider than the window`);
      }
      if (look.dark === true) {
        await other.page.goto(`${testConsole.url}/console/`);
        await other.page.locator('.row.cluster').first().waitFor();
        await takeScreenshot(other.page, 'fleet-phone');
      }
      await other.context.close();
    }
    expect(findings).toEqual([]);
  });

  it('signs in by a link even if the page is reloaded before the response arrives', async () => {
    const other = await testConsole.open('/console/', {
      before: async (page) => {
        const signIn = '**/console/api/sign-in';
        await page.route(signIn, async (route) => {
          await route.fetch();
          await page.unroute(signIn);
          void page.reload().catch(() => undefined);
        });
      },
    });
    await other.page.locator('.row.cluster').first().waitFor();
    expect(other.page.url()).not.toContain('#code');
    await other.context.close();
  });

  it('offers and performs only actions that the management cluster allows', async () => {
    const token = await viewerToken(plane);
    const context = await testConsole.browser.newContext();
    const other = await context.newPage();
    await other.goto(`${testConsole.url}/console/`);
    await other.getByLabel('Token').fill('not a token');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').getByText('does not accept this token').waitFor();
    await other.getByLabel('Token').fill(token);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('system:serviceaccount:default:viewer').waitFor();
    await other.goto(`${testConsole.url}${shipyard}`);
    await other.getByRole('button', { name: 'Scale' }).waitFor();
    expect(await other.locator('.actions button:enabled').count()).toBe(0);
    expect(await other.locator('.actions button').count()).toBe(4);
    expect(await other.getByRole('link', { name: 'Kubeconfig' }).count()).toBe(0);
    const response = await other.evaluate(async () => {
      const { csrf } = (await (await fetch('/console/api/session')).json()) as { csrf: string };
      const of = { group: 'cluster.x-k8s.io', kind: 'Cluster', namespace: 'default', name: 'shipyard' };
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf };
      const body = JSON.stringify({ action: 'delete', of });
      return (await fetch('/console/api/action', { method: 'POST', headers, body })).status;
    });
    expect(response).toBe(403);
    await context.close();
  });

  it('scales, pauses and resumes a cluster', async () => {
    await goTo(shipyard);
    await page.getByRole('button', { name: 'Scale' }).click();
    const dialog = page.getByRole('dialog', { name: 'Scale' });
    await dialog.getByLabel('Target').selectOption({ label: 'MachineDeployment shipyard-workers (3, v1.35.0)' });
    await dialog.getByLabel('Machines').fill('1');
    await dialog.getByRole('button', { name: 'Scale to 1' }).click();
    await page.getByText('shipyard-workers is being scaled to 1 replicas.').waitFor();
    await page.locator('.facts').getByText('1/1').waitFor(waitOptions);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.cluster-title').getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect
      .poll(() => page.locator('.cluster-title').getByText('Paused', { exact: true }).count(), waitOptions)
      .toBe(0);
  });

  it('shows a lost connection and reconnects by itself', async () => {
    await goTo('/console/');
    await row('shipyard').waitFor();
    await testConsole.cut();
    await page.getByRole('alert').getByText('may be outdated').waitFor(waitOptions);
    await page.getByRole('status').getByText('Not live').waitFor();
    await takeScreenshot(page, 'lost', 420);
    await plane.merge(clusters, { namespace: 'default', name: 'drydock' }, { spec: { paused: true } });
    await testConsole.restore();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor(waitOptions);
    await row('drydock').getByText('Paused', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('alert').count(), waitOptions).toBe(0);
  });

  testConnections(fixture);
  testActions(fixture);
  testUsers(fixture);
  testInfrastructure(fixture);

  it('lists the dependents before it deletes a cluster, and shows nothing of it afterwards', async () => {
    await goTo(shipyard);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete shipyard' });
    expect(await dialog.innerText()).toMatch(/Machine[^]*Secret[^]*shipyard-kubeconfig/);
    await takeScreenshot(page, 'delete');
    expect(await dialog.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type shipyard to confirm').fill('shipyard');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('Cluster shipyard not found in namespace default.').waitFor(waitOptions);
    expect(await page.getByText('v1.35.0').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to all clusters' }).click();
    await row('harbour').waitFor();
    expect(await row('shipyard').count()).toBe(0);
  });

  it('logged no errors in the page except for the lost connection', () => {
    expect(open.problems.filter((text) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|422|net::/.test(text))).toEqual([]);
  });
});
