import { object, optional, refine, string } from '@slipway/kube/kit';
import { nameReferenceV1Beta1 } from '@slipway/cluster-api/schemas';

export const loadBalancer = object(
  {
    customHAProxyConfigTemplateRef: optional(
      refine(nameReferenceV1Beta1, {
        description:
          'customHAProxyConfigTemplateRef refers to a ConfigMap, in the same namespace, with a template of the HAProxy configuration in the key value.',
      }),
    ),
    imageRepository: optional(string({ description: 'imageRepository is the repository of the load balancer image.' })),
    imageTag: optional(string({ description: 'imageTag is the tag of the load balancer image.' })),
  },
  { description: 'loadBalancer configures the load balancer in front of the API servers.' },
);
