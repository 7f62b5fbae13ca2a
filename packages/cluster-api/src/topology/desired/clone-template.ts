import {
  asJson,
  cloneJson,
  type JsonObject,
  type KubeObject,
  lastAppliedAnnotation,
  type OwnerReference,
  parseApiVersion,
} from '@slipway/kube';
import { annotations, labels } from '../../api/index.js';
import { fieldAt } from '../json-fields.js';
import type { ObservedCluster, ObservedObject } from '../topology-state.js';

export interface CloneInput {
  readonly template: ObservedObject;
  readonly cluster: ObservedCluster;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owner?: OwnerReference;
}

const templateSuffix = /Template$/;

/** The object that a template describes, marked as part of the topology of a cluster. */
export function objectFromTemplate(input: CloneInput): KubeObject {
  const { template } = input;
  const json = asJson(template);
  const metadata = ['spec', 'template', 'metadata'] as const;
  return {
    apiVersion: template.apiVersion,
    kind: template.kind.replace(templateSuffix, ''),
    metadata: metadataOf(input, {
      labels: textsAt(json, [...metadata, 'labels']),
      annotations: textsAt(json, [...metadata, 'annotations']),
    }),
    spec: cloneJson(fieldAt(json, ['spec', 'template', 'spec']) ?? {}),
  };
}

/** A copy of a template for one cluster, so that what is patched into it concerns no other. */
export function templateFromTemplate(input: CloneInput): KubeObject {
  const { template } = input;
  const { [lastAppliedAnnotation]: _applied, ...kept } = template.metadata.annotations ?? {};
  return {
    apiVersion: template.apiVersion,
    kind: template.kind,
    metadata: metadataOf(input, { labels: template.metadata.labels ?? {}, annotations: kept }),
    spec: cloneJson(asJson(template)['spec'] ?? {}),
  };
}

function metadataOf(
  { template, cluster, name, owner, ...given }: CloneInput,
  own: { readonly labels: Readonly<Record<string, string>>; readonly annotations: Readonly<Record<string, string>> },
): KubeObject['metadata'] {
  const { group } = parseApiVersion(template.apiVersion);
  return {
    name,
    namespace: cluster.metadata.namespace ?? '',
    labels: { ...own.labels, ...given.labels, ...topologyLabels(cluster) },
    annotations: {
      ...own.annotations,
      ...given.annotations,
      [annotations.clonedFromName]: template.metadata.name ?? '',
      [annotations.clonedFromGroupKind]: `${template.kind}.${group}`,
    },
    ...(owner === undefined ? {} : { ownerReferences: [owner] }),
  };
}

/** What all objects of a topology bear. */
export function topologyLabels(cluster: ObservedCluster): Record<string, string> {
  return { [labels.clusterName]: cluster.metadata.name ?? '', [labels.topologyOwned]: '' };
}

function textsAt(object: JsonObject, path: readonly string[]): Readonly<Record<string, string>> {
  const value = fieldAt(object, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return value as Readonly<Record<string, string>>;
}
