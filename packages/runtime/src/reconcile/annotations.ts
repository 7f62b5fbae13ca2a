import type { Frozen, KubeObject } from '@slipway/kube';

export function hasAnnotation(object: Pick<Frozen<KubeObject>, 'metadata'>, name: string): boolean {
  return Object.hasOwn(object.metadata.annotations ?? {}, name);
}
