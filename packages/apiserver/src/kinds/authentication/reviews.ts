import type { ResourceDefinition } from '../../contract/index.js';
import type { ReviewHooks } from '../hooks.js';
import { defineReview } from '../shared/reviews.js';

const group = 'authentication.k8s.io';

export function authenticationReviews(hooks: ReviewHooks): ResourceDefinition[] {
  return [
    defineReview({ group, kind: 'SelfSubjectReview', plural: 'selfsubjectreviews' }, hooks.selfSubjectReview),
    defineReview({ group, kind: 'TokenReview', plural: 'tokenreviews' }, hooks.tokenReview),
  ];
}
