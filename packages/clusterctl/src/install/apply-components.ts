import { asJson, type KubeObject, parseApiVersion } from '@slipway/kube';
import { type Cause, ifPresent, type RequestOptions, type Resource, type Writer } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import type { ProviderComponents } from '../components/index.js';
import { writeInventory } from '../inventory/index.js';
import { labelOf } from '../provider/index.js';

const fieldManager = 'slipway';
const injectFrom = 'cert-manager.io/inject-ca-from';

/** Applies the components of a provider, then adds it to the inventory. An interrupted installation can be run again. */
export async function applyComponents(
  writer: Pick<Writer, 'read' | 'change'>,
  components: ProviderComponents,
  options: RequestOptions = {},
): Promise<void> {
  await checkServed(writer.read, components);
  const { provider } = components;
  const message = `Installing ${labelOf(provider)} ${provider.version}`;
  for (const object of components.objects)
    await applyObject(writer, object, { fieldManager, reason: 'Installing', message, ...options });
  await writeInventory(writer, provider);
}

/** Checks before the first write that the server serves all required kinds, to avoid a partial installation. */
async function checkServed(read: Writer['read'], { provider, objects }: ProviderComponents): Promise<void> {
  const brought = new Set(objects.flatMap(groupBrought));
  for (const { apiVersion, kind } of objects) {
    const { group, version } = parseApiVersion(apiVersion);
    if (brought.has(group) || (await read.resourceFor({ group, version, kind })) !== undefined) continue;
    throw new ClusterctlError(
      `provider ${labelOf(provider)} requires kind ${kind} (${apiVersion}), which the cluster does not serve`,
      {
        remedy:
          group === 'cert-manager.io'
            ? 'install cert-manager first; the built-in providers do not require it'
            : 'install the CustomResourceDefinition of this kind first',
      },
    );
  }
}

function groupBrought(object: KubeObject): string[] {
  if (object.kind !== 'CustomResourceDefinition') return [];
  return [(object['spec'] as { readonly group?: string }).group ?? ''];
}

export interface ApplyObjectOptions extends RequestOptions, Pick<Cause, 'reason' | 'message'> {
  readonly fieldManager: string;
}

/** Applies one object and takes ownership of conflicting fields. */
export async function applyObject(
  writer: Pick<Writer, 'read' | 'change'>,
  object: KubeObject,
  options: ApplyObjectOptions,
): Promise<void> {
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource = await writer.read.resourceFor({ group, version, kind: object.kind });
  if (resource === undefined)
    throw new ClusterctlError(`the cluster does not serve kind ${object.kind} (${object.apiVersion})`);
  const key = {
    namespace: resource.namespaced ? (object.metadata.namespace ?? '') : '',
    name: object.metadata.name ?? '',
  };
  await releaseFromInjector(writer, resource, object, options);
  const { fieldManager: manager, reason, message } = options;
  const configuration = asJson(object);
  await writer.change({ verb: 'apply', resource, key, configuration, fieldManager: manager, reason, message });
}

/**
 * Removes the injection annotation of cert-manager from a CRD. Otherwise both cert-manager and Slipway, whose CRDs have their own
 * CA, would write the CA bundle.
 */
async function releaseFromInjector(
  writer: Pick<Writer, 'read' | 'change'>,
  resource: Resource,
  object: KubeObject,
  { fieldManager: manager, signal }: ApplyObjectOptions,
): Promise<void> {
  if (object.kind !== 'CustomResourceDefinition' || object.metadata.annotations?.[injectFrom] !== undefined) return;
  const key = { namespace: '', name: object.metadata.name ?? '' };
  const stored = await ifPresent(writer.read.get(resource, key, { signal }));
  if (stored?.metadata.annotations?.[injectFrom] === undefined) return;
  const patch = { metadata: { annotations: { [injectFrom]: null } } };
  await writer.change({
    verb: 'patch',
    resource,
    key,
    body: { type: 'merge', patch },
    fieldManager: manager,
    reason: 'InjectorReplaced',
    message: `Removed the annotation ${injectFrom} from the CRD ${key.name}`,
  });
}
