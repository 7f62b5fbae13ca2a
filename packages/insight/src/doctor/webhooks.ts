import { extensionConfigs } from '@slipway/cluster-api';
import { customResourceDefinitions, type Resource } from '@slipway/runtime';
import { type ObjectRef, type Observed, refOf } from '../objects/index.js';

/** A webhook that is called through a Service. */
export interface SeenWebhook {
  readonly object: ObjectRef;
  /** `admission` of requests, `conversion` of custom resources, or the hooks of a runtime `extension`. */
  readonly purpose: 'admission' | 'conversion' | 'extension';
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

interface ClientConfig {
  readonly service?: { readonly namespace?: string; readonly name?: string };
}

interface Hook {
  readonly name?: string;
  readonly failurePolicy?: string;
  readonly clientConfig?: ClientConfig;
}

type FoundWebhook = Omit<SeenWebhook, 'hasEndpoints'>;

interface Slice {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
}

/**
 * Reads all webhooks that call a Service. Webhooks with a URL are omitted: whether their server runs cannot be checked from here.
 */
export async function readWebhooks(
  list: (resource: Resource) => Promise<readonly Observed[]>,
): Promise<readonly SeenWebhook[]> {
  const [admission, definitions, extensions] = await Promise.all([
    Promise.all(configurations.map(list)),
    list(customResourceDefinitions as unknown as Resource),
    list(extensionConfigs as unknown as Resource),
  ]);
  const found = [
    ...admission.flat().flatMap(admissionHooks),
    ...definitions.flatMap((object) => conversionHook(object) ?? []),
    ...extensions.flatMap((object) => extensionHook(object) ?? []),
  ];
  if (found.length === 0) return [];
  const served = new Set((await list(endpointSlices)).filter(isReady).map(serviceOf));
  return found.map((hook) => ({ ...hook, hasEndpoints: served.has(hook.service) }));
}

function admissionHooks(object: Observed): FoundWebhook[] {
  return ((object as { webhooks?: readonly Hook[] }).webhooks ?? []).flatMap((hook) => {
    const { name = '', failurePolicy, clientConfig } = hook;
    const isRequired = failurePolicy !== 'Ignore';
    return throughService(object, clientConfig, { purpose: 'admission', name, isRequired }) ?? [];
  });
}

function conversionHook(object: Observed): FoundWebhook | undefined {
  const { spec } = object as {
    spec?: { conversion?: { strategy?: string; webhook?: { clientConfig?: ClientConfig } } };
  };
  if (spec?.conversion?.strategy !== 'Webhook') return undefined;
  const name = object.metadata.name ?? '';
  return throughService(object, spec.conversion.webhook?.clientConfig, {
    purpose: 'conversion',
    name,
    isRequired: true,
  });
}

function extensionHook(object: Observed): FoundWebhook | undefined {
  const { spec } = object as { spec?: { clientConfig?: ClientConfig } };
  const name = object.metadata.name ?? '';
  return throughService(object, spec?.clientConfig, { purpose: 'extension', name, isRequired: true });
}

function throughService(
  object: Observed,
  clientConfig: ClientConfig | undefined,
  hook: Pick<FoundWebhook, 'purpose' | 'name' | 'isRequired'>,
): FoundWebhook | undefined {
  const { service } = clientConfig ?? {};
  if (service === undefined) return undefined;
  return { object: refOf(object), service: `${service.namespace ?? ''}/${service.name ?? ''}`, ...hook };
}

/** Returns whether an EndpointSlice has a ready endpoint. As in Kubernetes, an endpoint without the ready condition is ready. */
function isReady(slice: Observed): boolean {
  return ((slice as Slice).endpoints ?? []).some(({ conditions }) => conditions?.ready !== false);
}

function serviceOf({ metadata }: Observed): string {
  return `${metadata.namespace ?? ''}/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}`;
}
