import {
  asJson,
  cloneJson,
  type KubeObject,
  lastAppliedAnnotation,
  type OwnerReference,
  parseApiVersion,
} from '@slipway/kube';
import { annotations, labels } from '../../api/index.js';
import { cloneTemplate } from '../../contract/index.js';
import { conversionDataAnnotation } from '../../conversion/index.js';
import type { ObservedCluster, ObservedObject } from '../topology-state.js';

export interface CloneInput {
  readonly template: ObservedObject;
  readonly cluster: ObservedCluster;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owner?: OwnerReference;
}

/** Returns the object that a template describes, with the labels of the topology. */
export function objectFromTemplate({ template, cluster, ...given }: CloneInput): KubeObject {
  return cloneTemplate(template, {
    ...given,
    namespace: cluster.metadata.namespace ?? '',
    clusterName: cluster.metadata.name ?? '',
    labels: { ...given.labels, ...topologyLabels(cluster) },
  });
}

/** Returns a copy of a template for one cluster, so that patches do not affect other clusters. */
export function templateFromTemplate({ template, cluster, name, owner, ...given }: CloneInput): KubeObject {
  const {
    [lastAppliedAnnotation]: _applied,
    [conversionDataAnnotation]: _data,
    ...kept
  } = {
    ...template.metadata.annotations,
  };
  const { group } = parseApiVersion(template.apiVersion);
  return {
    apiVersion: template.apiVersion,
    kind: template.kind,
    metadata: {
      name,
      namespace: cluster.metadata.namespace ?? '',
      labels: { ...template.metadata.labels, ...given.labels, ...topologyLabels(cluster) },
      annotations: {
        ...kept,
        ...given.annotations,
        [annotations.clonedFromName]: template.metadata.name ?? '',
        [annotations.clonedFromGroupKind]: `${template.kind}.${group}`,
      },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    spec: cloneJson(asJson(template)['spec'] ?? {}),
  };
}

/** Returns the labels of all objects of a topology. */
export function topologyLabels(cluster: ObservedCluster): Record<string, string> {
  return { [labels.clusterName]: cluster.metadata.name ?? '', [labels.topologyOwned]: '' };
}
