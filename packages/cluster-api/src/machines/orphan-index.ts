import type { Frozen, KubeObject } from '@slipway/kube';
import { type AnyIndex, controllerOf } from '@slipway/runtime';

/** Indexes objects without a controller by namespace and spec.clusterName: `namespace/cluster`. */
export const orphanIndex: AnyIndex = {
  name: 'orphans by cluster',
  valuesOf: (object) => {
    const plain: Frozen<KubeObject> & { readonly spec?: { readonly clusterName?: string } } = object;
    const cluster = plain.spec?.clusterName;
    if (cluster === undefined || controllerOf(plain) !== undefined) return [];
    return [`${plain.metadata.namespace ?? ''}/${cluster}`];
  },
};

/**
 * Whether a selector is empty. Admission fills in an empty selector. One that is stored nevertheless must not select everything.
 */
export function isEmptySelector(selector: {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly unknown[];
}): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}
