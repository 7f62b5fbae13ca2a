import { execFileSync } from 'node:child_process';
import { clusters, machineDeployments } from '@slipway/cluster-api';
import { processTemplate, templateVariables, vsphereTemplates } from '@slipway/clusterctl';
import { templateDrivers } from '@slipway/drivers';
import { type KubeObject, parseYamlDocuments } from '@slipway/kube';
import { kubeadmConfigTemplates, kubeadmControlPlanes } from '@slipway/kubeadm';
import { type Resource, secrets } from '@slipway/runtime';
import { vsphereClusters, vsphereMachineTemplates } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionOf, namespace, pool, templateName, VCenterWorld } from './vcenter-world.js';

const common = [
  'CLUSTER_NAME',
  'CONTROL_PLANE_ENDPOINT_IP',
  'CONTROL_PLANE_ENDPOINT_PORT',
  'CONTROL_PLANE_MACHINE_COUNT',
  'CPI_IMAGE_K8S_VERSION',
  'KUBERNETES_VERSION',
  'NAMESPACE',
  'VSPHERE_DATACENTER',
  'VSPHERE_DATASTORE',
  'VSPHERE_FOLDER',
  'VSPHERE_NETWORK',
  'VSPHERE_PASSWORD',
  'VSPHERE_RESOURCE_POOL',
  'VSPHERE_SERVER',
  'VSPHERE_SSH_AUTHORIZED_KEY',
  'VSPHERE_STORAGE_POLICY',
  'VSPHERE_TEMPLATE',
  'VSPHERE_TLS_THUMBPRINT',
  'VSPHERE_USERNAME',
  'WORKER_MACHINE_COUNT',
];
const vip = ['VIP_NETWORK_INTERFACE'];
const ipam = ['NAMESERVER', 'NODE_IPAM_POOL_API_GROUP', 'NODE_IPAM_POOL_KIND', 'NODE_IPAM_POOL_NAME'];

const textOf = (file: string): string => vsphereTemplates[file]?.(templateDrivers()) ?? '';

/** The documents of a text, as the test knows them. */
function documents<T>(text: string): T[] {
  return parseYamlDocuments(text).map(({ value }) => value as unknown as T);
}

describe('the flavors of clusters in a vCenter', () => {
  it.each([
    ['cluster-template.yaml', [...common, ...vip]],
    ['cluster-template-external-loadbalancer.yaml', common],
    ['cluster-template-ignition.yaml', [...common, ...vip]],
    ['cluster-template-node-ipam.yaml', [...common, ...vip, ...ipam]],
  ])('%s asks for the variables that upstream asks for', (file, names) => {
    const text = textOf(file);
    expect(
      templateVariables(text)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...names].sort());
    const withDefaults = templateVariables(text).filter((variable) => variable.default !== undefined);
    expect(
      withDefaults.every(({ name }) => ['CONTROL_PLANE_ENDPOINT_PORT', 'VIP_NETWORK_INTERFACE'].includes(name)),
    ).toBe(true);
  });

  it('has a kube-vip that a shell and YAML understand', () => {
    const rendered = processTemplate(textOf('cluster-template.yaml'), (name) =>
      name === 'CONTROL_PLANE_ENDPOINT_IP' ? '10.0.0.9' : '1',
    );
    interface ControlPlane extends KubeObject {
      readonly spec: { readonly kubeadmConfigSpec: { readonly files: readonly { path: string; content: string }[] } };
    }
    const plane = documents<ControlPlane>(rendered).find((one) => one.kind === 'KubeadmControlPlane');
    const files = plane?.spec.kubeadmConfigSpec.files ?? [];
    expect(files.map(({ path }) => path)).toEqual([
      '/etc/kube-vip.hosts',
      '/etc/pre-kubeadm-commands/50-kube-vip-prepare.sh',
      '/etc/kubernetes/manifests/kube-vip.yaml',
    ]);
    interface Pod {
      readonly spec: { readonly containers: readonly { readonly env: readonly { name: string; value: unknown }[] }[] };
    }
    const [pod] = documents<Pod>(files[2]?.content ?? '');
    const env = pod?.spec.containers[0]?.env ?? [];
    expect(env.find(({ name }) => name === 'address')?.value).toBe('10.0.0.9');
    expect(env.filter(({ value }) => typeof value !== 'string' && value !== 1)).toEqual([]);
    execFileSync('bash', ['-n'], { input: files[1]?.content ?? '' });
  });
});

describe('the default flavor', () => {
  let world: VCenterWorld;
  beforeAll(async () => {
    world = await VCenterWorld.start({ whole: true });
  });
  afterAll(() => world.stop());

  it('makes a cluster that comes up and goes', async () => {
    const values: Readonly<Record<string, string>> = {
      CLUSTER_NAME: 'flavored',
      NAMESPACE: namespace,
      KUBERNETES_VERSION: 'v1.35.0',
      CONTROL_PLANE_MACHINE_COUNT: '1',
      WORKER_MACHINE_COUNT: '1',
      CONTROL_PLANE_ENDPOINT_IP: '127.0.0.1',
      VSPHERE_SERVER: world.vcsim.server,
      VSPHERE_USERNAME: 'admin',
      VSPHERE_PASSWORD: 'v&ry<secret>',
      VSPHERE_TLS_THUMBPRINT: '',
      VSPHERE_DATACENTER: 'DC0',
      VSPHERE_DATASTORE: 'LocalDS_0',
      VSPHERE_NETWORK: 'DC0_DVPG0',
      VSPHERE_RESOURCE_POOL: pool,
      VSPHERE_FOLDER: '',
      VSPHERE_TEMPLATE: templateName,
      VSPHERE_STORAGE_POLICY: '',
      VSPHERE_SSH_AUTHORIZED_KEY: 'ssh-ed25519 AAAA',
    };
    const rendered = processTemplate(textOf('cluster-template.yaml'), (name) => values[name]);
    const known = [
      clusters,
      machineDeployments,
      kubeadmConfigTemplates,
      kubeadmControlPlanes,
      vsphereClusters,
      vsphereMachineTemplates,
      secrets,
    ];
    const resources = new Map((known as readonly Resource[]).map((resource) => [resource.kind, resource]));
    for (const object of documents<KubeObject>(rendered)) {
      await world.create(resources.get(object.kind) as Resource, object);
    }
    await world.untilOne(clusters, 'flavored', (one) => conditionOf(one, 'Available')?.status === 'True');
    expect(await world.machineNames()).toHaveLength(2);
    await world.client.delete(clusters, { namespace, name: 'flavored' });
    await world.untilNone(clusters as Resource, 'flavored');
    expect(await world.machineNames()).toEqual([]);
  });
});
