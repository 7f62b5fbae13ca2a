import {
  type AccessChecker,
  asJson,
  authorizerValue,
  type ExpressionBindings,
  type Frozen,
  type JsonObject,
  type KubeObject,
  requestResourceValue,
} from '@slipway/kube';
import type { AdmissionRequest, Authorizer, Store, UserInfo } from '../contract/index.js';
import type { View } from './matching/equivalents.js';
import type { VersionedObjects } from './matching/versioned-request.js';
import { admissionNamespace, isNamespace } from './refuse.js';
import { reviewedOptions, reviewedRequest } from './request-review.js';

/** Returns the variables of admission expressions. Each variable is computed on first use. */
export function expressionBindings(
  request: AdmissionRequest,
  view: View,
  objects: VersionedObjects,
  authorizer: Authorizer,
): ExpressionBindings {
  const checker = accessChecker(authorizer, request.user);
  return {
    object: objects.object === undefined ? null : asJson(objects.object),
    oldObject: objects.oldObject === undefined ? null : asJson(objects.oldObject),
    request: () => requestValue(request, view),
    authorizer: () => authorizerValue(checker),
    'authorizer.requestResource': () =>
      requestResourceValue(checker, {
        group: request.resource.group,
        resource: request.resource.resource,
        subresource: request.subresource,
        namespace: request.namespace,
        name: request.name,
      }),
    namespaceObject: null,
  };
}

/**
 * Returns the `request` variable. It contains fields that JSON omits when they are empty, because expressions may refer to them.
 */
function requestValue(request: AdmissionRequest, view: View): JsonObject {
  return {
    subResource: '',
    requestSubResource: '',
    name: '',
    namespace: '',
    ...reviewedRequest(request, view),
    ...reviewedOptions(request),
  };
}

/** Returns the Namespace object of the request. Returns null for cluster-scoped objects, Namespaces included. */
export function namespaceObject(request: AdmissionRequest, store: Store): Frozen<KubeObject> | null {
  if (isNamespace(request.resource)) return null;
  const name = admissionNamespace(request);
  if (name === '') return null;
  return store.get({ resource: 'namespaces', namespace: '', name })?.object ?? null;
}

function accessChecker(authorizer: Authorizer, user: UserInfo): AccessChecker {
  return {
    check(question) {
      const { verb, path, resource, serviceAccount } = question;
      const subject = serviceAccount === undefined ? user : serviceAccountUser(serviceAccount);
      const decision = authorizer.authorize({
        user: subject,
        verb,
        ...(path === undefined ? {} : { path }),
        ...(resource === undefined
          ? {}
          : {
              resource: {
                group: resource.group,
                version: '*',
                resource: resource.resource,
                subresource: resource.subresource,
                namespace: resource.namespace,
                name: resource.name,
              },
            }),
      });
      return { allowed: decision.allowed, reason: decision.reason };
    },
  };
}

function serviceAccountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}
