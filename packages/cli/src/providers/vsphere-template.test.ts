import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { clusterApiKinds } from '@slipway/cluster-api';
import { processTemplate, templateVariables } from '@slipway/clusterctl';
import {
  findUnknownFields,
  type Kind,
  type KubeObject,
  type MutableJson,
  parseYamlDocuments,
  schemaOfKind,
} from '@slipway/kube';
import { kubeadmKinds } from '@slipway/kubeadm';
import { vsphereKinds } from '@slipway/vsphere';
import { expect, it } from 'vitest';
import { vsphereFlavors } from './provider-list.js';

const kinds: readonly Kind[] = [...clusterApiKinds, ...kubeadmKinds, ...vsphereKinds];
const textOf = (file: string): Promise<string> => vsphereFlavors[file]?.() ?? Promise.reject(new Error(file));

/** Parses the documents of a template. */
function documents<T>(text: string): T[] {
  return parseYamlDocuments(text).map(({ value }) => value as unknown as T);
}

it.each(Object.keys(vsphereFlavors))('%s contains only known fields', async (file) => {
  // Unreplaced variables are valid strings. Fields of type number need a number.
  const text = (await textOf(file)).replace(/: \$\{[A-Z_]+_(COUNT|PORT:=6443)\}/g, ': 1');
  const unknown = documents<KubeObject>(text)
    .filter(({ kind }) => !['Secret', 'ConfigMap'].includes(kind))
    .flatMap(({ metadata: _metadata, ...body }) => {
      const [group = '', version = ''] = body.apiVersion.split('/');
      const kind = kinds.find((each) => each.group === group && each.kind === body.kind) as Kind;
      return findUnknownFields(schemaOfKind(kind, version), body as MutableJson);
    });
  expect(unknown).toEqual([]);
});

const names = (text: string): string[] => text.trim().split(/\s+/);
const cluster = names('CLUSTER_NAME NAMESPACE KUBERNETES_VERSION CONTROL_PLANE_MACHINE_COUNT WORKER_MACHINE_COUNT');
const endpoint = names('CONTROL_PLANE_ENDPOINT_IP CONTROL_PLANE_ENDPOINT_PORT');
const vip = ['VIP_NETWORK_INTERFACE', 'KUBE_VIP_IMAGE'];
const vcenter = names(`CPI_IMAGE_K8S_VERSION DRIVER_IMAGE_REGISTRY VSPHERE_DATACENTER VSPHERE_NETWORK VSPHERE_PASSWORD
  VSPHERE_SERVER VSPHERE_SSH_AUTHORIZED_KEY VSPHERE_TLS_THUMBPRINT VSPHERE_USERNAME`);
const machines = names(`VSPHERE_DATACENTER VSPHERE_DATASTORE VSPHERE_FOLDER VSPHERE_NETWORK VSPHERE_RESOURCE_POOL
  VSPHERE_SERVER VSPHERE_STORAGE_POLICY VSPHERE_TEMPLATE`);
const ipam = names('NAMESERVER NODE_IPAM_POOL_API_GROUP NODE_IPAM_POOL_KIND NODE_IPAM_POOL_NAME');
const complete = [...cluster, ...endpoint, ...vcenter, ...machines];
const supervised = names('VSPHERE_IMAGE_NAME VSPHERE_MACHINE_CLASS_NAME VSPHERE_POWER_OFF_MODE VSPHERE_STORAGE_CLASS');

it.each([
  ['cluster-template.yaml', [...complete, ...vip]],
  ['cluster-template-external-loadbalancer.yaml', complete],
  ['cluster-template-failure-domains.yaml', [...complete, ...vip]],
  ['cluster-template-haproxy.yaml', [...cluster, ...vcenter, ...machines, 'VSPHERE_HAPROXY_TEMPLATE']],
  ['cluster-template-ignition.yaml', [...complete, ...vip]],
  ['cluster-template-node-ipam.yaml', [...complete, ...vip, ...ipam]],
  ['cluster-template-topology.yaml', [...cluster, ...endpoint, ...vip, ...vcenter, 'CLUSTER_CLASS_NAME']],
  ['clusterclass-template.yaml', [...machines, 'CLUSTER_CLASS_NAME', 'NAMESPACE']],
  ['cluster-template-supervisor.yaml', [...cluster, ...supervised, 'VSPHERE_SSH_AUTHORIZED_KEY']],
  ['cluster-template-topology-supervisor.yaml', [...cluster, 'CLUSTER_CLASS_NAME', 'VSPHERE_SSH_AUTHORIZED_KEY']],
  ['clusterclass-template-supervisor.yaml', [...supervised, 'CLUSTER_CLASS_NAME', 'NAMESPACE']],
])('%s has the variables of the upstream template, and those of its images', async (file, expected) => {
  const variables = templateVariables(await textOf(file));
  expect(variables.map(({ name }) => name)).toEqual([...new Set(expected)].sort());
  const optional = [
    ...vip,
    'DRIVER_IMAGE_REGISTRY',
    'CLUSTER_CLASS_NAME',
    'CONTROL_PLANE_ENDPOINT_PORT',
    'VSPHERE_POWER_OFF_MODE',
  ];
  const withDefaults = variables.filter((variable) => variable.default !== undefined);
  expect(withDefaults.filter(({ name }) => !optional.includes(name))).toEqual([]);
});

it('docs/reference/vsphere.md lists every flavor', () => {
  const page = readFileSync(new URL('../../../../docs/reference/vsphere.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('## Flavors\n');
  const documented = [...(table.split('\n## ', 1)[0] ?? '').matchAll(/^\| `([a-z][a-z-]*)` \|/gm)].map(
    ([, flavor]) => flavor,
  );
  const flavors = Object.keys(vsphereFlavors).flatMap((file) => /^cluster-template-(.+)\.yaml$/.exec(file)?.[1] ?? []);
  expect(new Set(documented)).toEqual(new Set(flavors));
});

it('user names and passwords can contain any character', async () => {
  const account = { VSPHERE_USERNAME: "CORP\\o'neill", VSPHERE_PASSWORD: 'a"b\'c: #d\\e' };
  const values: Readonly<Record<string, string>> = { ...account, CLUSTER_NAME: 'c' };
  const rendered = processTemplate(await textOf('cluster-template.yaml'), (name) => values[name] ?? '1');
  const secret = documents<KubeObject>(rendered).find(
    ({ kind, metadata }) => kind === 'Secret' && metadata.name === 'c',
  );
  expect(secret?.['stringData']).toEqual({ username: account.VSPHERE_USERNAME, password: account.VSPHERE_PASSWORD });
});

it('cluster-template.yaml has a valid kube-vip manifest and shell script', async () => {
  const rendered = processTemplate(await textOf('cluster-template.yaml'), (name) =>
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
