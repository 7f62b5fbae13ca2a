import { labels } from '@slipway/cluster-api';
import { labelOf } from '@slipway/clusterctl';
import type { Kind } from '@slipway/kube';
import type { PolicyRule } from '@slipway/runtime';
import { loadedPlugins } from '../plugins/index.js';
import type { ProviderParts } from './provider-parts.js';

/** Groups whose objects the core and the control plane provider may access without an aggregated role. */
const contractGroups = ['bootstrap', 'controlplane', 'infrastructure'].map((name) => `${name}.cluster.x-k8s.io`);

/** Returns the content of the providers of the loaded plugins, by label. */
export function pluginParts(): Readonly<Record<string, ProviderParts>> {
  return Object.fromEntries(
    loadedPlugins().map(({ plugin, packageName }) => {
      const { kinds, permissions = [], image } = plugin;
      const label = labelOf(plugin);
      const isForeign = kinds.some(({ group }) => !contractGroups.includes(group));
      const aggregates = [`${label}.slipway.dev/aggregate-to-manager`, labels.aggregateToManager];
      const parts: ProviderParts = {
        kinds,
        controllers: [plugin.name],
        writes: [...ownRules(kinds), ...permissions],
        plugin: packageName,
        ...(isForeign && { aggregates }),
        ...(image !== undefined && { image }),
      };
      return [label, parts] as const;
    }),
  );
}

/** Returns the rules for the kinds of the plugin itself. */
function ownRules(kinds: readonly Kind[]): PolicyRule[] {
  return [...new Set(kinds.map(({ group }) => group))].map((group) => ({
    apiGroups: [group],
    resources: kinds
      .filter((kind) => kind.group === group)
      .flatMap(({ plural }) => [plural, `${plural}/status`, `${plural}/finalizers`]),
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  }));
}
