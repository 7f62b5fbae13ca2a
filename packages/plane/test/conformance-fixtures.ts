import type { CustomResourceDefinition, Frozen, StatusError } from '@slipway/kube';
import { defineKind, int32, int64, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { type Client, type ConfigMap, customResourceDefinitions, resourceOf } from '@slipway/runtime';
import { vi } from 'vitest';

export const widgetKind = defineKind({
  group: 'conformance.slipway.dev',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        spec: optional(
          object({
            size: optional(int32({ minimum: 0, maximum: 100 })),
            serial: optional(int64()),
            note: optional(string()),
          }),
        ),
        status: optional(object({ phase: optional(string()) })),
      },
      subresources: { status: true },
    },
  ],
});
export type Widget = ObjectOf<typeof widgetKind>;
export const widgets = resourceOf(widgetKind);
export const namespace = 'conformance';
export const patience = 60_000;

export function configMap(name: string, data: Record<string, string>, labels?: Record<string, string>): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
    data,
  };
}

export function widget(name: string, spec: NonNullable<Widget['spec']>): Widget {
  return { apiVersion: 'conformance.slipway.dev/v1', kind: 'Widget', metadata: { name, namespace }, spec };
}

export async function failure(work: Promise<unknown>): Promise<StatusError> {
  try {
    await work;
  } catch (error) {
    return error as StatusError;
  }
  throw new Error('a failure was expected');
}

/** Waits until a CRD is served: kube-apiserver sets Established slightly before its endpoints respond. */
export async function established(client: Client, name: string): Promise<void> {
  const { spec } = await establishedDefinition(client, name);
  const { group, names, versions, scope } = spec;
  const version = versions.find(({ served }) => served)?.name ?? '';
  const resource = { group, version, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' };
  await vi.waitFor(() => client.list(resource, { limit: 1 }), { timeout: patience, interval: 20 });
}

async function establishedDefinition(client: Client, name: string): Promise<Frozen<CustomResourceDefinition>> {
  const signal = AbortSignal.timeout(patience);
  const options = { fieldSelector: `metadata.name=${name}`, sendInitialEvents: true, signal };
  for await (const batch of client.watch(customResourceDefinitions, options)) {
    for (const event of batch) {
      if (!('object' in event)) continue;
      const conditions = event.object.status?.conditions ?? [];
      if (conditions.some((one) => one.type === 'Established' && one.status === 'True')) return event.object;
    }
  }
  throw new Error(`${name} was not established`);
}
