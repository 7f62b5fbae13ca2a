import type { KubeObject } from '@slipway/kube';

/**
 * A served resource at one version, with the type of its objects. Declared kinds use `resourceOf`; the built-in kinds used by
 * controllers are in `builtin-resources`.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Carries the object type for the type checker. Never set. */
  readonly objectType?: T;
}
