import { atomicList, map, object, optional, string } from '@slipway/kube/kit';

export const labelSelector = object(
  {
    matchExpressions: optional(
      atomicList(
        object({
          key: string(),
          operator: string(),
          values: optional(atomicList(string())),
        }),
      ),
    ),
    matchLabels: optional(map(string())),
  },
  { description: 'Selects objects by their labels.', atomic: true },
);
