import type { StatusError } from '@slipway/kube';
import { defineKind, int32, int64, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { type Client, type ConfigMap, customResourceDefinitions, resourceOf } from '@slipway/runtime';

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

export async function established(client: Client, name: string): Promise<void> {
  const signal = AbortSignal.timeout(patience);
  const options = { fieldSelector: `metadata.name=${name}`, sendInitialEvents: true, signal };
  for await (const batch of client.watch(customResourceDefinitions, options)) {
    for (const event of batch) {
      const conditions = 'object' in event ? event.object.status?.conditions : undefined;
      if (conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true) return;
    }
  }
  throw new Error(`${name} was not established`);
}
