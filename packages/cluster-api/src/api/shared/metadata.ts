import { map, object, optional, string } from '@slipway/kube/kit';

export const templateMetadata = object(
  {
    annotations: optional(map(string())),
    labels: optional(map(string())),
  },
  { description: 'Labels and annotations for the objects made from the template.', minProperties: 1 },
);

export const templateMetadataV1Beta1 = object({
  annotations: optional(map(string())),
  labels: optional(map(string())),
});
