import { atomicList, int32, object, optional, string } from '@slipway/kube/kit';

export const replicaCounters = object(
  {
    availableReplicas: optional(
      int32({ description: 'availableReplicas is the number of Machines whose Available condition is True.' }),
    ),
    desiredReplicas: optional(
      int32({
        description:
          'desiredReplicas is the desired number of Machines, summed over the objects of the Cluster that manage Machines.',
      }),
    ),
    readyReplicas: optional(
      int32({ description: 'readyReplicas is the number of Machines whose Ready condition is True.' }),
    ),
    replicas: optional(
      int32({ description: 'replicas is the number of existing Machines, including those being deleted.' }),
    ),
    upToDateReplicas: optional(
      int32({ description: 'upToDateReplicas is the number of Machines whose UpToDate condition is True.' }),
    ),
    upgradePlan: optional(
      atomicList(
        object({
          version: string({
            minLength: 1,
            maxLength: 256,
            description: 'version is a Kubernetes version of the upgrade plan, with the v prefix.',
          }),
        }),
        {
          minItems: 1,
          maxItems: 32,
          description:
            'upgradePlan lists the Kubernetes versions that the upgrade in progress still has to go through, in order. Empty when no upgrade is in progress.',
        },
      ),
    ),
    versions: optional(
      atomicList(
        object({
          replicas: optional(int32({ minimum: 1, description: 'replicas is the number of Machines at this version.' })),
          version: string({
            minLength: 1,
            maxLength: 256,
            description: 'version is a Kubernetes version reported by Machines, with the v prefix.',
          }),
        }),
        { minItems: 1, maxItems: 32, description: 'versions is the number of Machines at each Kubernetes version.' },
      ),
    ),
  },
  {
    description:
      'Replica counters and versions of the Machines of the Cluster, summed over the objects that manage them.',
  },
);
