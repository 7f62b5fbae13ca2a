import { asJson, type KubeObject, parseApiVersion } from '@slipway/kube';
import { type Client, ifPresent, type RequestOptions, type Resource } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import type { ProviderComponents } from '../components/index.js';
import { writeInventory } from '../inventory/index.js';
import { labelOf } from '../provider/index.js';

const fieldManager = 'slipway';
const injectFrom = 'cert-manager.io/inject-ca-from';

/** Applies everything of a provider, then enters it into the inventory: an interrupted installation is simply run again. */
export async function applyComponents(
  client: Client,
  components: ProviderComponents,
  options: RequestOptions = {},
): Promise<void> {
  await checkServed(client, components);
  for (const object of components.objects) await applyObject(client, object, { fieldManager, ...options });
  await writeInventory(client, components.provider, options);
}

/** Before the first write: an installation that stops half-way helps nobody. */
async function checkServed(client: Client, { provider, objects }: ProviderComponents): Promise<void> {
  const brought = new Set(objects.flatMap(groupBrought));
  for (const { apiVersion, kind } of objects) {
    const { group, version } = parseApiVersion(apiVersion);
    if (brought.has(group) || (await client.resourceFor({ group, version, kind })) !== undefined) continue;
    throw new ClusterctlError(
      `provider ${labelOf(provider)} needs ${kind} (${apiVersion}), which the cluster does not serve`,
      {
        remedy:
          group === 'cert-manager.io'
            ? 'install cert-manager first; slipway’s own providers do without'
            : 'install it first',
      },
    );
  }
}

function groupBrought(object: KubeObject): string[] {
  if (object.kind !== 'CustomResourceDefinition') return [];
  return [(object['spec'] as { readonly group?: string }).group ?? ''];
}

/** Applies one object, whoever else holds its fields. */
export async function applyObject(
  client: Client,
  object: KubeObject,
  options: RequestOptions & { readonly fieldManager: string },
): Promise<void> {
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource = await client.resourceFor({ group, version, kind: object.kind });
  if (resource === undefined)
    throw new ClusterctlError(`the cluster does not serve ${object.kind} (${object.apiVersion})`);
  const key = {
    namespace: resource.namespaced ? (object.metadata.namespace ?? '') : '',
    name: object.metadata.name ?? '',
  };
  await releaseFromInjector(client, resource, object, options);
  await client.apply(resource, key, asJson(object), { force: true, ...options });
}

/** A definition that cert-manager kept up to date so far would be fought over: ours bring their own authority. */
async function releaseFromInjector(
  client: Client,
  resource: Resource,
  object: KubeObject,
  options: RequestOptions & { readonly fieldManager: string },
): Promise<void> {
  if (object.kind !== 'CustomResourceDefinition' || object.metadata.annotations?.[injectFrom] !== undefined) return;
  const key = { namespace: '', name: object.metadata.name ?? '' };
  const stored = await ifPresent(client.get(resource, key, options));
  if (stored?.metadata.annotations?.[injectFrom] === undefined) return;
  const patch = { metadata: { annotations: { [injectFrom]: null } } };
  await client.patch(resource, key, { type: 'merge', patch }, options);
}
