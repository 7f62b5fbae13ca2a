import { defineKind, enumeration, int64, mapList, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';

/** A greeting for somebody, kept in a ConfigMap of the same name. One declaration: type, schema and manifest. */
export const greeting = defineKind({
  group: 'samples.slipway.dev',
  kind: 'Greeting',
  plural: 'greetings',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      subresources: { status: true },
      schema: {
        spec: object({ name: optional(string({ maxLength: 64 })) }),
        status: optional(object({ conditions: conditions() })),
      },
    },
  ],
});

function conditions() {
  const status = enumeration(['True', 'False', 'Unknown']);
  const text = { reason: string(), message: string(), lastTransitionTime: string({ format: 'date-time' }) };
  return optional(
    mapList(object({ type: string(), status, ...text, observedGeneration: optional(int64()) }), ['type']),
  );
}

export const greetings = resourceOf(greeting);
export type Greeting = ObjectOf<typeof greeting>;
