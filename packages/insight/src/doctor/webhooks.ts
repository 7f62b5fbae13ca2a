import type { Resource } from '@slipway/runtime';
import { type ObjectRef, type Observed, refOf } from '../objects/index.js';

/** A webhook that is called through a Service. */
export interface SeenWebhook {
  readonly object: ObjectRef;
  readonly name: string;
  /** The Service as `namespace/name`. */
  readonly service: string;
  /** Whether a failed call rejects the request. */
  readonly isRequired: boolean;
  readonly hasEndpoints: boolean;
}

const registration = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
const configurations: readonly Resource[] = [
  { ...registration, kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations' },
  { ...registration, kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations' },
];
const endpointSlices: Resource = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

interface Hook {
  readonly name?: string;
  readonly failurePolicy?: string;
  readonly clientConfig?: { readonly service?: { readonly namespace?: string; readonly name?: string } };
}

interface Slice {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
}

/**
 * Reads all webhooks that call a Service. Webhooks with a URL are omitted: whether their server runs cannot be checked from here.
 */
export async function readWebhooks(
  list: (resource: Resource) => Promise<readonly Observed[]>,
): Promise<readonly SeenWebhook[]> {
  const found = (await Promise.all(configurations.map(list))).flat();
  const hooks = found.flatMap((object) =>
    ((object as { webhooks?: readonly Hook[] }).webhooks ?? []).flatMap((hook) => {
      const { service } = hook.clientConfig ?? {};
      if (service === undefined) return [];
      return [{ object: refOf(object), hook, service: `${service.namespace ?? ''}/${service.name ?? ''}` }];
    }),
  );
  if (hooks.length === 0) return [];
  const served = new Set((await list(endpointSlices)).filter(isReady).map(serviceOf));
  return hooks.map(({ object, hook, service }) => ({
    object,
    name: hook.name ?? '',
    service,
    isRequired: hook.failurePolicy !== 'Ignore',
    hasEndpoints: served.has(service),
  }));
}

/** Returns whether an EndpointSlice has a ready endpoint. As in Kubernetes, an endpoint without the ready condition is ready. */
function isReady(slice: Observed): boolean {
  return ((slice as Slice).endpoints ?? []).some(({ conditions }) => conditions?.ready !== false);
}

function serviceOf({ metadata }: Observed): string {
  return `${metadata.namespace ?? ''}/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}`;
}
