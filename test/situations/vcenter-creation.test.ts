import type { KubeObject } from '@slipway/kube';
import { clusterNameOf, explain, type Explanation, findObject, readObject, refText } from '@slipway/insight';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vsphereTemplates } from '../../packages/clusterctl/src/builtin/cluster-templates.js';
import { namespace, password, pool, templateName, VCenterEnvironment } from '../vsphere/vcenter-environment.js';
import { addOnsOf, rendered, renderedText, type Values, vcenterTemplates } from './templates.js';

/** Manifests of the drivers of a workload cluster. Their content does not matter for the explanation. */
const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: driver\n  namespace: kube-system\n';
const drivers = {
  cloudAccount: manifest,
  cloudManifests: manifest,
  storageAccount: manifest,
  storageManifests: manifest,
};

/** Objects that the users of a template create before. */
const prerequisites: Readonly<
  Partial<Record<(typeof vcenterTemplates)[number], (values: Values) => readonly object[]>>
> = {
  'cluster-template-node-ipam': addressPool,
  'cluster-template-topology': (values) => rendered(['vsphere/clusterclass-template.yaml'], values),
};

function addressPool({ NODE_IPAM_POOL_NAME: name = '' }: Values): readonly object[] {
  const spec = { addresses: ['10.252.9.10-10.252.9.40'], prefix: 24, gateway: '10.252.9.1' };
  return [
    { apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2', kind: 'InClusterIPPool', metadata: { name, namespace }, spec },
  ];
}

function valuesOf(name: string, index: number, server: string): Values {
  return {
    CLUSTER_NAME: name,
    CLUSTER_CLASS_NAME: `${name}-class`,
    NAMESPACE: namespace,
    KUBERNETES_VERSION: 'v1.35.0',
    CONTROL_PLANE_MACHINE_COUNT: '1',
    WORKER_MACHINE_COUNT: '1',
    CONTROL_PLANE_ENDPOINT_IP: `10.251.9.${index + 1}`,
    VSPHERE_SERVER: server,
    VSPHERE_USERNAME: 'admin',
    VSPHERE_PASSWORD: password,
    VSPHERE_DATACENTER: 'DC0',
    VSPHERE_DATASTORE: 'LocalDS_0',
    VSPHERE_RESOURCE_POOL: pool,
    VSPHERE_NETWORK: 'DC0_DVPG0',
    VSPHERE_TEMPLATE: templateName,
    VSPHERE_HAPROXY_TEMPLATE: templateName,
    VSPHERE_SSH_AUTHORIZED_KEY: 'ssh-ed25519 AAAA',
    NODE_IPAM_POOL_API_GROUP: 'ipam.cluster.x-k8s.io',
    NODE_IPAM_POOL_KIND: 'InClusterIPPool',
    NODE_IPAM_POOL_NAME: `${name}-pool`,
    NAMESERVER: '10.252.9.2',
  };
}

const limitMs = 480_000;

describe('slipway why while clusters are created in a vCenter', { timeout: limitMs + 60_000 }, () => {
  let environment: VCenterEnvironment;
  beforeAll(async () => {
    environment = await VCenterEnvironment.start({
      whole: true,
      featureGates: ['ClusterTopology', 'KubeadmBootstrapFormatIgnition', 'NodeAntiAffinity'],
    });
    await create(addOnsOf(namespace));
  });
  afterAll(() => environment?.stop());

  async function create(objects: readonly object[]): Promise<void> {
    for (const object of objects as readonly KubeObject[]) {
      const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
      const resource = await environment.client.resourceFor({ group, kind: object.kind });
      if (resource === undefined) throw new Error(`nothing serves ${object.kind}`);
      await environment.client.create(resource, structuredClone(object));
    }
  }

  async function explained(name: string): Promise<Explanation> {
    const ref = { group: 'cluster.x-k8s.io', kind: 'Cluster', namespace, name };
    const object = await findObject(environment.client, ref);
    if (object === undefined) throw new Error(`there is no Cluster ${name}`);
    return explain(await readObject(environment.client, object, clusterNameOf(object)), object, Date.now());
  }

  it.each(vcenterTemplates.map((name, index) => ({ name, index })))(
    'reports nothing as blocked in any state: $name',
    async ({ name, index }) => {
      const own = name.replace('cluster-template', 'c');
      const values = valuesOf(own, index, environment.vcsim.server);
      const read = vsphereTemplates[`${name}.yaml`];
      if (read === undefined) throw new Error(`there is no template ${name}`);
      await create([...(prerequisites[name]?.(values) ?? []), ...renderedText(read(drivers), values)]);
      const blocked = new Set<string>();
      let samples = 0;
      await environment.sample(limitMs, async () => {
        const { verdict, root } = await explained(own);
        samples += 1;
        if (verdict === 'blocked' && root !== undefined)
          blocked.add(`${root.cause} ${refText(root.object)} ${root.reason}: ${root.message}`);
        return verdict === 'well';
      });
      expect([...blocked]).toEqual([]);
      expect((await explained(own)).verdict).toBe('well');
      expect(samples).toBeGreaterThan(10);
    },
  );
});
