import { ObjectSet, type Observed } from '@slipway/insight';
import type { Break, Provider, Situation, Stage, Warning } from './situation.js';
import { changedMs, conditionFrom, conditionsOf, createdMs, type Draft, nowMs, timeText } from './draft.js';
import { mirrorConditions } from './mirror.js';

const core = 'cluster.x-k8s.io/v1beta2';
const bootstrapGroup = 'bootstrap.cluster.x-k8s.io';
const controlPlaneGroup = 'controlplane.cluster.x-k8s.io';
const version = 'v1.35.0';

const kinds: Readonly<Record<Provider, { readonly group: string; readonly prefix: string }>> = {
  dev: { group: 'infrastructure.cluster.x-k8s.io', prefix: 'Dev' },
  host: { group: 'infrastructure.cluster.x-k8s.io', prefix: 'Host' },
  kvm: { group: 'infrastructure.cluster.x-k8s.io', prefix: 'KVM' },
  vcenter: { group: 'infrastructure.cluster.x-k8s.io', prefix: 'VSphere' },
  supervisor: { group: 'vmware.infrastructure.cluster.x-k8s.io', prefix: 'VSphere' },
};

export interface ClusterShape {
  readonly name: string;
  readonly namespace: string;
  readonly provider: Provider;
  readonly stage: Stage;
  /** Whether the Cluster is created from a ClusterClass. */
  readonly hasClass?: boolean;
}

interface Builder extends ClusterShape {
  readonly objects: Draft[];
}

/** Returns the objects of a cluster with one control plane machine and one worker, as the controllers write them. */
export function clusterObjects(shape: ClusterShape): Draft[] {
  const builder: Builder = { ...shape, objects: [] };
  const { name, provider } = shape;
  const { group, prefix } = kinds[provider];
  const infraVersion = `${group}/v1beta2`;
  const labels = { 'cluster.x-k8s.io/cluster-name': name };
  const cluster = add(builder, core, 'Cluster', name, {
    labels: { cni: 'calico' },
    spec: {
      infrastructureRef: { apiGroup: group, kind: `${prefix}Cluster`, name },
      controlPlaneRef: { apiGroup: controlPlaneGroup, kind: 'KubeadmControlPlane', name },
      ...(shape.hasClass === true && { topology: { classRef: { name: `${name}-class` }, version } }),
    },
  });
  const owner = ownerOf(cluster, false);
  add(builder, infraVersion, `${prefix}Cluster`, name, {
    labels,
    owners: [owner],
    spec: { server: 'vcenter.example' },
  });
  const template = { apiGroup: group, kind: `${prefix}MachineTemplate`, name };
  const controlPlane = add(builder, `${controlPlaneGroup}/v1beta2`, 'KubeadmControlPlane', name, {
    labels,
    owners: [{ ...owner, controller: true }],
    spec: { replicas: 1, version, machineTemplate: { spec: { infrastructureRef: template } } },
  });
  add(builder, infraVersion, `${prefix}MachineTemplate`, name, { owners: [owner] });
  add(builder, `${bootstrapGroup}/v1beta2`, 'KubeadmConfigTemplate', name, { owners: [owner] });
  machine(builder, controlPlane, `${name}-control-plane`, true);
  workers(builder, template);
  for (const purpose of ['ca', 'etcd', 'proxy', 'sa', 'kubeconfig'])
    add(builder, 'v1', 'Secret', `${name}-${purpose}`, { labels, owners: [ownerOf(controlPlane, true)] });
  if (shape.hasClass === true) clusterClass(builder, template);
  return builder.objects;
}

function workers(builder: Builder, infrastructureRef: object): void {
  const { name } = builder;
  const labels = { 'cluster.x-k8s.io/cluster-name': name, 'cluster.x-k8s.io/deployment-name': `${name}-workers` };
  const configRef = { apiGroup: bootstrapGroup, kind: 'KubeadmConfigTemplate', name };
  const template = { spec: { clusterName: name, version, bootstrap: { configRef }, infrastructureRef } };
  const spec = { clusterName: name, replicas: 1, template };
  const deployment = add(builder, core, 'MachineDeployment', `${name}-workers`, { labels, spec });
  const set = add(builder, core, 'MachineSet', `${name}-workers`, {
    labels,
    owners: [ownerOf(deployment, true)],
    spec,
  });
  machine(builder, set, `${name}-worker`, false);
}

/** Adds a Machine with its bootstrap config and its infrastructure. */
function machine(builder: Builder, owner: Draft, name: string, isControlPlane: boolean): void {
  const { name: clusterName, provider } = builder;
  const { group, prefix } = kinds[provider];
  const labels = {
    'cluster.x-k8s.io/cluster-name': clusterName,
    ...(isControlPlane && { 'cluster.x-k8s.io/control-plane': '' }),
  };
  const made = add(builder, core, 'Machine', name, {
    labels,
    owners: [ownerOf(owner, true)],
    spec: {
      clusterName,
      version,
      bootstrap: { configRef: { apiGroup: bootstrapGroup, kind: 'KubeadmConfig', name } },
      infrastructureRef: { apiGroup: group, kind: `${prefix}Machine`, name },
    },
  });
  const owners = [ownerOf(made, true)];
  add(builder, `${bootstrapGroup}/v1beta2`, 'KubeadmConfig', name, { labels, owners });
  const infra = add(builder, `${group}/v1beta2`, `${prefix}Machine`, name, { labels, owners });
  if (provider === 'vcenter')
    add(builder, `${group}/v1beta2`, 'VSphereVM', name, { labels, owners: [ownerOf(infra, true)] });
}

function clusterClass(builder: Builder, templateRef: object): void {
  add(builder, core, 'ClusterClass', `${builder.name}-class`, {
    spec: {
      infrastructure: { templateRef: { ...templateRef } },
      controlPlane: { machineInfrastructure: { templateRef } },
    },
    conditions: ['VariablesReady=True VariablesReady:', 'RefVersionsUpToDate=True RefVersionsUpToDate:'],
  });
}

interface Parts {
  readonly labels?: Record<string, string>;
  readonly owners?: readonly object[];
  readonly spec?: Record<string, unknown>;
  readonly conditions?: readonly string[];
}

function add({ objects, namespace }: Builder, apiVersion: string, kind: string, name: string, parts: Parts): Draft {
  const object = {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid: `${kind} ${name}`,
      creationTimestamp: timeText(createdMs),
      ...(parts.labels && { labels: parts.labels }),
      ...(parts.owners && { ownerReferences: parts.owners }),
    },
    ...(parts.spec && { spec: parts.spec }),
    ...(parts.conditions && { status: { conditions: parts.conditions.map((text) => conditionFrom(text)) } }),
  } as unknown as Draft;
  objects.push(object);
  return object;
}

function ownerOf({ apiVersion, kind, metadata }: Draft, controller: boolean): object {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller };
}

function deprecatedFrom(text: string): Record<string, string> {
  const [, type = '', status = '', severity = '', reason = '', message = ''] =
    /^(\w+)=(\w+) (\w+) (\w+):\s?([\s\S]*)$/.exec(text) ?? [];
  if (type === '') throw new Error(`not a deprecated condition: ${text}`);
  return { type, status, severity, reason, message, lastTransitionTime: timeText(changedMs) };
}

/** Returns the objects that `Kind` or `Kind/part` names. */
export function named(objects: readonly Draft[], on: string, cluster: string): Draft[] {
  const [kind = '', part] = on.split('/');
  const isNamed = ({ metadata: { name = '' } }: Draft): boolean =>
    part === undefined || name === part || name === `${cluster}-${part}`;
  return objects.filter((object) => object.kind === kind && isNamed(object));
}

/** Applies the breaks of the situation, and lets the owners report them. */
export function situationObjects(situation: Situation, shape: ClusterShape): Draft[] {
  let objects = clusterObjects(shape);
  const { name, namespace } = shape;
  const fill = (text: string): string => text.replaceAll('$namespace', namespace).replaceAll('$name', name);
  for (const object of JSON.parse(fill(JSON.stringify(situation.objects ?? []))) as Draft[]) {
    const isSame = ({ kind, metadata }: Draft): boolean =>
      kind === object.kind && metadata.name === object.metadata.name;
    objects = [...objects.filter((one) => !isSame(one)), complete(object, namespace)];
  }
  mirrorConditions(objects, shape.stage);
  const breaks = JSON.parse(fill(JSON.stringify(situation.broken))) as readonly Break[];
  for (const broken of breaks) {
    const targets = named(objects, broken.on, name);
    if (targets.length === 0) throw new Error(`there is no ${broken.on}`);
    if (broken.removed === true) objects = objects.filter((object) => !targets.includes(object));
    else for (const target of targets) breakObject(target, broken);
  }
  mirrorConditions(objects, undefined);
  return objects;
}

/** Adds a uid and times to additional objects, and parses their conditions. */
function complete(object: Draft, namespace: string): Draft {
  const { conditions, ...status } = (object.status ?? {}) as { conditions?: readonly string[] };
  const metadata = {
    namespace,
    uid: `${object.kind} ${object.metadata.name ?? ''}`,
    creationTimestamp: timeText(createdMs),
    ...object.metadata,
  };
  const made = { ...status, ...(conditions && { conditions: conditions.map((one) => conditionFrom(one)) }) };
  return { ...object, metadata, ...(object.status && { status: made }) } as Draft;
}

function breakObject(object: Draft, broken: Break): void {
  object.spec = { ...object.spec, ...broken.spec };
  const { conditions: _ignored, ...rest } = broken.status ?? {};
  object.status = { ...object.status, ...rest };
  const added = (broken.conditions ?? []).map((text) => conditionFrom(text));
  const kept = conditionsOf(object).filter(({ type }) => !added.some((one) => one['type'] === type));
  object.status['conditions'] = [...added, ...kept];
  if (broken.deprecated !== undefined)
    object.status['deprecated'] = { v1beta1: { conditions: broken.deprecated.map(deprecatedFrom) } };
  const { metadata } = object;
  metadata.annotations = { ...metadata.annotations, ...broken.annotations };
  if (broken.finalizers !== undefined) metadata.finalizers = [...broken.finalizers];
  if (broken.deletingForMinutes !== undefined)
    metadata.deletionTimestamp = timeText(nowMs - broken.deletingForMinutes * 60_000);
}

/** Returns an ObjectSet with the CRDs of all its kinds. */
export function setOf(objects: readonly Draft[], warnings: readonly Warning[] = [], cluster = ''): ObjectSet {
  const definitions = [...new Set(objects.map(definitionName))].map(
    (name) =>
      ({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name, labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta2' } },
      }) as Observed,
  );
  const events = warnings.flatMap(({ on, reason, message, count = 1 }) =>
    named(objects, on, cluster).map((object) => ({
      about: {
        group: object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '',
        kind: object.kind,
        namespace: object.metadata.namespace ?? '',
        name: object.metadata.name ?? '',
      },
      type: 'Warning',
      reason,
      message,
      at: nowMs,
      firstAt: changedMs,
      count,
    })),
  );
  return new ObjectSet({ objects: objects as readonly Observed[], definitions, events });
}

function definitionName({ apiVersion, kind }: Draft): string {
  const [group = ''] = apiVersion.split('/');
  return `${pluralOf(kind)}.${group}`;
}

/** Returns the plural of a kind. */
export function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  return lower.endsWith('class') ? `${lower}es` : `${lower}s`;
}
