import {
  asObject,
  badRequest,
  formatApiVersion,
  type GroupVersionKind,
  type MutableJsonObject,
  notFound,
} from '@slipway/kube';
import type { ServedResource } from './read.js';
import type { ActAnswer, Caller, SubresourceCreate, WriteOptions } from '../contract/index.js';
import { admissionRequest, beginWrite, type WriteTarget } from './write.js';

/** A POST that runs a function and stores nothing of its own: reviews, tokens, evictions, bindings. */
interface Action {
  readonly kind: GroupVersionKind;
  readonly run: SubresourceCreate;
}

export async function act(
  served: ServedResource,
  caller: Caller,
  target: WriteTarget,
  body: MutableJsonObject,
  options: WriteOptions,
): Promise<ActAnswer> {
  const action = findAction(served, target.subresource ?? '');
  if (action === undefined)
    throw notFound({ group: served.definition.group, resource: served.definition.plural }, target.name);
  claimKind(body, action.kind);
  if (served.definition.namespaced) claimNamespace(body, target.namespace);
  const write = beginWrite(served, caller, target, options);
  const { admission } = served.machinery;
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
    return definition.virtualCreate === undefined ? undefined : { kind, run: definition.virtualCreate };
  }
  const found = definition.subresources.find((one) => one.name === subresource);
  return found?.create === undefined ? undefined : { kind: found.kind, run: found.create };
}

/** The endpoint knows what it takes: a body that does not say gets the kind, one that says something else is refused. */
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

/** Admission sees where a part belongs although its author did not say so. */
function claimNamespace(body: MutableJsonObject, namespace: string): void {
  const { metadata } = body;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return;
  if ((metadata['namespace'] ?? '') === '') metadata['namespace'] = namespace;
}
