import type { JsonObject } from '@slipway/kube';
import {
  dateTime,
  enumeration,
  type Fields,
  freeObject,
  mapList,
  type Node,
  object,
  type ObjectValue,
  optional,
  string,
} from '@slipway/kube/kit';

const conditionFields = {
  type: string({ description: 'Type of the condition, unique in the list.' }),
  status: enumeration(['True', 'False', 'Unknown'], {
    description: 'Status of the condition. One of True, False, Unknown.',
  }),
  lastTransitionTime: dateTime({ description: 'Time at which status last changed.' }),
  reason: optional(string({ description: 'Reason of the last transition, as one UpperCamelCase word.' })),
  message: optional(string({ description: 'Human-readable details of the last transition.' })),
};

/** Conditions of OpenShift kinds. */
export const openShiftConditions = optional(
  mapList(object(conditionFields), ['type'], { description: 'Conditions of the object, one for each type.' }),
);

/** Conditions of Machine API, which have a severity. */
export const machineConditions = optional(
  mapList(
    object({
      ...conditionFields,
      severity: optional(
        string({ description: 'Severity of a status other than True: Error, Warning or Info. Otherwise empty.' }),
      ),
    }),
    ['type'],
    {
      description:
        'Conditions of the object, one for each type. Synchronized and Paused report the state of a migration.',
    },
  ),
);

/** Declares an object of which only some fields are used. Unknown fields are preserved. */
export function partOf<const F extends Fields>(fields: F, description: string): Node<ObjectValue<F>> {
  return object(fields, { preserveUnknownFields: true, description });
}

export function anything(description: string): Node<JsonObject> {
  return freeObject({ description });
}

export function text(description: string) {
  return optional(string({ description }));
}
