import { fieldAt, labels, listAt, textAt } from '@slipway/cluster-api';
import { parseApiVersion, valueAt } from '@slipway/kube';
import { type ObjectRef, type Observed, refOf } from './object-ref.js';

/** The role of a referenced object. */
export type Role =
  | 'ClusterInfrastructure'
  | 'ControlPlane'
  | 'MachineInfrastructure'
  | 'MachinePoolInfrastructure'
  | 'BootstrapConfig'
  | 'MachineInfrastructureTemplate'
  | 'MachinePoolInfrastructureTemplate'
  | 'BootstrapConfigTemplate'
  | 'ClusterInfrastructureTemplate'
  | 'ControlPlaneTemplate'
  | 'ClusterClass'
  | 'Cluster'
  | 'ClusterResourceSet'
  | 'ConfigMap or Secret'
  | 'RemediationTemplate'
  | 'AddressPool'
  | 'IPAddress';

/** A field of a kind that references another object. */
export interface ReferenceField {
  /** The kind that has the field. `ControlPlane` means every control plane kind. */
  readonly from: string;
  /** Path of the field. `[]` iterates over a list. */
  readonly path: string;
  readonly to: Role;
  /** Kind of the referenced object, for a field that is only a name or that does not contain the kind. `group` is analogous. */
  readonly kind?: string;
  readonly group?: string;
}

const core = 'cluster.x-k8s.io';

/** Every reference field. `readCluster` follows these references, and the diagram is generated from them. */
export const referenceFields: readonly ReferenceField[] = [
  { from: 'Cluster', path: 'spec.infrastructureRef', to: 'ClusterInfrastructure' },
  { from: 'Cluster', path: 'spec.controlPlaneRef', to: 'ControlPlane' },
  { from: 'Cluster', path: 'spec.topology.classRef', to: 'ClusterClass', kind: 'ClusterClass', group: core },
  { from: 'ControlPlane', path: 'spec.machineTemplate.spec.infrastructureRef', to: 'MachineInfrastructureTemplate' },
  { from: 'ControlPlane', path: 'spec.machineTemplate.infrastructureRef', to: 'MachineInfrastructureTemplate' },
  { from: 'MachineDeployment', path: 'spec.clusterName', to: 'Cluster', kind: 'Cluster', group: core },
  { from: 'MachineDeployment', path: 'spec.template.spec.bootstrap.configRef', to: 'BootstrapConfigTemplate' },
  { from: 'MachineDeployment', path: 'spec.template.spec.infrastructureRef', to: 'MachineInfrastructureTemplate' },
  { from: 'MachineSet', path: 'spec.clusterName', to: 'Cluster', kind: 'Cluster', group: core },
  { from: 'MachineSet', path: 'spec.template.spec.bootstrap.configRef', to: 'BootstrapConfigTemplate' },
  { from: 'MachineSet', path: 'spec.template.spec.infrastructureRef', to: 'MachineInfrastructureTemplate' },
  { from: 'MachinePool', path: 'spec.clusterName', to: 'Cluster', kind: 'Cluster', group: core },
  { from: 'MachinePool', path: 'spec.template.spec.bootstrap.configRef', to: 'BootstrapConfig' },
  { from: 'MachinePool', path: 'spec.template.spec.infrastructureRef', to: 'MachinePoolInfrastructure' },
  { from: 'Machine', path: 'spec.clusterName', to: 'Cluster', kind: 'Cluster', group: core },
  { from: 'Machine', path: 'spec.bootstrap.configRef', to: 'BootstrapConfig' },
  { from: 'Machine', path: 'spec.infrastructureRef', to: 'MachineInfrastructure' },
  { from: 'MachineHealthCheck', path: 'spec.clusterName', to: 'Cluster', kind: 'Cluster', group: core },
  { from: 'MachineHealthCheck', path: 'spec.remediation.templateRef', to: 'RemediationTemplate' },
  { from: 'ClusterClass', path: 'spec.infrastructure.templateRef', to: 'ClusterInfrastructureTemplate' },
  { from: 'ClusterClass', path: 'spec.controlPlane.templateRef', to: 'ControlPlaneTemplate' },
  {
    from: 'ClusterClass',
    path: 'spec.controlPlane.machineInfrastructure.templateRef',
    to: 'MachineInfrastructureTemplate',
  },
  {
    from: 'ClusterClass',
    path: 'spec.workers.machineDeployments[].bootstrap.templateRef',
    to: 'BootstrapConfigTemplate',
  },
  {
    from: 'ClusterClass',
    path: 'spec.workers.machineDeployments[].infrastructure.templateRef',
    to: 'MachineInfrastructureTemplate',
  },
  { from: 'ClusterClass', path: 'spec.workers.machinePools[].bootstrap.templateRef', to: 'BootstrapConfigTemplate' },
  {
    from: 'ClusterClass',
    path: 'spec.workers.machinePools[].infrastructure.templateRef',
    to: 'MachinePoolInfrastructureTemplate',
  },
  { from: 'ClusterResourceSet', path: 'spec.resources[]', to: 'ConfigMap or Secret', group: '' },
  {
    from: 'ClusterResourceSetBinding',
    path: 'spec.bindings[].clusterResourceSetName',
    to: 'ClusterResourceSet',
    kind: 'ClusterResourceSet',
    group: 'addons.cluster.x-k8s.io',
  },
  { from: 'ClusterResourceSetBinding', path: 'spec.clusterName', to: 'Cluster', kind: 'Cluster', group: core },
  { from: 'IPAddressClaim', path: 'spec.poolRef', to: 'AddressPool' },
  {
    from: 'IPAddressClaim',
    path: 'status.addressRef',
    to: 'IPAddress',
    kind: 'IPAddress',
    group: 'ipam.cluster.x-k8s.io',
  },
];

export interface Reference {
  readonly field: ReferenceField;
  /** Path of the reference with list indexes, such as `spec.workers.machineDeployments[0].bootstrap.templateRef`. */
  readonly path: string;
  readonly target: ObjectRef;
}

/** Returns whether the object is a control plane, according to its API group: providers may name the kind differently. */
export function isControlPlaneObject(object: Observed): boolean {
  return refOf(object).group.startsWith('controlplane.') && !object.kind.endsWith('Template');
}

export function referencesOf(object: Observed): readonly Reference[] {
  const from = isControlPlaneObject(object) ? 'ControlPlane' : object.kind;
  return referenceFields
    .filter((field) => field.from === from)
    .flatMap((field) =>
      valuesAt(object, field.path).flatMap(([path, value]) => referenceOf(object, field, path, value)),
    );
}

export function referenceAt(object: Observed, path: string): ObjectRef | undefined {
  return referencesOf(object).find((reference) => reference.path === path)?.target;
}

function referenceOf(object: Observed, field: ReferenceField, path: string, value: unknown): Reference[] {
  const namespace = object.metadata.namespace ?? '';
  if (typeof value === 'string' && value !== '')
    return [{ field, path, target: { group: field.group ?? '', kind: field.kind ?? '', namespace, name: value } }];
  if (typeof value !== 'object' || value === null) return [];
  const { name, kind, apiGroup, apiVersion, namespace: own } = value as Readonly<Record<string, unknown>>;
  const foundKind = field.kind ?? kind;
  if (typeof name !== 'string' || typeof foundKind !== 'string') return [];
  const group = field.group ?? (typeof apiGroup === 'string' ? apiGroup : groupOf(apiVersion));
  const where = typeof own === 'string' && own !== '' ? own : namespace;
  return [{ field, path, target: { group, kind: foundKind, namespace: where, name } }];
}

function groupOf(apiVersion: unknown): string {
  return typeof apiVersion === 'string' ? parseApiVersion(apiVersion).group : '';
}

/** Returns every value at a path, with its path including list indexes. */
function valuesAt(object: Observed, path: string): [path: string, value: unknown][] {
  const [head = '', ...rest] = path.split('[]');
  const first = head.split('.');
  const [tail] = rest;
  if (tail === undefined) return [[head, fieldAt(object, ...first)]];
  return listAt(object, ...first).map((entry, index): [string, unknown] => {
    const steps = tail.split('.').filter((step) => step !== '');
    return [`${head}[${index}]${tail}`, valueAt(entry, ...steps)];
  });
}

/** Returns the name of the Cluster that an object belongs to, from its spec or its label. */
export function clusterNameOf(object: Observed): string | undefined {
  if (object.kind === 'Cluster') return object.metadata.name;
  return textAt(object, 'spec', 'clusterName') ?? object.metadata.labels?.[labels.clusterName];
}
