import { type Frozen, parseApiVersion } from '@slipway/kube';
import type { Index } from '@slipway/runtime';
import type { ClusterClass } from '../api/index.js';

export type ObservedClass = Frozen<ClusterClass>;

export interface TemplateReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Returns all templates that a ClusterClass references, without duplicates. */
export function templatesOf({ spec }: Pick<ObservedClass, 'spec'>): readonly TemplateReference[] {
  const { infrastructure, controlPlane, workers = {} } = spec;
  const machine = controlPlane.machineInfrastructure?.templateRef;
  const references: TemplateReference[] = [
    infrastructure.templateRef,
    controlPlane.templateRef,
    ...(machine === undefined ? [] : [machine]),
    ...[...(workers.machineDeployments ?? []), ...(workers.machinePools ?? [])].flatMap((worker) => [
      worker.bootstrap.templateRef,
      worker.infrastructure.templateRef,
    ]),
  ];
  return [...new Map(references.map((reference) => [JSON.stringify(Object.values(reference)), reference])).values()];
}

/** Indexes ClusterClasses by the templates they reference, including templates that do not exist. */
export const templateIndex: Index<ClusterClass> = {
  name: 'templates of a class',
  valuesOf: (clusterClass) => {
    const namespace = clusterClass.metadata.namespace ?? '';
    return [...new Set(templatesOf(clusterClass).map((reference) => templateKey(reference, namespace)))];
  },
};

export function templateKey({ apiVersion, kind, name }: TemplateReference, namespace: string): string {
  return `${kind}.${parseApiVersion(apiVersion).group} ${namespace}/${name}`;
}
