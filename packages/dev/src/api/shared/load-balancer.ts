import { object, optional, string } from '@slipway/kube/kit';
import { nameReferenceV1Beta1 } from '@slipway/cluster-api/schemas';

export const loadBalancer = object({
  customHAProxyConfigTemplateRef: optional(nameReferenceV1Beta1),
  imageRepository: optional(string()),
  imageTag: optional(string()),
});
