import {
  type Client,
  clusterRoles,
  customResourceDefinitions,
  deployments,
  getCondition,
  isConditionTrue,
  type Resource,
  secrets,
  serviceAccounts,
  validatingWebhookConfigurations,
} from '@slipway/runtime';
import { untilObject, untilObjectGone } from '@slipway/testing/plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerResources } from '../src/index.js';
import { brokenImage } from './simulated-deployments.js';
import { core, isReady, keyOf, managerKey, OperatorFixture, runs, hasReason } from './operator-fixture.js';
import { inventoryEntries, isAbsent, type OperatorUnderTest, untilEvents } from './operator-under-test.js';
import { kindOf } from './stock-release.js';

const infra = { name: 'pond', type: 'InfrastructureProvider' } as const;

/** Tests of the provider operator without a network: all manifests are in ConfigMaps. */
export function operatorConformance(name: string, start: () => Promise<OperatorUnderTest>): void {
  describe(`the provider operator ${name}`, () => {
    let operator: OperatorUnderTest;
    let client: Client;
    let fixture: OperatorFixture;
    beforeAll(async () => {
      operator = await start();
      client = operator.client;
      fixture = new OperatorFixture(client);
    });
    afterAll(() => operator?.stop());

    it('makes other providers wait for the core and records the selected version [operators 6, operators 7]', async () => {
      await fixture.provide({ ...infra, version: 'v1.0.0' });
      await fixture.create(infra);
      const waiting = await fixture.reaches(infra, hasReason('PreflightCheckPassed', 'WaitingForCoreProviderReady'));
      expect(getCondition(waiting, 'PreflightCheckPassed')?.message).toBe(
        'Waiting for the CoreProvider to be installed.',
      );
      await fixture.provide({ ...core, version: 'v1.13.0' });
      await fixture.create(core, { version: 'v1.13.0' });
      await fixture.reaches(core, runs('v1.13.0'));
      const ready = await fixture.reaches(infra, runs('v1.0.0'));
      expect(ready.spec?.version).toBe('v1.0.0');
      expect(ready.status?.contract).toBe('v1beta2');
      expect(getCondition(ready, 'Ready')?.reason).toBe('MinimumReplicasAvailable');
    });

    it('installs components into the namespace of the provider', async () => {
      const { metadata } = await fixture.reaches(infra, isReady);
      const deployment = await fixture.manager(infra);
      expect(deployment.metadata.ownerReferences).toEqual([
        { apiVersion: 'operator.cluster.x-k8s.io/v1alpha2', kind: infra.type, name: infra.name, uid: metadata.uid },
      ]);
      expect(deployment.metadata.labels).toMatchObject({
        'clusterctl.cluster.x-k8s.io': '',
        'cluster.x-k8s.io/provider': 'infrastructure-pond',
      });
      const hook = await client.get(validatingWebhookConfigurations, {
        namespace: '',
        name: 'infrastructure-pond-validating-webhook-configuration',
      });
      expect(hook.webhooks?.[0]?.clientConfig.service?.namespace).toBe('pond-system');
      expect(hook.metadata.annotations).toMatchObject({
        'cert-manager.io/inject-ca-from': 'pond-system/infrastructure-pond-serving-cert',
      });
      expect(hook.metadata.ownerReferences).toBeUndefined();
      expect(
        await client.get(inventoryEntries, { namespace: 'pond-system', name: 'infrastructure-pond' }),
      ).toMatchObject({ providerName: 'pond', version: 'v1.0.0' });
    });

    it('updates the Deployment when the spec changes', async () => {
      await fixture.change(infra, {
        deployment: { replicas: 2, containers: [{ name: 'manager', imageUrl: 'mirror.test/pond:v9' }] },
        manager: { featureGates: { MachinePool: false, Other: true }, verbosity: 5 },
        patches: [{ patch: 'metadata: { annotations: { patched: "yes" } }', target: { kind: 'Deployment' } }],
      });
      const after = await untilObject(
        client,
        deployments,
        managerKey(infra),
        ({ metadata }) => metadata.annotations?.['patched'] === 'yes',
      );
      expect(after.spec?.replicas).toBe(2);
      expect(after.spec?.template.spec?.containers[0]).toMatchObject({
        image: 'mirror.test/pond:v9',
        args: ['--leader-elect', '--feature-gates=MachinePool=false,Other=true', '--v=5'],
      });
    });

    it('reports an image that cannot be pulled, and recovers when it is fixed', async () => {
      const image = (imageUrl: string): object => ({ deployment: { containers: [{ name: 'manager', imageUrl }] } });
      await fixture.change(infra, image(brokenImage));
      const broken = await fixture.reaches(infra, hasReason('Ready', 'MinimumReplicasUnavailable'));
      expect(isConditionTrue(broken, 'ProviderInstalled')).toBe(true);
      await fixture.change(infra, image('mirror.test/pond:v9'));
      await fixture.reaches(infra, isReady);
    });

    it('reverts changes of components by others', async () => {
      const role = { namespace: '', name: 'infrastructure-pond-manager-role' };
      await client.delete(clusterRoles, role);
      await untilObject(client, clusterRoles, role, () => true);
      await client.delete(deployments, managerKey(infra));
      await untilObject(client, deployments, managerKey(infra), () => true);
      const patch = { spec: { replicas: 7 } };
      await client.patch(deployments as Resource, managerKey(infra), { type: 'merge', patch });
      const mended = await untilObject(client, deployments, managerKey(infra), ({ spec }) => spec?.replicas === 2);
      expect(mended.metadata.annotations?.['patched']).toBe('yes');
    });

    it('upgrades and deletes components that the new version does not have', async () => {
      const { uid } = (await fixture.manager(infra)).metadata;
      await fixture.provide({ ...infra, version: 'v1.1.0' });
      await fixture.change(infra, { version: 'v1.1.0', deployment: null });
      const after = await fixture.reaches(infra, runs('v1.1.0'));
      expect(isConditionTrue(after, 'ProviderUpgraded')).toBe(true);
      const upgraded = await fixture.manager(infra);
      expect(upgraded.metadata.uid).not.toBe(uid);
      expect(upgraded.spec?.template.spec?.containers[0]?.image).toBe(
        'registry.k8s.io/stock/infrastructure-pond:v1.1.0',
      );
    });

    it('rejects a downgrade with a remedy', async () => {
      await fixture.change(infra, { version: 'v1.0.0' });
      const refused = await fixture.reaches(
        infra,
        hasReason('PreflightCheckPassed', 'UnsupportedProviderDowngradeReason'),
      );
      expect(getCondition(refused, 'PreflightCheckPassed')?.message).toContain(
        'v1.1.0 is installed, v1.0.0 is requested',
      );
      expect(refused.status?.installedVersion).toBe('v1.1.0');
      await fixture.change(infra, { version: 'v1.1.0' });
      await fixture.reaches(infra, (provider) => isConditionTrue(provider, 'PreflightCheckPassed'));
    });

    it('reports upgrades in events and metrics and deletes caches of previous versions', async () => {
      await untilEvents(client, keyOf(infra), [
        'WaitingForCoreProviderReady',
        'Installed',
        'Upgraded',
        'UnsupportedProviderDowngradeReason',
      ]);
      const cacheOf = (version: string): Promise<boolean> =>
        isAbsent(client, secrets as Resource, {
          namespace: 'pond-system',
          name: `infrastructure-pond-${version}-cache`,
        });
      await expect.poll(async () => [await cacheOf('v1.0.0'), await cacheOf('v1.1.0')]).toEqual([true, false]);
      const labels = 'type="infrastructure",name="pond"';
      for (const line of [
        `capi_operator_provider_info{${labels},version="v1.1.0",contract="v1beta2"} 1`,
        `capi_operator_provider_condition{${labels},condition="Ready",status="True"} 1`,
        `capi_operator_provider_condition{${labels},condition="Ready",status="False"} 0`,
      ])
        await expect.poll(() => operator.metrics()).toContain(line);
      for (const phase of ['DownloadManifests', 'Load', 'Fetch', 'Store', 'Install', 'Upgrade', 'Finalize'])
        await expect
          .poll(() => operator.metrics())
          .toMatch(
            new RegExp(
              `capi_operator_provider_phase_duration_seconds_count\\{type="infrastructure",phase="${phase}"\\} [1-9]`,
            ),
          );
    });

    it('deletes a provider, but neither its CRDs nor the objects of users', async () => {
      const group = { group: 'things.x-k8s.io', version: 'v1', kind: kindOf(infra) };
      const things = (await client.resourceFor(group)) as Resource;
      const object = { apiVersion: 'things.x-k8s.io/v1', kind: group.kind };
      const thing = { namespace: 'pond-system', name: 'mine' };
      await client.create(things, { ...object, metadata: thing });
      await client.delete(providerResources[infra.type], keyOf(infra));
      await untilObjectGone(client, providerResources[infra.type] as Resource, keyOf(infra));
      for (const [resource, key] of [
        [deployments, managerKey(infra)],
        [serviceAccounts, { namespace: 'pond-system', name: 'infrastructure-pond-manager' }],
        [clusterRoles, { namespace: '', name: 'infrastructure-pond-manager-role' }],
        [
          validatingWebhookConfigurations,
          { namespace: '', name: 'infrastructure-pond-validating-webhook-configuration' },
        ],
        [inventoryEntries, { namespace: 'pond-system', name: 'infrastructure-pond' }],
      ] as [Resource, { namespace: string; name: string }][])
        expect(await isAbsent(client, resource, key)).toBe(true);
      const definition = { namespace: '', name: `${kindOf(infra).toLowerCase()}s.things.x-k8s.io` };
      expect(await isAbsent(client, customResourceDefinitions as Resource, definition)).toBe(false);
      expect(await isAbsent(client, things, thing)).toBe(false);
    });
  });
}
