import { atomicList, map, object, optional, string } from '@slipway/kube/kit';

export const labelSelector = object(
  {
    matchExpressions: optional(
      atomicList(
        object({
          key: string({ description: 'key is the label key that the requirement applies to.' }),
          operator: string({
            description: 'operator relates the key to the values. One of In, NotIn, Exists, DoesNotExist.',
          }),
          values: optional(
            atomicList(string(), {
              description:
                'values are the label values. Required with In and NotIn, not allowed with Exists and DoesNotExist.',
            }),
          ),
        }),
        { description: 'matchExpressions are label requirements. They are ANDed.' },
      ),
    ),
    matchLabels: optional(
      map(string(), {
        description: 'matchLabels are labels that must be present with exactly these values. They are ANDed.',
      }),
    ),
  },
  {
    description:
      'A label query. An object matches if it satisfies matchLabels and all matchExpressions. An empty selector matches all objects.',
    atomic: true,
  },
);
