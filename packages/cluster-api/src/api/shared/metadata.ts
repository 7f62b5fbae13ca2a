import { map, object, optional, string } from '@slipway/kube/kit';

const texts = {
  templateMetadata: 'metadata holds the labels and annotations of the objects created from the template.',
  annotations: 'annotations are annotations for the created objects.',
  labels: 'labels are labels for the created objects.',
};

export const templateMetadata = object(
  {
    annotations: optional(map(string(), { description: texts.annotations })),
    labels: optional(map(string(), { description: texts.labels })),
  },
  { description: texts.templateMetadata, minProperties: 1 },
);

export const templateMetadataV1Beta1 = object(
  {
    annotations: optional(map(string(), { description: texts.annotations })),
    labels: optional(map(string(), { description: texts.labels })),
  },
  { description: texts.templateMetadata },
);
