import type { KubeObject } from '@slipway/kube';
import type { ResourceDefinition, SubresourceCreate } from '../../contract/index.js';
import { decodeTyped, messageOfKind } from '../types/index.js';
import { defineBuiltin } from './define-builtin.js';

interface ReviewOptions {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced?: boolean;
}

/** Defines a create-only resource: POST returns a result and nothing is stored. */
export function defineReview(options: ReviewOptions, answer: SubresourceCreate): ResourceDefinition {
  const message = messageOfKind(options.group, 'v1', options.kind) ?? '';
  return {
    ...defineBuiltin({ ...options, namespaced: options.namespaced ?? false, verbs: ['create'] }),
    createOnly(request) {
      decodeTyped(message, request.body as unknown as KubeObject);
      return answer(request);
    },
  };
}
