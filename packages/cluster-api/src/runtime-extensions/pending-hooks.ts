import type { Frozen, KubeObject } from '@slipway/kube';
import { runtimeAnnotations } from '../api/index.js';

/** Returns the pending hooks of an object from its annotation. */
export function pendingHooksOf({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): ReadonlySet<string> {
  const text = metadata.annotations?.[runtimeAnnotations.pendingHooks] ?? '';
  return new Set(text.split(',').filter((name) => name !== ''));
}

/** Returns the annotation value. null removes the annotation. */
export function pendingHooksText(hooks: ReadonlySet<string>): string | null {
  return hooks.size === 0 ? null : [...hooks].sort().join(',');
}
