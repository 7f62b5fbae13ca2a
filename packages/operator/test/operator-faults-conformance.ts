import { gunzipSync } from 'node:zlib';
import type { KubeObject } from '@slipway/kube';
import {
  type Client,
  clusterRoles,
  configMaps,
  deployments,
  getCondition,
  isConditionTrue,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { untilObject, untilObjectGone } from '@slipway/testing/plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerResources } from '../src/index.js';
import { operatorAnnotations } from '../src/api/index.js';
import {
  core,
  isReady,
  keyOf,
  managerKey,
  type Named,
  namespaceOf,
  OperatorFixture,
  runs,
  hasReason,
} from './operator-fixture.js';
import { ensureNamespace, inventoryEntries, isAbsent, type OperatorUnderTest } from './operator-under-test.js';
import { kindOf } from './stock-release.js';

const hash = operatorAnnotations.appliedSpecHash;
const infra = (name: string): Named => ({ name, type: 'InfrastructureProvider' });
const cacheKey = (of: Named, version: string): { namespace: string; name: string } => ({
  namespace: namespaceOf(of),
  name: `infrastructure-${of.name}-${version}-cache`,
});

/** Tests of provider failures, and of edge cases of upstream. */
export function operatorFaultsConformance(name: string, start: () => Promise<OperatorUnderTest>): void {
  describe(`the provider operator ${name}, with failures,`, () => {
    let operator: OperatorUnderTest;
    let client: Client;
    let fixture: OperatorFixture;
    beforeAll(async () => {
      operator = await start();
      client = operator.client;
      fixture = new OperatorFixture(client);
      await fixture.installCore();
    });
    afterAll(() => operator?.stop());

    async function installed(of: Named, version = 'v1.0.0', spec = {}): Promise<void> {
      await fixture.provide({ ...of, version });
      await fixture.create(of, spec);
      await fixture.reaches(of, runs(version));
    }

    async function cached(of: Named, version: string): Promise<readonly KubeObject[]> {
      const { data = {}, metadata } = await client.get(secrets, cacheKey(of, version));
      const bytes = Buffer.from(data['cache'] ?? '', 'base64');
      const isCompressed = metadata.annotations?.[operatorAnnotations.compressed] === 'true';
      return JSON.parse((isCompressed ? gunzipSync(bytes) : bytes).toString('utf8')) as KubeObject[];
    }

    it('records the selected version and renders once [operators 4, 6, 13, 18]', async () => {
      const of = infra('once');
      await installed(of);
      const before = await client.get(secrets, cacheKey(of, 'v1.0.0'));
      await fixture.breakAndRepair(of);
      const after = await client.get(secrets, cacheKey(of, 'v1.0.0'));
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
      expect((await fixture.reaches(of, isReady)).spec?.version).toBe('v1.0.0');
      expect(before).not.toHaveProperty('stringData');
      const kinds = (await cached(of, 'v1.0.0')).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'Namespace')).toHaveLength(1);
    });

    it('keeps installed components while a preflight check fails [operators 2]', async () => {
      const of = infra('twin');
      await installed(of);
      await fixture.create(of, {}, 'elsewhere');
      const twin = { namespace: 'elsewhere', name: of.name };
      await untilObject(
        client,
        providerResources[of.type],
        twin,
        hasReason('PreflightCheckPassed', 'MoreThanOneExists'),
      );
      await fixture.breakAndRepair(of);
      const reported = await fixture.reaches(of, hasReason('PreflightCheckPassed', 'MoreThanOneExists'));
      expect(getCondition(reported, 'PreflightCheckPassed')?.message).toContain(
        'delete this one or InfrastructureProvider elsewhere/twin',
      );
      await client.delete(providerResources[of.type], twin);
      await untilObjectGone(client, providerResources[of.type], twin);
      // Deleting the duplicate keeps the objects of the other provider.
      const role = { namespace: '', name: 'infrastructure-twin-manager-role' };
      expect(await isAbsent(client, clusterRoles, role)).toBe(false);
      await fixture.reaches(of, hasReason('PreflightCheckPassed', 'PreflightChecksPassed'));
    });

    it('trusts a hash only if both the Secret and the provider have it [operators 3]', async () => {
      const of = infra('both');
      await installed(of);
      const resource = providerResources[of.type];
      const desired = (await client.get(resource, keyOf(of))).metadata.annotations?.[hash];
      await fixture.patch(resource, keyOf(of), { metadata: { annotations: { [hash]: null } } });
      await fixture.reaches(of, ({ metadata }) => metadata.annotations?.[hash] === desired);
      const key = cacheKey(of, 'v1.0.0');
      await fixture.patch(secrets, key, { metadata: { annotations: { [hash]: null } } });
      await fixture.breakAndRepair(of);
      const again = await untilObject(client, secrets, key, ({ metadata }) => metadata.annotations?.[hash] === desired);
      expect(desired).toMatch(/^[0-9a-f]{64}$/);
      expect(again.data).toBeDefined();
    });

    it('reads ConfigMaps of several versions on every reconcile [operators 5]', async () => {
      const of = infra('catalogue');
      await fixture.provide({ ...of, version: 'v1.2.0' });
      await fixture.provide({ ...of, version: 'v1.10.0' });
      await fixture.create(of);
      await fixture.reaches(of, runs('v1.10.0'));
      await fixture.breakAndRepair(of);
      await fixture.change(of, { manager: { verbosity: 6 } });
      const changed = await untilObject(client, deployments, managerKey(of), ({ spec }) =>
        (spec?.template.spec?.containers[0]?.args ?? []).includes('--v=6'),
      );
      expect(changed.metadata.namespace).toBe('catalogue-system');
    });

    it('allows a patch-level downgrade [operators 8]', async () => {
      const of = infra('patch');
      await installed(of, 'v1.0.2');
      await fixture.provide({ ...of, version: 'v1.0.1' });
      await fixture.change(of, { version: 'v1.0.1' });
      const after = await fixture.reaches(of, runs('v1.0.1'));
      expect(isConditionTrue(after, 'ProviderUpgraded')).toBe(true);
    });

    it('reports two ConfigMaps of one version, and recovers when one is deleted', async () => {
      const of = infra('ambiguous');
      await fixture.provide({ ...of, version: 'v1.0.0' });
      const [map] = (await client.list(configMaps, { namespace: 'ambiguous-system', labelSelector: 'release=stock' }))
        .items;
      const { labels = {} } = map?.metadata ?? {};
      const twin = { namespace: 'ambiguous-system', name: 'twin' };
      const metadata = { ...twin, labels: { ...labels } };
      const { metadata: text = '', components = '' } = map?.data ?? {};
      await client.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { metadata: text, components },
      });
      await fixture.create(of);
      const refused = await fixture.reaches(of, hasReason('ProviderInstalled', 'ComponentsFetchError'));
      expect(getCondition(refused, 'ProviderInstalled')?.message).toContain('both contain version v1.0.0: remove one');
      await client.delete(configMaps, twin);
      await fixture.reaches(of, runs('v1.0.0'));
    });

    it('reports all unset variables, and recovers when the Secret has them', async () => {
      const of = infra('variables');
      const more = [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'settings', namespace: 'stock-system', labels: { checked: '${LABEL}' } },
          data: { token: '${TOKEN}' },
        },
      ];
      await fixture.provide({ ...of, version: 'v1.0.0', more });
      await fixture.create(of, { configSecret: { name: 'variables' } });
      await fixture.reaches(of, hasReason('PreflightCheckPassed', 'ConfigSecretNotFound'));
      const secret = { namespace: namespaceOf(of), name: 'variables' };
      const encoded = (text: string): string => Buffer.from(text).toString('base64');
      await client.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: secret,
        data: { 'github-token': encoded('no request is sent') },
      });
      const missing = await fixture.reaches(of, hasReason('ProviderInstalled', 'ComponentsFetchError'));
      expect(getCondition(missing, 'ProviderInstalled')?.message).toBe(
        'value for variables [LABEL, TOKEN] is not set for InfrastructureProvider variables-system/variables; add them to Secret variables-system/variables',
      );
      const secretLabel = 'not a label!';
      await fixture.patch(secrets, secret, {
        data: { TOKEN: encoded('first'), LABEL: encoded(secretLabel) },
      });
      const refused = await fixture.reaches(of, hasReason('ProviderInstalled', 'InstallFailed'));
      const { message = '' } = getCondition(refused, 'ProviderInstalled') ?? {};
      expect(message).toContain('1 of 12 objects failed to apply: ConfigMap settings');
      expect(message).not.toContain(secretLabel);
      await fixture.patch(secrets, secret, { data: { LABEL: encoded('fine') } });
      await fixture.reaches(of, runs('v1.0.0'));
      // A later change of a value is applied.
      await fixture.patch(secrets, secret, { data: { TOKEN: encoded('second') } });
      const settings = { namespace: namespaceOf(of), name: 'settings' };
      expect(
        (await untilObject(client, configMaps, settings, ({ data }) => data?.['token'] === 'second')).data,
      ).toBeDefined();
    });

    it('installs custom resources of a CRD in the same manifest, and follows edits of additional manifests [operators 15]', async () => {
      const of = infra('more');
      const namespace = namespaceOf(of);
      await ensureNamespace(client, namespace);
      const thing = (size: string): string =>
        JSON.stringify({ apiVersion: 'things.x-k8s.io/v1', kind: kindOf(of), metadata: { name: 'mine' }, size });
      await client.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'extra', namespace },
        data: { manifests: thing('small') },
      });
      await installed(of, 'v1.0.0', { additionalManifests: { name: 'extra' } });
      const group = { group: 'things.x-k8s.io', version: 'v1', kind: kindOf(of) };
      const things = (await client.resourceFor(group)) as Resource;
      await untilObject(client, things, { namespace, name: 'mine' }, (object) => object['size'] === 'small');
      await fixture.patch(
        configMaps as Resource,
        { namespace, name: 'extra' },
        { data: { manifests: thing('large') } },
      );
      const changed = await untilObject(
        client,
        things,
        { namespace, name: 'mine' },
        (object) => object['size'] === 'large',
      );
      expect(changed.metadata.labels).toMatchObject({ 'cluster.x-k8s.io/provider': 'infrastructure-more' });
    });

    it('installs manifests larger than 1 MB [operators 17]', async () => {
      const of = infra('large');
      // Random data is as incompressible as certificates, so that it is split into parts.
      const noise = (seed: number): string =>
        Array.from({ length: 9_000 }, (_, at) => Math.imul(at + 1, 2_654_435_761 ^ seed).toString(36)).join('');
      const more = Array.from({ length: 30 }, (_, index) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `data-${index}`, namespace: 'stock-system' },
        data: { noise: noise(index * 7_919) },
      }));
      await fixture.provide({ ...of, version: 'v1.0.0', more });
      const { items } = await client.list(configMaps, { namespace: 'large-system', labelSelector: 'release=stock' });
      expect(items.every(({ metadata }) => metadata.annotations?.[operatorAnnotations.compressed] === 'true')).toBe(
        true,
      );
      expect(items.length).toBeGreaterThan(1);
      await fixture.create(of);
      await fixture.reaches(of, runs('v1.0.0'));
      const last = { namespace: 'large-system', name: 'data-29' };
      await client.delete(configMaps, last);
      const mended = await untilObject(client, configMaps, last, () => true);
      expect(mended.data?.['noise']).toBe(noise(29 * 7_919));
    });

    it('reports a stalled upgrade, and another operator process completes it [operators 20]', async () => {
      const of = infra('stuck');
      await installed(of);
      await fixture.patch(deployments, managerKey(of), {
        metadata: { annotations: { 'test/stuck': 'yes' } },
      });
      await fixture.provide({ ...of, version: 'v1.1.0' });
      await fixture.change(of, { version: 'v1.1.0' });
      const waiting = await fixture.reaches(of, hasReason('Ready', 'UpgradeInProgress'));
      expect(getCondition(waiting, 'Ready')?.status).toBe('Unknown');
      expect(waiting.status?.installedVersion).toBe('v1.0.0');
      await untilObject(client, deployments, managerKey(of), ({ spec }) => spec?.replicas === 0);
      await operator.restart();
      const nothing = { replicas: 0, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
      await fixture.patch(deployments, managerKey(of), { status: nothing }, 'status');
      const after = await fixture.reaches(of, runs('v1.1.0'));
      expect(isConditionTrue(after, 'ProviderUpgraded')).toBe(true);
    });

    it('does not upgrade the core beyond the contracts of other providers [operators 9]', async () => {
      const old = infra('old');
      await fixture.provide({ ...old, version: 'v1.0.0', contract: 'v1beta1' });
      await fixture.create(old);
      expect((await fixture.reaches(old, runs('v1.0.0'))).status?.contract).toBe('v1beta1');
      const foreign = { namespace: 'default', name: 'infrastructure-foreign' };
      await client.create(inventoryEntries, {
        apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3',
        kind: 'Provider',
        metadata: foreign,
        providerName: 'foreign',
        type: 'InfrastructureProvider',
        version: 'v1.0.0',
      });
      await fixture.provide({ ...core, version: 'v1.14.0' });
      await fixture.change(core, { version: 'v1.14.0' });
      const refused = await fixture.reaches(core, hasReason('ProviderUpgraded', 'ComponentsUpgradeError'));
      expect(getCondition(refused, 'ProviderUpgraded')?.message).toContain(
        'config map not found: cannot determine which contract InfrastructureProvider default/foreign implements',
      );
      expect((await fixture.manager(core)).spec?.template.spec?.containers[0]?.image).toContain('v1.13.0');
      await client.delete(inventoryEntries, foreign);
      await fixture.reaches(core, runs('v1.14.0'));
    });

    it('deletes a core only after all other providers', async () => {
      await client.delete(providerResources[core.type], keyOf(core));
      const held = await fixture.reaches(core, hasReason('ProviderInstalled', 'OtherProvidersInstalled'));
      expect(getCondition(held, 'ProviderInstalled')?.message).toContain('require the CoreProvider; delete them first');
      const resource = providerResources['InfrastructureProvider'];
      const { items } = await client.list(resource);
      for (const each of items)
        await client.delete(resource, { namespace: each.metadata.namespace ?? '', name: each.metadata.name ?? '' });
      for (const { metadata } of items)
        await untilObjectGone(client, resource, {
          namespace: metadata.namespace ?? '',
          name: metadata.name ?? '',
        });
      await untilObjectGone(client, providerResources[core.type], keyOf(core));
      const { items: left } = await client.list(deployments, { labelSelector: 'cluster.x-k8s.io/provider' });
      expect(left).toEqual([]);
    });
  });
}
