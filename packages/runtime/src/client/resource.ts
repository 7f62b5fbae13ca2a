import type { KubeObject } from '@slipway/kube';

/**
 * Names a served resource at one version and carries the type of its objects. Declared kinds give theirs by `resourceOf`;
 * the built-in kinds that controllers use stand in `builtin-resources`.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Only for the type checker: never set. */
  readonly objectType?: T;
}
