import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminKubeconfig, type ObjectStore } from '@slipway/apiserver';
import type { Explanation } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slipway } from '../../packages/cli/test/support/command.js';
import { type LivePlane, startLivePlane } from '../../packages/console/test/support/live-plane.js';
import { startTestConsole, type TestConsole } from '../../packages/console/test/support/test-console.js';
import { situations } from '../situations/catalogue/index.js';
import { type Draft, nowMs } from '../situations/draft.js';
import { pluralOf, situationObjects } from '../situations/states.js';

/** The situations of Clusters, each with a separate Cluster in a separate namespace. */
const placed = situations
  .filter(({ subject }) => subject === undefined)
  .map((situation, index) => ({ situation, name: `c${index}`, namespace: `situation-${index}`, row: situation.name }));

const shiftMs = Date.now() - nowMs;

/** Returns the objects with times relative to now, and uids that are unique on the server. */
function objectsOf({ situation, name, namespace }: (typeof placed)[number]): Draft[] {
  const { provider = 'dev', stage } = situation;
  const text = JSON.stringify(situationObjects(situation, { name, namespace, provider, stage }))
    .replaceAll(/"uid":"([^"]*)"/g, `"uid":"${namespace} $1"`)
    .replaceAll(/"(\d{4}-\d\d-\d\dT[\d:]+Z)"/g, (_all, time: string) =>
      JSON.stringify(new Date(Date.parse(time) + shiftMs).toISOString().replace(/\.\d+Z/, 'Z')),
    );
  return JSON.parse(text) as Draft[];
}

const all = placed.flatMap(objectsOf);
const groupOf = ({ apiVersion }: Draft): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

async function seed(store: ObjectStore): Promise<void> {
  for (const object of all) {
    const group = groupOf(object);
    const { namespace = '', name = '' } = object.metadata;
    const resource = group === '' ? pluralOf(object.kind) : `${group}/${pluralOf(object.kind)}`;
    await store.commit({ key: { resource, namespace, name }, expected: 0, object: object as KubeObject });
  }
}

/** Creates CRDs without schema for the kinds that the plane does not serve. */
async function createDefinitions(plane: LivePlane): Promise<void> {
  const kinds = new Map(all.map((object) => [`${object.kind}.${groupOf(object)}`, object]));
  for (const object of kinds.values()) {
    const group = groupOf(object);
    if (group === '' || (await plane.client.resourceFor({ group, kind: object.kind })) !== undefined) continue;
    const plural = pluralOf(object.kind);
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const name = object.apiVersion.split('/')[1];
    await plane.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}`, labels: { 'cluster.x-k8s.io/v1beta2': name } },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: object.kind, plural, singular: object.kind.toLowerCase(), listKind: `${object.kind}List` },
        versions: [{ name, served: true, storage: true, schema }],
      },
    });
  }
}

/** Returns the text as a browser shows it. */
const shown = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

describe('the console in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'situations-'));
  const kubeconfig = join(folder, 'kubeconfig');
  let plane: LivePlane;
  let testConsole: TestConsole;
  let page: Page;

  beforeAll(async () => {
    plane = await startLivePlane({ controllers: false, seed });
    await createDefinitions(plane);
    writeFileSync(kubeconfig, adminKubeconfig(plane.identity, 'test', plane.connection.server), { mode: 0o600 });
    testConsole = await startTestConsole(plane.connection);
    ({ page } = await testConsole.open());
    await page.locator('.row.cluster').first().waitFor();
  });
  afterAll(async () => {
    await testConsole?.stop();
    await plane?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(placed)('shows the root cause of slipway why: $row', async ({ name, namespace }) => {
    const args = ['why', `cluster/${name}`, '-n', namespace, '-o', 'json', '--kubeconfig', kubeconfig];
    const { root } = JSON.parse((await slipway(...args)).stdout) as Explanation;
    if (root === undefined) throw new Error('slipway why reports no cause');
    await page.goto(`${testConsole.url}/console/clusters/${namespace}/${name}`);
    const cause = page.locator('.why-panel > .cause');
    await cause.waitFor();
    const { kind, name: at } = root.object;
    expect(shown(await cause.locator('.cause-message').innerText())).toBe(shown(`${kind} ${at}: ${root.message}`));
    expect(shown(await cause.locator('.means').innerText())).toBe(shown(`${root.means} ${root.remedy}`));
    expect(shown((await cause.locator('.commands').textContent()) ?? '')).toBe(shown(root.next.join(' ')));
  });

  it('shows the root causes in the fleet list', async () => {
    await page.goto(`${testConsole.url}/console/`);
    await page.locator('.row.cluster').first().waitFor();
    for (const { name, row } of placed.filter(({ situation }) => isReported(situation))) {
      await page.getByRole('searchbox').fill(name);
      const shownRow = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
      // Explanations are computed one after another.
      await expect.poll(() => shownRow.innerText(), { message: row }).toMatch(/Not available|Blocked|Paused|Deleting/);
    }
  });
});

/** Returns whether a user has to act, and an object that the fleet list watches reports it. */
function isReported({ name, expect: expected }: (typeof situations)[number]): boolean {
  return expected.exitCode === 1 && !name.includes('the control plane has not noticed');
}
