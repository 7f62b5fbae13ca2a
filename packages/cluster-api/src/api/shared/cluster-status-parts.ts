import { atomicList, int32, object, optional, string } from '@slipway/kube/kit';

export const replicaCounters = object({
  availableReplicas: optional(int32()),
  desiredReplicas: optional(int32()),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  upToDateReplicas: optional(int32()),
  upgradePlan: optional(
    atomicList(
      object({
        version: string({ minLength: 1, maxLength: 256 }),
      }),
      { minItems: 1, maxItems: 32 },
    ),
  ),
  versions: optional(
    atomicList(
      object({
        replicas: optional(int32({ minimum: 1 })),
        version: string({ minLength: 1, maxLength: 256 }),
      }),
      { minItems: 1, maxItems: 32 },
    ),
  ),
});
