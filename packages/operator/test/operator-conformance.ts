import type { Frozen } from '@slipway/kube';
import {
  type Client,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  getCondition,
  isConditionTrue,
  type Resource,
  serviceAccounts,
  validatingWebhookConfigurations,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FrozenProvider,
  manifestConfigMaps,
  type ProviderObject,
  providerResources,
  type ProviderSpec,
} from '../src/index.js';
import { brokenImage } from './deployment-stand-in.js';
import {
  ensureNamespace,
  inventoryEntries,
  isAbsent,
  type OperatorUnderTest,
  until,
  untilGone,
} from './operator-under-test.js';
import { kindOf, managerName, type StockRelease, stockFiles } from './stock-release.js';

const core = { name: 'cluster-api', type: 'CoreProvider' } as const;
const infra = { name: 'pond', type: 'InfrastructureProvider' } as const;
const selector = { matchLabels: { release: 'stock' } };

type Named = Pick<StockRelease, 'name' | 'type'>;

const namespaceOf = ({ name }: Named): string => `${name}-system`;
const keyOf = (of: Named): { namespace: string; name: string } => ({ namespace: namespaceOf(of), name: of.name });
const managerKey = (of: Named): { namespace: string; name: string } => ({
  namespace: namespaceOf(of),
  name: managerName(of),
});

const says = (type: string, reason: string) => (provider: FrozenProvider) =>
  getCondition(provider, type)?.reason === reason;
const isReady = (provider: FrozenProvider): boolean => isConditionTrue(provider, 'Ready');
const runs = (version: string) => (provider: FrozenProvider) =>
  provider.status?.installedVersion === version && isReady(provider);

/** The provider operator without a network: everything it needs stands in ConfigMaps. */
export function operatorConformance(name: string, start: () => Promise<OperatorUnderTest>): void {
  describe(`the provider operator ${name}`, () => {
    let operator: OperatorUnderTest;
    let client: Client;
    beforeAll(async () => {
      operator = await start();
      client = operator.client;
    });
    afterAll(() => operator?.stop());

    async function provide(release: StockRelease): Promise<void> {
      const namespace = namespaceOf(release);
      await ensureNamespace(client, namespace);
      const files = { version: release.version, ...stockFiles(release) };
      for (const map of manifestConfigMaps(release, files, { namespace })) {
        const labels = { ...map.metadata.labels, release: 'stock' };
        await client.create(configMaps, { ...map, metadata: { ...map.metadata, labels } });
      }
    }

    async function create(of: Named, spec: ProviderSpec = {}): Promise<Frozen<ProviderObject>> {
      await ensureNamespace(client, namespaceOf(of));
      const { name: own, namespace } = keyOf(of);
      return client.create(providerResources[of.type], {
        apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
        kind: of.type,
        metadata: { name: own, namespace },
        spec: { fetchConfig: { selector }, ...spec },
      });
    }

    const change = (of: Named, spec: object): Promise<unknown> =>
      client.patch(providerResources[of.type] as Resource, keyOf(of), { type: 'merge', patch: { spec } as never });
    const reaches = (of: Named, check: (provider: FrozenProvider) => boolean): Promise<FrozenProvider> =>
      until(client, providerResources[of.type], keyOf(of), check);
    const manager = (of: Named) => client.get(deployments, managerKey(of));

    it('lets others wait for the core, and wakes them when it is ready', async () => {
      await provide({ ...infra, version: 'v1.0.0' });
      await create(infra);
      const waiting = await reaches(infra, says('PreflightCheckPassed', 'WaitingForCoreProviderReady'));
      expect(getCondition(waiting, 'PreflightCheckPassed')?.message).toBe(
        'Waiting for the CoreProvider to be installed.',
      );
      await provide({ ...core, version: 'v1.13.0' });
      await create(core, { version: 'v1.13.0' });
      await reaches(core, runs('v1.13.0'));
      const ready = await reaches(infra, runs('v1.0.0'));
      expect(ready.spec?.version).toBe('v1.0.0');
      expect(ready.status?.contract).toBe('v1beta2');
      expect(getCondition(ready, 'Ready')?.reason).toBe('MinimumReplicasAvailable');
    });

    it('puts everything into the namespace of the provider', async () => {
      const { metadata } = await reaches(infra, isReady);
      const deployment = await manager(infra);
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

    it('changes what runs as the spec changes', async () => {
      await change(infra, {
        deployment: { replicas: 2, containers: [{ name: 'manager', imageUrl: 'mirror.test/pond:v9' }] },
        manager: { featureGates: { MachinePool: false, Other: true }, verbosity: 5 },
        patches: [{ patch: 'metadata: { annotations: { patched: "yes" } }', target: { kind: 'Deployment' } }],
      });
      const after = await until(
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

    it('tells of an image that never becomes ready, and of its repair', async () => {
      const image = (imageUrl: string): object => ({ deployment: { containers: [{ name: 'manager', imageUrl }] } });
      await change(infra, image(brokenImage));
      const broken = await reaches(infra, says('Ready', 'MinimumReplicasUnavailable'));
      expect(isConditionTrue(broken, 'ProviderInstalled')).toBe(true);
      await change(infra, image('mirror.test/pond:v9'));
      await reaches(infra, isReady);
    });

    it('mends what others broke', async () => {
      const role = { namespace: '', name: 'infrastructure-pond-manager-role' };
      await client.delete(clusterRoles, role);
      await until(client, clusterRoles, role, () => true);
      await client.delete(deployments, managerKey(infra));
      await until(client, deployments, managerKey(infra), () => true);
      const patch = { spec: { replicas: 7 } };
      await client.patch(deployments as Resource, managerKey(infra), { type: 'merge', patch });
      const mended = await until(client, deployments, managerKey(infra), ({ spec }) => spec?.replicas === 2);
      expect(mended.metadata.annotations?.['patched']).toBe('yes');
    });

    it('upgrades, and takes away what the new version does not have', async () => {
      const { uid } = (await manager(infra)).metadata;
      await provide({ ...infra, version: 'v1.1.0' });
      await change(infra, { version: 'v1.1.0', deployment: null });
      const after = await reaches(infra, runs('v1.1.0'));
      expect(isConditionTrue(after, 'ProviderUpgraded')).toBe(true);
      const upgraded = await manager(infra);
      expect(upgraded.metadata.uid).not.toBe(uid);
      expect(upgraded.spec?.template.spec?.containers[0]?.image).toBe(
        'registry.k8s.io/stock/infrastructure-pond:v1.1.0',
      );
    });

    it('refuses a downgrade, and says what would do', async () => {
      await change(infra, { version: 'v1.0.0' });
      const refused = await reaches(infra, says('PreflightCheckPassed', 'UnsupportedProviderDowngradeReason'));
      expect(getCondition(refused, 'PreflightCheckPassed')?.message).toContain('v1.1.0 is installed, v1.0.0 is wanted');
      expect(refused.status?.installedVersion).toBe('v1.1.0');
      await change(infra, { version: 'v1.1.0' });
      await reaches(infra, (provider) => isConditionTrue(provider, 'PreflightCheckPassed'));
    });

    it('deletes a provider, but neither its definitions nor the objects of users', async () => {
      const group = { group: 'things.x-k8s.io', version: 'v1', kind: kindOf(infra) };
      const things = (await client.resourceFor(group)) as Resource;
      const object = { apiVersion: 'things.x-k8s.io/v1', kind: group.kind };
      const thing = { namespace: 'pond-system', name: 'mine' };
      await client.create(things, { ...object, metadata: thing });
      await client.delete(providerResources[infra.type], keyOf(infra));
      await untilGone(client, providerResources[infra.type] as Resource, keyOf(infra));
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
        expect(await isAbsent(client, resource, key), `${resource.kind} ${key.name}`).toBe(true);
      const definition = { namespace: '', name: `${kindOf(infra).toLowerCase()}s.things.x-k8s.io` };
      expect(await isAbsent(client, customResourceDefinitions as Resource, definition)).toBe(false);
      expect(await isAbsent(client, things, thing)).toBe(false);
    });
  });
}
