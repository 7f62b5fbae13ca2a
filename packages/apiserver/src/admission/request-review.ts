import type { JsonObject, JsonValue } from '@slipway/kube';
import type { AdmissionRequest, UserInfo } from '../contract/index.js';
import { concernsPart, type View } from './matching/equivalents.js';
import { admissionNamespace } from './refuse.js';

/** Builds an AdmissionRequest without uid and objects, as sent to webhooks and as `request` in expressions. */
export function reviewedRequest(request: AdmissionRequest, view: View): JsonObject {
  const { subresource, name } = request;
  const namespace = admissionNamespace(request);
  return {
    kind: { ...(concernsPart(request, view) ? request.kind : view.kind) },
    resource: { ...view.resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { ...request.kind },
    requestResource: { ...request.resource },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation: request.operation,
    userInfo: userInfoOf(request.user),
  };
}

function userInfoOf(user: UserInfo): JsonObject {
  return {
    username: user.username,
    ...((user.uid ?? '') === '' ? {} : { uid: user.uid as string }),
    ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  };
}

/** Builds the fields that follow the objects in an AdmissionRequest. */
export function reviewedOptions(request: AdmissionRequest): JsonObject {
  return { dryRun: request.dryRun, options: request.options as Record<string, JsonValue> };
}
