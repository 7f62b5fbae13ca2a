import {
  asJson,
  asObject,
  badRequest,
  cloneJson,
  deepFreeze,
  formatApiVersion,
  type Frozen,
  type GroupVersionKind,
  internalError,
  invalid,
  invalidField,
  type KubeObject,
  type MutableJson,
  type MutableJsonObject,
  valueAt,
} from '@slipway/kube';
import type {
  AdmissionRequest,
  Answer,
  Caller,
  DecodedBody,
  ScalePaths,
  WriteAnswer,
  WriteOptions,
} from '../contract/index.js';
import { stepsOf, valueAtPath } from './json-path.js';
import type { ServedResource } from './read.js';
import { changeObject } from './update.js';
import { type PatchBody, runDocumentPatch } from './patch.js';
import { admissionRequest, beginWrite, type Write, type WriteTarget } from './write.js';

const scaleKind: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Builds the autoscaling/v1 Scale from the fields of its parent object. An update of the Scale writes these fields. */
export function scaleOf(served: ServedResource, parent: Frozen<KubeObject>): Answer {
  return { object: deepFreeze(buildScale(served, parent)) as Frozen<KubeObject> };
}

export function updateScale(
  served: ServedResource,
  caller: Caller,
  target: WriteTarget,
  body: DecodedBody,
  options: WriteOptions,
): Promise<WriteAnswer> {
  const write = beginWrite(served, caller, target, options);
  caller.requestDecoded?.(asObject(body.value));
  return changeScale(write, () => body.value);
}

export function patchScale(
  served: ServedResource,
  caller: Caller,
  target: WriteTarget,
  patch: PatchBody,
  options: WriteOptions,
): Promise<WriteAnswer> {
  const write = beginWrite(served, caller, target, options);
  return changeScale(write, (parent) => runDocumentPatch(served, patch, cloneJson(asJson(buildScale(served, parent)))));
}

async function changeScale(
  write: Write,
  produce: (parent: Frozen<KubeObject>) => MutableJsonObject,
): Promise<WriteAnswer> {
  const { served } = write;
  const { admission } = served.dependencies;
  let tracked = false;
  const result = await changeObject(write, {
    optionsKind: 'UpdateOptions',
    unconditional: true,
    conditional: false,
    get ownsFields() {
      return !tracked;
    },
    produce: async (old) => {
      tracked = isOwned(old, pathsOf(served).specReplicas);
      const request = scaleRequest(write, completeScale(produce(old)), scaleOf(served, old).object);
      await admission.mutate(request);
      return withReplicas(served, old, checkScale(asJson(request.object as KubeObject), served, write.name));
    },
    reviewPart: (next, old) => scaleRequest(write, buildScale(served, next), scaleOf(served, old).object),
  });
  return { answer: scaleOf(served, result.answer.object), created: false };
}

/** Builds the admission request of a scale. Webhooks and policies receive the Scale, not its parent object. */
function scaleRequest(write: Write, scale: KubeObject, old: Frozen<KubeObject>): AdmissionRequest {
  const request = admissionRequest(write, 'UPDATE', scale, old, 'UpdateOptions');
  return { ...request, kind: scaleKind, signal: write.caller.signal };
}

/** Decodes the body of the request into a Scale. */
function completeScale(body: MutableJsonObject): KubeObject {
  const { spec, metadata, status } = body;
  if (!isOptionalObject(spec) || !isOptionalObject(metadata) || !isOptionalObject(status)) {
    throw badRequest('the body is not a Scale');
  }
  return asObject({
    kind: scaleKind.kind,
    apiVersion: formatApiVersion(scaleKind),
    metadata: metadata ?? {},
    spec: spec ?? {},
    status: { replicas: 0, ...status },
  });
}

function isOptionalObject(value: MutableJson | undefined): value is MutableJsonObject | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

/** Whether a field manager owns the replicas field. If none does, writes through scale record no manager either. */
function isOwned(parent: Frozen<KubeObject>, path: string): boolean {
  const steps = stepsOf(path).map((step) => `f:${step}`);
  return (parent.metadata.managedFields ?? []).some(({ fieldsV1 }) => valueAt(fieldsV1, ...steps) !== undefined);
}

interface Scale {
  readonly replicas: number;
  readonly resourceVersion: string | undefined;
}

function checkScale(scale: MutableJsonObject, served: ServedResource, name: string): Scale {
  const spec = scale['spec'] ?? {};
  const metadata = scale['metadata'] ?? {};
  if (typeof spec !== 'object' || Array.isArray(spec) || typeof metadata !== 'object' || Array.isArray(metadata)) {
    throw badRequest('the body is not a Scale');
  }
  const replicas = spec['replicas'] ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) throw badRequest('spec.replicas must be an integer');
  // Replicas of a custom resource are validated later, with its schema.
  if (replicas < 0 && !served.definition.custom) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidField('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const version = metadata['resourceVersion'];
  return { replicas, resourceVersion: typeof version === 'string' && version !== '' ? version : undefined };
}

function withReplicas(served: ServedResource, old: Frozen<KubeObject>, scale: Scale): KubeObject {
  const next = asObject(cloneJson(asJson(old)));
  if (scale.resourceVersion !== undefined) next.metadata.resourceVersion = scale.resourceVersion;
  const steps = stepsOf(pathsOf(served).specReplicas);
  let node: Record<string, unknown> = next;
  for (const step of steps.slice(0, -1)) {
    if (typeof node[step] !== 'object' || node[step] === null) node[step] = {};
    node = node[step] as Record<string, unknown>;
  }
  node[steps.at(-1) as string] = scale.replicas;
  return next;
}

function buildScale(served: ServedResource, parent: Frozen<KubeObject>): KubeObject {
  const paths = pathsOf(served);
  const replicas = valueAtPath(parent, paths.specReplicas);
  if (typeof replicas !== 'number') {
    throw internalError(`the spec replicas field "${paths.specReplicas}" does not exist`);
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const status: Record<string, unknown> = { replicas: numberOr(valueAtPath(parent, paths.statusReplicas), 0) };
  const selector = paths.labelSelector === undefined ? undefined : valueAtPath(parent, paths.labelSelector);
  if (typeof selector === 'string') status['selector'] = selector;
  else if (selector !== undefined) status['selector'] = selectorText(selector);
  return {
    kind: scaleKind.kind,
    apiVersion: formatApiVersion(scaleKind),
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status,
  } as KubeObject;
}

/** Converts the LabelSelector of built-in workloads to the string form that Scale uses. */
function selectorText(selector: unknown): string {
  const { matchLabels = {}, matchExpressions = [] } = selector as {
    matchLabels?: Record<string, string>;
    matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
  };
  const equalities = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
  });
  return [...equalities, ...expressions].sort().join(',');
}

function pathsOf(served: ServedResource): ScalePaths {
  const { scale } = served.version.subresources;
  if (scale === undefined) throw new Error(`${served.definition.plural} has no scale subresource`);
  return scale;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
