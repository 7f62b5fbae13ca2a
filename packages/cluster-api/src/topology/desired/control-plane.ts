import {
  asJson,
  cloneJson,
  generateName,
  type KubeObject,
  type MutableJson,
  parseApiVersion,
  type RandomSource,
} from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import type { MachineHealthCheck } from '../../api/index.js';
import {
  controlPlaneFields,
  machineMetadataField,
  replicasField,
  timeoutValue,
  versionField,
} from '../control-plane-fields.js';
import { fieldAt, setField } from '../json-fields.js';
import type { Blueprint, CurrentState, DesiredControlPlane } from '../topology-state.js';
import { objectFromTemplate, templateFromTemplate, topologyLabels } from './clone-template.js';
import { carriedShim } from './cluster-shim.js';
import { controlPlaneHealthCheck } from './health-checks.js';
import { controlPlaneTemplatePrefix, nameFromTemplate, nameTemplates } from './object-names.js';

/** Returns the desired control plane, its machine template, and its health check. */
export function desiredControlPlane(
  blueprint: Blueprint,
  current: CurrentState,
  version: string,
  random: RandomSource,
): DesiredControlPlane {
  const machineInfrastructure = desiredMachineTemplate(blueprint, current, random);
  const object = controlPlaneObject(blueprint, current, random);
  if (machineInfrastructure !== undefined) setMachineTemplate(blueprint, current, object, machineInfrastructure);
  setOverrides(blueprint, object);
  setField(asJson(object), versionField, version);
  const healthCheck: MachineHealthCheck | undefined = controlPlaneHealthCheck(blueprint, current.cluster, object);
  return {
    object,
    ...(machineInfrastructure === undefined ? {} : { machineInfrastructure }),
    ...(healthCheck === undefined ? {} : { healthCheck }),
  };
}

function desiredMachineTemplate(
  blueprint: Blueprint,
  current: CurrentState,
  random: RandomSource,
): KubeObject | undefined {
  const template = blueprint.controlPlane.machineInfrastructure;
  if (template === undefined) return undefined;
  const { cluster } = current;
  const prefix = controlPlaneTemplatePrefix(cluster.metadata.name ?? '');
  const existing = current.controlPlane?.machineInfrastructure?.metadata.name;
  return templateFromTemplate({
    template,
    cluster,
    name: existing ?? generateName(prefix, random),
    // The Cluster owns the template from the start, so that it is garbage-collected if nothing ever references it.
    owner: ownerReference(cluster),
  });
}

function controlPlaneObject(blueprint: Blueprint, current: CurrentState, random: RandomSource): KubeObject {
  const { cluster } = current;
  const { labels, annotations } = controlPlaneMetadata(blueprint);
  const nameTemplate = blueprint.clusterClass.spec.controlPlane.naming?.template ?? nameTemplates.cluster;
  const values = { cluster: { name: cluster.metadata.name ?? '' } };
  const object = objectFromTemplate({
    template: blueprint.controlPlane.template,
    cluster,
    name: cluster.spec.controlPlaneRef?.name ?? nameFromTemplate(nameTemplate, values, random),
    labels,
    annotations,
    // The Cluster is not set as owner: the control plane would be reconciled before the Cluster references it.
  });
  const shim = carriedShim(current.controlPlane?.object, cluster);
  if (shim !== undefined) object.metadata.ownerReferences = [shim];
  return object;
}

/** Merges the metadata of the control plane and its machines. The topology takes precedence over the class. */
function controlPlaneMetadata({ clusterClass, topology }: Blueprint): {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
} {
  const fromClass = clusterClass.spec.controlPlane.metadata;
  const fromTopology = topology.controlPlane?.metadata;
  return {
    labels: { ...fromClass?.labels, ...fromTopology?.labels },
    annotations: { ...fromClass?.annotations, ...fromTopology?.annotations },
  };
}

function setMachineTemplate(blueprint: Blueprint, current: CurrentState, object: KubeObject, made: KubeObject): void {
  const { contract } = blueprint.controlPlane;
  const { infrastructureRef } = controlPlaneFields[contract];
  const json = asJson(object);
  setField(json, infrastructureRef, machineTemplateReference(blueprint, current, made));
  const { labels, annotations } = controlPlaneMetadata(blueprint);
  const own = (fieldAt(json, machineMetadataField) ?? {}) as {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  const merged = {
    labels: { ...own.labels, ...labels, ...topologyLabels(current.cluster) },
    annotations: { ...own.annotations, ...annotations },
  };
  setField(json, machineMetadataField, {
    labels: merged.labels,
    ...(Object.keys(merged.annotations).length === 0 ? {} : { annotations: merged.annotations }),
  });
}

function machineTemplateReference(
  { controlPlane: { contract } }: Blueprint,
  current: CurrentState,
  made: KubeObject,
): MutableJson {
  const name = made.metadata.name ?? '';
  const { group } = parseApiVersion(made.apiVersion);
  if (contract === 'v1beta2') return { apiGroup: group, kind: made.kind, name };
  // v1beta1 references contain a version, which the control plane controller may have raised.
  const existing = current.controlPlane?.object;
  const path = controlPlaneFields.v1beta1.infrastructureRef;
  const reference = existing === undefined ? undefined : fieldAt(asJson(existing), path);
  const { apiVersion, kind } = (reference ?? {}) as { readonly apiVersion?: string; readonly kind?: string };
  const isSameKind = apiVersion !== undefined && kind === made.kind && parseApiVersion(apiVersion).group === group;
  return {
    apiVersion: isSameKind ? apiVersion : made.apiVersion,
    kind: made.kind,
    name,
    namespace: made.metadata.namespace ?? '',
  };
}

/**
 * Sets fields that the topology or the class defines. Other fields stay as in the template, because the provider may not support
 * them.
 */
function setOverrides({ clusterClass, topology, controlPlane: { contract } }: Blueprint, object: KubeObject): void {
  const json = asJson(object);
  const fields = controlPlaneFields[contract];
  const fromClass = clusterClass.spec.controlPlane;
  const fromTopology = topology.controlPlane ?? {};
  const set = (path: readonly string[], value: unknown): void => {
    if (value !== undefined) setField(json, path, cloneJson(value) as MutableJson);
  };
  const timeout = (
    path: readonly string[],
    name: 'nodeDrainTimeoutSeconds' | 'nodeVolumeDetachTimeoutSeconds' | 'nodeDeletionTimeoutSeconds',
  ): void => {
    const seconds = fromTopology.deletion?.[name] ?? fromClass.deletion?.[name];
    if (seconds !== undefined) set(path, timeoutValue(contract, seconds));
  };
  set(replicasField, fromTopology.replicas);
  set(fields.rolloutAfter, fromTopology.rollout?.after);
  set(fields.readinessGates, fromTopology.readinessGates ?? fromClass.readinessGates);
  set(fields.taints, fromTopology.taints ?? fromClass.taints);
  timeout(fields.nodeDrainTimeout, 'nodeDrainTimeoutSeconds');
  timeout(fields.nodeVolumeDetachTimeout, 'nodeVolumeDetachTimeoutSeconds');
  timeout(fields.nodeDeletionTimeout, 'nodeDeletionTimeoutSeconds');
}
