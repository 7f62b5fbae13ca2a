import { labelSelector } from '@slipway/cluster-api/schemas';
import { atomicList, int32, int64, list, map, object, optional, refine, string } from '@slipway/kube/kit';

// Scheduling constraints of a pod, in the form of a PodSpec.

const requiredName = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredName = 'preferredDuringSchedulingIgnoredDuringExecution';

const nodeRequirement = object({
  key: string({ description: 'Name of the label or field that is compared.' }),
  operator: string({ description: 'Comparison. One of: In, NotIn, Exists, DoesNotExist, Gt, Lt.' }),
  values: optional(
    atomicList(string(), {
      description:
        'Values to compare with: one or more for In and NotIn, none for Exists and DoesNotExist, one integer for Gt and Lt.',
    }),
  ),
});

const nodeSelectorTerm = object(
  {
    matchExpressions: optional(
      atomicList(nodeRequirement, { description: 'Requirements on the labels of the node. All must hold.' }),
    ),
    matchFields: optional(
      atomicList(nodeRequirement, {
        description: 'Requirements on the fields of the node, such as metadata.name. All must hold.',
      }),
    ),
  },
  { atomic: true, description: 'Nodes that are preferred. A term without requirements selects no node.' },
);

const weight = int32({
  description: 'Weight of this preference, from 1 to 100. The node with the highest sum of weights is chosen.',
});

const podAffinityTerm = object({
  labelSelector: optional(
    refine(labelSelector, { description: 'Selects the pods to consider. If not set, no pods are considered.' }),
  ),
  matchLabelKeys: optional(
    atomicList(string(), {
      description: 'Label keys whose values the selected pods must share with the pod that is scheduled.',
    }),
  ),
  mismatchLabelKeys: optional(
    atomicList(string(), {
      description: 'Label keys whose values the selected pods must not share with the pod that is scheduled.',
    }),
  ),
  namespaceSelector: optional(
    refine(labelSelector, {
      description: 'Selects namespaces of the pods, in addition to namespaces. An empty selector selects all.',
    }),
  ),
  namespaces: optional(
    atomicList(string(), {
      description:
        'Namespaces of the pods. If neither this field nor namespaceSelector is set, the namespace of the pod that is scheduled is used.',
    }),
  ),
  topologyKey: string({
    description: 'Node label whose value defines a location: nodes with the same value are the same location.',
  }),
});

function podAffinityOf(description: string, preferred: string, required: string) {
  return object(
    {
      [preferredName]: optional(
        atomicList(
          object({
            podAffinityTerm: refine(podAffinityTerm, { description: 'Pods and location of the preference.' }),
            weight,
          }),
          { description: preferred },
        ),
      ),
      [requiredName]: optional(atomicList(podAffinityTerm, { description: required })),
    },
    { description },
  );
}

const nodeAffinity = object(
  {
    [preferredName]: optional(
      atomicList(object({ preference: nodeSelectorTerm, weight }), {
        description: 'Nodes that the scheduler prefers, with weights.',
      }),
    ),
    [requiredName]: optional(
      object(
        {
          nodeSelectorTerms: atomicList(nodeSelectorTerm, {
            description: 'Alternatives: a node must match at least one of the terms.',
          }),
        },
        { atomic: true, description: 'Nodes that a pod may be scheduled to. Pods that already run are not affected.' },
      ),
    ),
  },
  { description: 'Constraints on the nodes that pods run on.' },
);

export const affinity = object(
  {
    nodeAffinity: optional(nodeAffinity),
    podAffinity: optional(
      podAffinityOf(
        'Rules that place the pods near other pods.',
        'Locations that the scheduler prefers because selected pods run there, with weights.',
        'Locations that a pod must be scheduled to: selected pods must run there.',
      ),
    ),
    podAntiAffinity: optional(
      podAffinityOf(
        'Rules that keep the pods away from other pods.',
        'Locations that the scheduler avoids because selected pods run there, with weights.',
        'Locations that a pod must not be scheduled to because selected pods run there.',
      ),
    ),
  },
  { description: 'Affinity of the pods. It replaces that of the manifest as a whole.' },
);

export const nodeSelector = map(string(), {
  description: 'Labels that a node must have to run the pods. They replace those of the manifest as a whole.',
});

export const tolerations = list(
  object({
    effect: optional(
      string({
        description: 'Taint effect to tolerate: NoSchedule, PreferNoSchedule or NoExecute. Empty tolerates all.',
      }),
    ),
    key: optional(string({ description: 'Taint key to tolerate. Empty with operator Exists tolerates every key.' })),
    operator: optional(
      string({ description: 'How key and value are compared with the taint: Exists or Equal. Defaults to Equal.' }),
    ),
    tolerationSeconds: optional(
      int64({
        description: 'Seconds for which a NoExecute taint is tolerated. If not set, the taint is tolerated forever.',
      }),
    ),
    value: optional(string({ description: 'Taint value to tolerate with operator Equal.' })),
  }),
  {
    description:
      'Tolerations of the pods. They replace those of the manifest as a whole; an empty list removes all of them.',
  },
);
