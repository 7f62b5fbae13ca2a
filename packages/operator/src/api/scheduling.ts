import { labelSelector } from '@slipway/cluster-api/schemas';
import { atomicList, int32, int64, list, map, object, optional, string } from '@slipway/kube/kit';

// Where a pod may run, as a PodSpec says it.

const nodeRequirements = atomicList(
  object({ key: string(), operator: string(), values: optional(atomicList(string())) }),
);

const nodeSelectorTerm = object(
  { matchExpressions: optional(nodeRequirements), matchFields: optional(nodeRequirements) },
  { atomic: true },
);

const podAffinityTerm = object({
  labelSelector: optional(labelSelector),
  matchLabelKeys: optional(atomicList(string())),
  mismatchLabelKeys: optional(atomicList(string())),
  namespaceSelector: optional(labelSelector),
  namespaces: optional(atomicList(string())),
  topologyKey: string(),
});

const podAffinity = object({
  preferredDuringSchedulingIgnoredDuringExecution: optional(atomicList(object({ podAffinityTerm, weight: int32() }))),
  requiredDuringSchedulingIgnoredDuringExecution: optional(atomicList(podAffinityTerm)),
});

export const affinity = object(
  {
    nodeAffinity: optional(
      object({
        preferredDuringSchedulingIgnoredDuringExecution: optional(
          atomicList(object({ preference: nodeSelectorTerm, weight: int32() })),
        ),
        requiredDuringSchedulingIgnoredDuringExecution: optional(
          object({ nodeSelectorTerms: atomicList(nodeSelectorTerm) }, { atomic: true }),
        ),
      }),
    ),
    podAffinity: optional(podAffinity),
    podAntiAffinity: optional(podAffinity),
  },
  { description: 'Where pods may run, by nodes and by other pods. Replaces what the manifest says.' },
);

export const nodeSelector = map(string(), {
  description: 'Labels of the nodes that pods may run on. Replaces what the manifest says.',
});

export const tolerations = list(
  object({
    effect: optional(string()),
    key: optional(string()),
    operator: optional(string()),
    tolerationSeconds: optional(int64()),
    value: optional(string()),
  }),
  { description: 'Replaces what the manifest says: an empty list takes all of its tolerations away.' },
);
