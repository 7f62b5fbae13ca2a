import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

export type Values = Readonly<Record<string, string>>;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly labels?: object; readonly namespace?: string };
}

const folder = new URL('../../packages/clusterctl/templates/', import.meta.url);

/** The templates for a vCenter, which vcenter-creation.test.ts creates in govmomi's simulator. */
export const vcenterTemplates = [
  'cluster-template',
  'cluster-template-external-loadbalancer',
  'cluster-template-failure-domains',
  'cluster-template-haproxy',
  'cluster-template-ignition',
  'cluster-template-node-ipam',
  'cluster-template-topology',
] as const;

/** Returns the objects of cluster templates, in their order, with variables substituted as `slipway generate cluster` does. */
export function rendered(files: readonly string[], values: Values): object[] {
  return files.flatMap((file) => renderedText(readFileSync(new URL(file, folder), 'utf8'), values));
}

export function renderedText(text: string, values: Values): object[] {
  const filled = text.replaceAll(
    /(\$\$\{\w+\})|\$\{(\w+)(?::?=([^}]*))?\}/g,
    (_all, escaped: string | undefined, key: string, given?: string) =>
      escaped === undefined ? (values[key] ?? given ?? '') : escaped.slice(1),
  );
  return parseAllDocuments(filled)
    .map((document) => document.toJS() as Manifest | null)
    .filter((object) => object !== null)
    .map((object) => placed(object, values['NAMESPACE'] ?? ''));
}

/** Sets the namespace of the test and the labels that its ClusterResourceSet selects. */
function placed(object: Manifest, namespace: string): object {
  const labels = { ...object.metadata.labels, ...(object.kind === 'Cluster' && { cni: 'calico' }) };
  return { ...object, metadata: { ...object.metadata, namespace, labels } };
}

/** Returns a ClusterResourceSet for all clusters of the namespace, with its manifest. */
export function addOnsOf(namespace: string): readonly object[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'network', namespace },
      data: {
        'network.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: network\n  namespace: kube-system\n',
      },
    },
    {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata: { name: 'network', namespace },
      spec: {
        clusterSelector: { matchLabels: { cni: 'calico' } },
        resources: [{ kind: 'ConfigMap', name: 'network' }],
      },
    },
  ];
}
