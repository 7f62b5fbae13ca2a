import {
  dateTime,
  enumeration,
  type Fields,
  freeObject,
  mapList,
  object,
  type ObjectValue,
  type Node,
  optional,
  string,
} from '@slipway/kube/kit';

/** Conditions as OpenShift's own kinds have them. */
export const openShiftConditions = optional(
  mapList(
    object({
      type: string(),
      status: enumeration(['True', 'False', 'Unknown']),
      lastTransitionTime: dateTime(),
      reason: optional(string()),
      message: optional(string()),
    }),
    ['type'],
  ),
);

/** The same with the severity that Machine API adds. */
export const machineConditions = optional(
  mapList(
    object({
      type: string(),
      status: enumeration(['True', 'False', 'Unknown']),
      lastTransitionTime: dateTime(),
      reason: optional(string()),
      message: optional(string()),
      severity: optional(string()),
    }),
    ['type'],
  ),
);

/** An object of which we use some fields: the rest is kept as it is. */
export function partOf<const F extends Fields>(fields: F): Node<ObjectValue<F>> {
  return object(fields, { preserveUnknownFields: true });
}

export const anything = freeObject();
export const text = optional(string());
