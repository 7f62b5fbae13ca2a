import { atomicList, boolean, list, map, object, optional, quantity, string } from '@slipway/kube/kit';

export const authProvider = object({
  config: optional(map(string())),
  name: string({ minLength: 1, maxLength: 256 }),
});

const envSource = object({
  configMapKeyRef: optional(
    object(
      {
        key: string(),
        name: optional(string({ default: '' })),
        optional: optional(boolean()),
      },
      { atomic: true },
    ),
  ),
  fieldRef: optional(
    object(
      {
        apiVersion: optional(string()),
        fieldPath: string(),
      },
      { atomic: true },
    ),
  ),
  fileKeyRef: optional(
    object(
      {
        key: string(),
        optional: optional(boolean({ default: false })),
        path: string(),
        volumeName: string(),
      },
      { atomic: true },
    ),
  ),
  resourceFieldRef: optional(
    object(
      {
        containerName: optional(string()),
        divisor: optional(quantity()),
        resource: string(),
      },
      { atomic: true },
    ),
  ),
  secretKeyRef: optional(
    object(
      {
        key: string(),
        name: optional(string({ default: '' })),
        optional: optional(boolean()),
      },
      { atomic: true },
    ),
  ),
});

export const extraEnvsV1Beta1 = list(
  object({
    name: string(),
    value: optional(string()),
    valueFrom: optional(envSource),
  }),
  { maxItems: 100 },
);

export const extraEnvs = atomicList(
  object({
    name: string(),
    value: optional(string()),
    valueFrom: optional(envSource),
  }),
  { minItems: 1, maxItems: 100 },
);

export const secretSource = object({
  secret: object({
    key: string({ minLength: 1, maxLength: 256 }),
    name: string({ minLength: 1, maxLength: 253 }),
  }),
});
