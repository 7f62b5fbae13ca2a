import type { FieldError } from '@slipway/kube';
import type { SigningRequestStrategies, SubresourceCreate } from '../contract/index.js';
import type { PodHooks } from './core/pod.js';
import type { ServiceNetwork } from './services/service-network.js';
import type { Fields } from './shared/fields.js';

/** Handlers of the review resources, which are create-only. */
export interface ReviewHooks {
  readonly tokenReview: SubresourceCreate;
  readonly selfSubjectReview: SubresourceCreate;
  readonly subjectAccessReview: SubresourceCreate;
  readonly localSubjectAccessReview: SubresourceCreate;
  readonly selfSubjectAccessReview: SubresourceCreate;
  readonly selfSubjectRulesReview: SubresourceCreate;
}

/** Dependencies of CRD validation. */
export interface CustomResourceHooks {
  defaults(definition: Fields): void;
  validateCreate(definition: Fields): readonly FieldError[];
  validateUpdate(definition: Fields, old: Fields): readonly FieldError[];
  validateStatus?(definition: Fields, old: Fields): readonly FieldError[];
}

/** Dependencies of the built-in kinds. Subresources and reviews without a hook are not served. */
export interface BuiltinHooks {
  readonly serviceAccountToken?: SubresourceCreate;
  readonly reviews?: ReviewHooks;
  readonly certificates?: SigningRequestStrategies;
  readonly customResources?: CustomResourceHooks;
  readonly pods?: PodHooks;
  readonly serviceNetwork?: ServiceNetwork;
}
