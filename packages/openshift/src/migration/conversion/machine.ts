import type { Machine, MachineSet } from '@slipway/cluster-api';
import { forbiddenField, type Frozen, type JsonObject } from '@slipway/kube';
import type { MapiMachine, MapiMachineSet } from '../../api/index.js';
import { infrastructureGroup, namespaces } from '../../names.js';
import { type Converted, isSet, Notes, recordOf } from './conversion.js';
import {
  annotationsToCapi,
  annotationsToMapi,
  clusterLabel,
  hooksFromAnnotations,
  hooksToAnnotations,
  labelsToCapi,
  labelsToMapi,
} from './metadata.js';
import type { ConversionFacts, InfraMachine, ProviderConversion } from './provider.js';
import { templateName } from './template-name.js';

type CapiMachineSpec = Machine['spec'];
type MapiMachineSpec = NonNullable<MapiMachine['spec']>;
type MapiTemplateSpec = NonNullable<NonNullable<NonNullable<MapiMachineSet['spec']>['template']>['spec']>;

/** A Cluster API Machine with the spec of its infrastructure machine. */
export interface CapiPair<T> {
  readonly object: T;
  readonly infraSpec: JsonObject;
}

/** Default of Cluster API for a field that Machine API does not have. Constant, so that the mirror never differs. */
const nodeDeletionTimeoutSeconds = 10;

export function machineToCapi(
  machine: Frozen<MapiMachine>,
  conversion: ProviderConversion,
  facts: ConversionFacts,
): Converted<CapiPair<Machine>> {
  const notes = new Notes();
  const { name = '' } = machine.metadata;
  const spec = (machine.spec ?? {}) as MapiMachineSpec;
  const about = {
    ...facts,
    providerId: spec.providerID,
    isControlPlane: isControlPlaneRole(machine.metadata.labels),
  };
  const provider = providerToCapi(spec, conversion, about, notes);
  const nodeMetadata = nodeMetadataOf(spec, 'spec.metadata', notes);
  const object: Machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      namespace: namespaces.clusterApi,
      name,
      labels: {
        ...nodeMetadata.labels,
        ...labelsToCapi(machine.metadata.labels ?? {}),
        ...clusterLabel(facts.infraName),
      },
      annotations: {
        ...nodeMetadata.annotations,
        ...annotationsToCapi(machine.metadata.annotations ?? {}),
        ...hooksToAnnotations(spec.lifecycleHooks),
      },
    },
    spec: {
      ...machineSpec(provider, conversion.machineKind, name, facts),
      ...(spec.providerID !== undefined && { providerID: spec.providerID }),
    },
  };
  return notes.with({ object, infraSpec: provider.spec });
}

function providerToCapi(
  spec: MapiMachineSpec | MapiTemplateSpec,
  conversion: ProviderConversion,
  facts: ConversionFacts,
  notes: Notes,
): InfraMachine {
  if (isSet(spec.taints)) notes.refuse(forbiddenField('spec.taints', 'taints are not converted: remove them'));
  const converted = conversion.toCapi(recordOf(spec.providerSpec?.value), facts);
  converted.warnings.forEach((text) => notes.warn(text));
  converted.errors.forEach((error) => notes.refuse(error));
  return converted.value;
}

/** Returns labels and annotations for Nodes. In Cluster API they are part of the Machine's metadata. */
function nodeMetadataOf(spec: MapiMachineSpec | MapiTemplateSpec, at: string, notes: Notes) {
  const { labels = {}, annotations = {}, ...rest } = spec.metadata ?? {};
  for (const [field, value] of Object.entries(rest))
    if (isSet(value)) notes.refuse(forbiddenField(`${at}.${field}`, 'Cluster API has no such field'));
  return { labels, annotations };
}

function machineSpec(
  provider: InfraMachine,
  kind: string,
  name: string,
  { infraName }: ConversionFacts,
): CapiMachineSpec {
  return {
    clusterName: infraName,
    bootstrap: provider.userDataSecret === undefined ? {} : { dataSecretName: provider.userDataSecret },
    infrastructureRef: { apiGroup: infrastructureGroup, kind, name },
    deletion: { nodeDeletionTimeoutSeconds },
    ...(provider.failureDomain !== undefined && { failureDomain: provider.failureDomain }),
  };
}

export function machineToMapi(
  { object, infraSpec }: CapiPair<Frozen<Machine>>,
  conversion: ProviderConversion,
  facts: ConversionFacts,
): Converted<MapiMachine> {
  const notes = new Notes();
  const { labels = {}, annotations = {}, name = '' } = object.metadata;
  const about = { ...facts, isControlPlane: isControlPlaneRole(labels) };
  const spec = specToMapi(object.spec as CapiMachineSpec, infraSpec, conversion, about, notes);
  const hooks = hooksFromAnnotations(annotations);
  return notes.with({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      namespace: namespaces.machineApi,
      name,
      labels: labelsToMapi(labels),
      annotations: annotationsToMapi(annotations),
    },
    spec: {
      ...spec,
      metadata: nodeMetadataToMapi(labels, annotations),
      ...(hooks !== undefined && { lifecycleHooks: mutableHooks(hooks) }),
      ...(object.spec.providerID !== undefined && { providerID: object.spec.providerID }),
      authoritativeAPI: 'ClusterAPI',
    },
  });
}

function isControlPlaneRole(labels: Readonly<Record<string, string>> = {}): boolean {
  return labelsToMapi(labelsToCapi(labels))['machine.openshift.io/cluster-api-machine-role'] === 'master';
}

function mutableHooks(hooks: NonNullable<ReturnType<typeof hooksFromAnnotations>>) {
  const { preDrain, preTerminate } = hooks;
  return { ...(preDrain && { preDrain: [...preDrain] }), ...(preTerminate && { preTerminate: [...preTerminate] }) };
}

/**
 * Converts labels and annotations to those of the Node. Cluster API does not mark labels for the Node, so all labels of the user
 * are used.
 */
function nodeMetadataToMapi(labels: Record<string, string>, annotations: Record<string, string>) {
  return { labels: labelsToMapi(labels), annotations: annotationsToMapi(annotations) };
}

function specToMapi(
  spec: CapiMachineSpec,
  infraSpec: JsonObject,
  conversion: ProviderConversion,
  facts: ConversionFacts,
  notes: Notes,
): MapiTemplateSpec {
  const { nodeDeletionTimeoutSeconds: timeout, ...timeouts } = spec.deletion ?? {};
  const given: Readonly<Record<string, unknown>> = {
    version: spec.version,
    readinessGates: spec.readinessGates,
    ...Object.fromEntries(Object.entries(timeouts).map(([field, value]) => [`deletion.${field}`, value])),
    'deletion.nodeDeletionTimeoutSeconds': timeout === nodeDeletionTimeoutSeconds ? undefined : timeout,
  };
  for (const [field, value] of Object.entries(given))
    if (value !== undefined) notes.refuse(forbiddenField(`spec.${field}`, 'Machine API has no such field'));
  const infra = {
    spec: infraSpec,
    failureDomain: spec.failureDomain,
    userDataSecret: spec.bootstrap.dataSecretName,
  };
  const converted = conversion.toMapi(infra, facts);
  converted.warnings.forEach((text) => notes.warn(text));
  converted.errors.forEach((error) => notes.refuse(error));
  return { providerSpec: { value: converted.value } };
}

/**
 * Converts a MachineSet, together with the spec of its infrastructure template. The name of the template is derived from that
 * spec.
 */
export function machineSetToCapi(
  set: Frozen<MapiMachineSet>,
  conversion: ProviderConversion,
  facts: ConversionFacts,
): Converted<CapiPair<MachineSet>> {
  const notes = new Notes();
  const { name = '' } = set.metadata;
  const { replicas, minReadySeconds, deletePolicy, selector, template } = (set.spec ?? {}) as NonNullable<
    MapiMachineSet['spec']
  >;
  const machineSpecOfSet = template?.spec ?? {};
  const provider = providerToCapi(machineSpecOfSet, conversion, facts, notes);
  const nodeMetadata = nodeMetadataOf(machineSpecOfSet, 'spec.template.spec.metadata', notes);
  const object: MachineSet = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: {
      namespace: namespaces.clusterApi,
      name,
      labels: { ...labelsToCapi(set.metadata.labels ?? {}), ...clusterLabel(facts.infraName) },
      annotations: annotationsToCapi(set.metadata.annotations ?? {}),
    },
    spec: {
      clusterName: facts.infraName,
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: labelsToCapi(selector?.matchLabels ?? {}) },
      deletion: { order: deletePolicy ?? 'Random' },
      template: {
        metadata: templateMetadata(template, nodeMetadata, facts),
        spec: {
          ...machineSpec(provider, `${conversion.machineKind}Template`, templateName(name, provider.spec), facts),
          ...(minReadySeconds ? { minReadySeconds } : {}),
        },
      },
    },
  };
  return notes.with({ object, infraSpec: provider.spec });
}

function templateMetadata(
  template: NonNullable<MapiMachineSet['spec']>['template'],
  node: ReturnType<typeof nodeMetadataOf>,
  { infraName }: ConversionFacts,
) {
  const { labels = {}, annotations = {} } = template?.metadata ?? {};
  return {
    labels: { ...node.labels, ...labelsToCapi(labels), ...clusterLabel(infraName) },
    annotations: {
      ...node.annotations,
      ...annotationsToCapi(annotations),
      ...hooksToAnnotations(template?.spec?.lifecycleHooks),
    },
  };
}

export function machineSetToMapi(
  { object, infraSpec }: CapiPair<Frozen<MachineSet>>,
  conversion: ProviderConversion,
  facts: ConversionFacts,
): Converted<MapiMachineSet> {
  const notes = new Notes();
  const { template, replicas, selector, deletion } = object.spec as MachineSet['spec'];
  const { minReadySeconds, ...machine } = template.spec;
  const { labels = {}, annotations = {} } = template.metadata ?? {};
  const spec = specToMapi(machine, infraSpec, conversion, facts, notes);
  const hooks = hooksFromAnnotations(annotations);
  return notes.with({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: {
      namespace: namespaces.machineApi,
      name: object.metadata.name ?? '',
      labels: labelsToMapi(object.metadata.labels ?? {}),
      annotations: annotationsToMapi(object.metadata.annotations ?? {}),
    },
    spec: {
      ...(replicas !== undefined && { replicas }),
      ...(minReadySeconds ? { minReadySeconds } : {}),
      deletePolicy: deletion?.order ?? 'Random',
      selector: { matchLabels: labelsToMapi(selector.matchLabels ?? {}) },
      template: {
        metadata: { labels: labelsToMapi(labels), annotations: annotationsToMapi(annotations) },
        spec: {
          ...spec,
          metadata: nodeMetadataToMapi(labels, annotations),
          ...(hooks !== undefined && { lifecycleHooks: mutableHooks(hooks) }),
        },
      },
      authoritativeAPI: 'ClusterAPI',
    },
  });
}
