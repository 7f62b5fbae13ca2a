import {
  dateTime,
  defineKind,
  enumeration,
  int64,
  mapList,
  object,
  type ObjectOf,
  optional,
  string,
} from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';

const greetedName = optional(
  string({ maxLength: 64, description: 'Name of the person to greet. A change updates the ConfigMap.' }),
);

/**
 * A greeting whose text is stored in a ConfigMap of the same name. Type, schema and manifest are derived from this
 * declaration.
 */
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
      description: 'Greeting is a greeting whose text is stored in a ConfigMap of the same name.',
      subresources: { status: true },
      schema: {
        spec: object({ name: greetedName }, { description: 'Desired greeting.' }),
        status: optional(object({ conditions: conditions() }, { description: 'Observed state of the greeting.' })),
      },
    },
  ],
});

function conditions() {
  const condition = object({
    type: string({ description: 'Type of the condition, unique in the list.' }),
    status: enumeration(['True', 'False', 'Unknown'], {
      description: 'Status of the condition. One of True, False, Unknown.',
    }),
    reason: string({ description: 'Reason of the last transition, as one UpperCamelCase word.' }),
    message: string({ description: 'Details of the last transition.' }),
    lastTransitionTime: dateTime({ description: 'Time at which status last changed.' }),
    observedGeneration: optional(int64({ description: 'Value of metadata.generation that the condition is for.' })),
  });
  return optional(mapList(condition, ['type'], { description: 'Conditions of the greeting, one for each type.' }));
}

export const greetings = resourceOf(greeting);
export type Greeting = ObjectOf<typeof greeting>;
