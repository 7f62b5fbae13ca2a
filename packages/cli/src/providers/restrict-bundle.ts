import { labelOf } from '@slipway/clusterctl';
import type { Kind } from '@slipway/kube';
import type { KindSet } from '@slipway/plane';
import type { ControllerSet } from '@slipway/runtime';
import { CliError, exitCodes } from '../errors/index.js';
import type { ControllerBundle } from './controller-bundle.js';
import { pluginParts } from './plugin-parts.js';
import { listedProviders } from './provider-list.js';
import { type ProviderParts, providerParts } from './provider-parts.js';

/** Selects the controllers, CRDs and webhooks of some providers, or of all if no labels are given. */
export function restrictBundle(bundle: ControllerBundle, labels: readonly string[]): ControllerBundle {
  if (labels.length === 0) return bundle;
  const parts = labels.map(partsOf);
  const kinds = new Set(parts.flatMap((each) => each.kinds));
  const names = new Set(parts.flatMap((each) => each.controllers));
  const { kinds: createKinds } = bundle;
  return {
    ...bundle,
    // Controller sets keep their feature gates even if none of their controllers is selected.
    sets: bundle.sets.map((set) => onlyControllers(set, names)),
    ...(createKinds && { kinds: (options) => onlyKinds(createKinds(options), kinds, kindSetName(labels)) }),
  };
}

export function partsOf(label: string): ProviderParts {
  const known = { ...providerParts, ...pluginParts() };
  const parts = Object.hasOwn(known, label) ? known[label] : undefined;
  if (parts !== undefined) return parts;
  throw new CliError(`unknown provider "${label}"; must be one of ${Object.keys(known).join(', ')}`, {
    exitCode: exitCodes.usage,
  });
}

function onlyControllers(set: ControllerSet, names: ReadonlySet<string>): ControllerSet {
  return names.has(set.name) ? set : { ...set, controllers: set.controllers.filter(({ name }) => names.has(name)) };
}

function onlyKinds(set: KindSet, kinds: ReadonlySet<Kind>, name: string): KindSet {
  return {
    ...set,
    name,
    kinds: set.kinds.filter((kind) => kinds.has(kind)),
    converters: new Map([...set.converters].filter(([kind]) => kinds.has(kind))),
    rules: set.rules.filter(({ kind }) => kinds.has(kind)),
  };
}

/** Returns the name of the webhook configurations. For a single provider it is upstream's name. */
function kindSetName(labels: readonly string[]): string {
  const [only, ...others] = labels;
  const listed = listedProviders().find((provider) => labelOf(provider) === only);
  return others.length === 0 && listed !== undefined ? listed.prefix : 'slipway';
}
