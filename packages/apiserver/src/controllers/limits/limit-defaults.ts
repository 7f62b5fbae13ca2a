import type { Frozen, KubeObject } from '@slipway/kube';
import { child, fields, type Fields, list } from '../../kinds/shared/fields.js';

const annotation = 'kubernetes.io/limit-ranger';

/** Sets the default requests and limits of the LimitRange on containers, and records them in a pod annotation. */
export function setPodDefaults(pod: KubeObject, range: Frozen<KubeObject>): void {
  const defaults = containerDefaults(range);
  const spec = fields(pod['spec']);
  const notes = [
    ...list(spec['containers']).flatMap((container) => setDefaults(container, 'container', defaults)),
    ...list(spec['initContainers']).flatMap((container) => setDefaults(container, 'init container', defaults)),
  ];
  if (notes.length === 0) return;
  child(pod.metadata as Fields, 'annotations')[annotation] = `LimitRanger plugin set: ${notes.join('; ')}`;
}

interface Defaults {
  readonly requests: Fields;
  readonly limits: Fields;
}

function containerDefaults(range: Frozen<KubeObject>): Defaults {
  const defaults: Defaults = { requests: {}, limits: {} };
  for (const limit of list(fields(range['spec'])['limits'])) {
    if (limit['type'] !== 'Container') continue;
    Object.assign(defaults.requests, fields(limit['defaultRequest']));
    Object.assign(defaults.limits, fields(limit['default']));
  }
  return defaults;
}

function setDefaults(container: Fields, word: string, defaults: Defaults): string[] {
  const notes: string[] = [];
  for (const [key, noun] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const set = Object.keys(defaults[key]).filter(
      (name) => fields(fields(container['resources'])[key])[name] === undefined,
    );
    if (set.length === 0) continue;
    const amounts = child(child(container, 'resources'), key);
    for (const name of set) amounts[name] = defaults[key][name];
    notes.push(`${set.sort().join(', ')} ${noun} for ${word} ${String(container['name'])}`);
  }
  return notes;
}
