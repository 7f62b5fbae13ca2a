import type { Frozen, KubeObject } from '@slipway/kube';
import { runtimeAnnotations } from '../api/index.js';

/** Hooks that an object notes as yet to be called. */
export function pendingHooksOf({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): ReadonlySet<string> {
  const text = metadata.annotations?.[runtimeAnnotations.pendingHooks] ?? '';
  return new Set(text.split(',').filter((name) => name !== ''));
}

/** How they are noted; null takes the annotation away. */
export function pendingHooksText(hooks: ReadonlySet<string>): string | null {
  return hooks.size === 0 ? null : [...hooks].sort().join(',');
}
