import { type Frozen, type KubeObject, stringifyJson } from '@slipway/kube';

export type ViewVersion = 'v1' | 'v1beta1';

const caches: Readonly<Record<ViewVersion, WeakMap<object, string>>> = { v1: new WeakMap(), v1beta1: new WeakMap() };

/** The metadata of an object as PartialObjectMetadata. Encoded once per stored version and shared by all requests. */
export function encodeMetadata(object: Frozen<KubeObject>, version: ViewVersion): string {
  const cache = caches[version];
  const cached = cache.get(object);
  if (cached !== undefined) return cached;
  const metadata = stringifyJson(object.metadata);
  const text = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${metadata}}`;
  // Cache frozen objects only, because others may change.
  if (Object.isFrozen(object)) cache.set(object, text);
  return text;
}
