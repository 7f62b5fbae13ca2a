import {
  type ClusterResourceSet,
  type ClusterResourceSetBinding,
  clusterResourceSetBindings,
  clusterResourceSets,
  inClusterIpPools,
  ipAddressClaims,
  ipAddresses,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  configMaps,
  connectionOf,
  createHttpClient,
  customResourceDefinitions,
  getCondition,
  type HttpClient,
  parseKubeconfig,
  secrets,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Management } from './management.js';

const namespace = 'default';
const quickStart = new URL('../../docs/samples/quick-start.yaml', import.meta.url).pathname;
const key = (name: string): { namespace: string; name: string } => ({ namespace, name });

const payload = (value: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: add-on, namespace: default}
data:
  namespace.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: settings, namespace: add-on}
    data: {value: "${value}"}
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: add-on}
    ---
    apiVersion: v1
    kind: ServiceAccount
    metadata: {name: agent, namespace: add-on}
`;

const set = `
apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata: {name: add-on, namespace: default}
spec:
  strategy: Reconcile
  clusterSelector: {matchLabels: {add-on: "yes"}}
  resources: [{kind: ConfigMap, name: add-on}]
`;

const pool = `
apiVersion: ipam.cluster.x-k8s.io/v1alpha2
kind: InClusterIPPool
metadata: {name: pool, namespace: default}
spec: {addresses: ["fd00::/64"], prefix: 64, gateway: "fd00::1"}
`;

const claim = (name: string): string => `
apiVersion: ipam.cluster.x-k8s.io/v1beta2
kind: IPAddressClaim
metadata: {name: ${name}, namespace: default}
spec: {poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: pool}}
`;

/** Defines tests of the core controllers other than machines: add-ons, IPAM and storage version migration. */
export function addOns(where: string, start: () => Promise<Management>): void {
  describe(`add-ons and addresses ${where}`, () => {
    let management: Management;
    let workload: HttpClient | undefined;
    const apply = (input: string): Promise<string> => management.kubectl(['apply', '-f', '-'], { input });

    beforeAll(async () => {
      management = await start();
      await management.kubectl(['apply', '-f', quickStart]);
    });
    afterAll(async () => {
      workload?.close();
      await management?.stop();
    });

    it('applies a ClusterResourceSet and its updates', async () => {
      await apply(payload('1'));
      await apply(set);
      await management.kubectl(['label', 'cluster', 'quick-start', 'add-on=yes']);
      await management.until('the set is applied', clusterResourceSets, (view) => isApplied(view.get(key('add-on'))));
      workload = await openWorkload(management);
      const settings = { namespace: 'add-on', name: 'settings' };
      expect((await workload.get(configMaps, settings)).data).toEqual({ value: '1' });
      const before = await management.client.get(clusterResourceSetBindings, key('quick-start'));
      await apply(payload('2'));
      await management.until(
        'the change is applied',
        clusterResourceSetBindings,
        (view) => hashOf(view.get(key('quick-start'))) !== hashOf(before) && isThere(view.get(key('quick-start'))),
      );
      expect((await workload.get(configMaps, settings)).data).toEqual({ value: '2' });
      await management.kubectl(['delete', 'clusterresourceset', 'add-on', '--timeout=180s']);
      const gone = (name: string): Promise<true> =>
        management.until(`${name} is gone`, clusterResourceSetBindings, (view) => view.get(key(name)) === undefined);
      expect(await gone('quick-start')).toBe(true);
      expect((await workload.get(configMaps, settings)).data).toEqual({ value: '2' });
    });

    it('allocates addresses of a pool, which is deleted last', async () => {
      await apply(pool);
      await apply(claim('one'));
      await apply(claim('two'));
      const given = await management.until('both claims have an address', ipAddresses, (view) => {
        const found = ['one', 'two'].flatMap((name) => view.get(key(name))?.spec.address ?? []);
        return found.length === 2 && found.sort((left, right) => left.localeCompare(right));
      });
      expect(given).toEqual(['fd00::2', 'fd00::3']);
      await management.until('both claims know it', ipAddressClaims, (view) =>
        ['one', 'two'].every((name) => view.get(key(name))?.status?.addressRef?.name === name),
      );
      await management.until('the pool counts them', inClusterIpPools, (view) => {
        const counts = view.get(key('pool'))?.status?.ipAddresses;
        return counts?.used === 2 && counts.outOfRange === 0;
      });
      await management.kubectl(['delete', 'inclusterippool', 'pool', '--wait=false']);
      await management.kubectl(['delete', 'ipaddressclaim', 'one', 'two', '--timeout=180s']);
      await management.until('the pool is gone', inClusterIpPools, (view) => view.get(key('pool')) === undefined);
      expect((await management.client.list(ipAddresses, { namespace })).items).toEqual([]);
    });

    it('migrates the objects of every CRD to the storage version', async () => {
      const names = [
        'clusters.cluster.x-k8s.io',
        'machines.cluster.x-k8s.io',
        'kubeadmconfigs.bootstrap.cluster.x-k8s.io',
      ];
      for (const name of names) {
        const definition = await management.until(`${name} is migrated`, customResourceDefinitions, (view) => {
          const found = view.get({ namespace: '', name });
          const observed = found?.metadata.annotations?.['crd-migration.cluster.x-k8s.io/observed-generation'];
          return observed === String(found?.metadata.generation) && found;
        });
        expect(definition.status?.storedVersions).toEqual(['v1beta2']);
      }
    });
  });
}

function isApplied(found: Frozen<ClusterResourceSet> | undefined): boolean {
  return found !== undefined && getCondition(found, 'ResourcesApplied')?.status === 'True';
}

function hashOf(binding: { readonly spec?: unknown } | undefined): string {
  return JSON.stringify(binding?.spec ?? {}).match(/sha256:[0-9a-f]+/)?.[0] ?? '';
}

/** Whether all resources of a binding are applied. Failures are recorded in the binding too, and retried. */
function isThere(binding: Frozen<ClusterResourceSetBinding> | undefined): boolean {
  const resources = binding?.spec.bindings?.flatMap((each) => each.resources ?? []) ?? [];
  return resources.length > 0 && resources.every(({ applied }) => applied);
}

async function openWorkload(management: Management): Promise<HttpClient> {
  const secret = await management.client.get(secrets, key('quick-start-kubeconfig'));
  const text = Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8');
  return createHttpClient(connectionOf(parseKubeconfig(text)));
}
