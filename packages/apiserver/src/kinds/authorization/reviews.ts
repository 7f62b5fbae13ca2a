import type { ResourceDefinition } from '../../contract/index.js';
import type { ReviewHooks } from '../hooks.js';
import { defineReview } from '../shared/reviews.js';

const group = 'authorization.k8s.io';

export function authorizationReviews(hooks: ReviewHooks): ResourceDefinition[] {
  return [
    defineReview(
      { group, kind: 'LocalSubjectAccessReview', plural: 'localsubjectaccessreviews', namespaced: true },
      hooks.localSubjectAccessReview,
    ),
    defineReview(
      { group, kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews' },
      hooks.selfSubjectAccessReview,
    ),
    defineReview(
      { group, kind: 'SelfSubjectRulesReview', plural: 'selfsubjectrulesreviews' },
      hooks.selfSubjectRulesReview,
    ),
    defineReview({ group, kind: 'SubjectAccessReview', plural: 'subjectaccessreviews' }, hooks.subjectAccessReview),
  ];
}
