import {
  asObject,
  badRequest,
  formatApiVersion,
  type GroupVersionKind,
  type MutableJsonObject,
  notFound,
} from '@slipway/kube';
import type { ServedResource } from './read.js';
import type { CreateOnlyAnswer, Caller, SubresourceCreate, WriteOptions } from '../contract/index.js';
import { admissionRequest, beginWrite, type WriteTarget } from './write.js';

/** The handler of POST to a create-only resource, which is not stored: reviews, tokens, evictions, bindings. */
interface Action {
  readonly kind: GroupVersionKind;
  readonly run: SubresourceCreate;
}

export async function createOnly(
  served: ServedResource,
  caller: Caller,
  target: WriteTarget,
  body: MutableJsonObject,
  options: WriteOptions,
): Promise<CreateOnlyAnswer> {
  const action = findAction(served, target.subresource ?? '');
  if (action === undefined)
    throw notFound({ group: served.definition.group, resource: served.definition.plural }, target.name);
  claimKind(body, action.kind);
  if (served.definition.namespaced) claimNamespace(body, target.namespace);
  const write = beginWrite(served, caller, target, options);
  const { admission } = served.dependencies;
  const request = {
    ...admissionRequest(write, 'CREATE', asObject(body), undefined, 'CreateOptions'),
    kind: action.kind,
  };
  await admission.mutate(request);
  await admission.validate(request);
  return action.run({
    namespace: target.namespace,
    name: target.name,
    body,
    user: caller.user,
    dryRun: write.context.dryRun,
    signal: caller.signal,
  });
}

function findAction({ definition, version }: ServedResource, subresource: string): Action | undefined {
  if (subresource === '') {
    const kind = { group: definition.group, version: version.name, kind: definition.kind };
    return definition.createOnly === undefined ? undefined : { kind, run: definition.createOnly };
  }
  const found = definition.subresources.find((one) => one.name === subresource);
  return found?.create === undefined ? undefined : { kind: found.kind, run: found.create };
}

/** Defaults apiVersion and kind of the body to those of the endpoint. Rejects a body of another kind. */
function claimKind(body: MutableJsonObject, expected: GroupVersionKind): void {
  const kind = body['kind'] ?? '';
  if (kind !== '' && kind !== expected.kind) {
    throw badRequest(
      `${JSON.stringify(kind)} cannot be handled as a ${expected.kind}: the body does not match the endpoint`,
    );
  }
  body['kind'] = expected.kind;
  if ((body['apiVersion'] ?? '') === '') body['apiVersion'] = formatApiVersion(expected);
  body['metadata'] ??= {};
}

/** Copies the namespace of the URL to the body for admission, if the body has metadata without a namespace. */
function claimNamespace(body: MutableJsonObject, namespace: string): void {
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return;
  if ((metadata['namespace'] ?? '') === '') metadata['namespace'] = namespace;
}
