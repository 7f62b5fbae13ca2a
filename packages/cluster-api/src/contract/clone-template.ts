import { cloneJson, type JsonObject, type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import { annotations, labels } from '../api/index.js';
import { objectAt, type ProviderObject } from './fields.js';

const templateSuffix = /Template$/;

export interface CloneOptions {
  readonly name: string;
  readonly namespace: string;
  readonly clusterName: string;
  /** Labels that override those of the template. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Owner of the new object until a Machine or a Cluster adopts it. */
  readonly owner?: OwnerReference;
}

/** Returns the kind of the objects that a template describes. */
export function kindOfTemplate(kind: string): string {
  return kind.replace(templateSuffix, '');
}

/**
 * Returns the object that a provider template describes in `spec.template`, the only field that the contract requires of
 * templates.
 */
export function cloneTemplate(template: ProviderObject, options: CloneOptions): KubeObject {
  const { name, namespace, clusterName, owner } = options;
  const { group } = parseApiVersion(template.apiVersion);
  const spec = objectAt(template, 'spec', 'template', 'spec');
  return {
    apiVersion: template.apiVersion,
    kind: kindOfTemplate(template.kind),
    metadata: {
      name,
      namespace,
      labels: { ...textsAt(template, 'labels'), ...options.labels, [labels.clusterName]: clusterName },
      annotations: {
        ...textsAt(template, 'annotations'),
        ...options.annotations,
        [annotations.clonedFromName]: template.metadata.name ?? '',
        [annotations.clonedFromGroupKind]: `${template.kind}.${group}`,
      },
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    // Omit an absent spec: a CRD may reject an empty spec but accept an absent one.
    ...(spec === undefined ? {} : { spec: cloneJson(spec) as JsonObject }),
  };
}

function textsAt(template: ProviderObject, member: 'labels' | 'annotations'): Record<string, string> {
  const values = objectAt(template, 'spec', 'template', 'metadata', member) ?? {};
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
