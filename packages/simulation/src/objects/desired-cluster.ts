import type { KubeObject } from '@slipway/kube';
import type { Resource } from '@slipway/runtime';

/** The desired state of a cluster. */
export interface DesiredCluster {
  readonly name: string;
  readonly controlPlanes: number;
  readonly workers: number;
  readonly version: string;
  /** Number of the current machine template. Every template change increments it. */
  readonly template: number;
  readonly startupSeconds: number;
}

export type Placed = readonly [Resource, KubeObject];

export function machineTemplateName({ name, template }: Pick<DesiredCluster, 'name' | 'template'>): string {
  return `${name}-${template}`;
}
