import type { AdmissionPlugin, AdmissionRequest, Converter } from '@slipway/apiserver';
import {
  cloneJson,
  deepEqual,
  type FieldError,
  type Frozen,
  invalid,
  type KubeObject,
  StatusError,
} from '@slipway/kube';
import { ByResource } from './by-resource.js';
import { type JudgedChange, type KindRules, type KindSet, ruleName } from './kind-set.js';

/**
 * The rules of a set as one step of admission. Refusals read as if a webhook had answered, which is what users of Cluster API
 * know and what tools match on: `admission webhook "validation.cluster.…" denied the request: Cluster… is invalid: …`, with
 * code 422, reason Invalid and one cause a field. A server that is asked by webhook gives the very same Status.
 */
export function createKindAdmission({ name, rules, converters }: KindSet): AdmissionPlugin {
  const byResource = new ByResource(rules.map((each) => entryOf(each, converters.get(each.kind))));
  const find = ({ operation, resource, subresource }: AdmissionRequest): Entry | undefined => {
    if (subresource !== '' || operation === 'CONNECT') return undefined;
    const entry = byResource.get(resource);
    return operation === 'DELETE' && entry?.rules.judge === undefined ? undefined : entry;
  };
  return {
    name: `${name}-kinds`,
    handles: (request) => find(request) !== undefined,
    async mutate(request) {
      const entry = find(request);
      if (entry !== undefined && request.object !== undefined) await applyDefaults(entry, request, request.object);
    },
    async validate(request) {
      const entry = find(request);
      if (entry !== undefined) await validate(entry, request);
    },
  };
}

interface Entry {
  readonly kind: KindRules['kind'];
  readonly rules: KindRules;
  readonly convert: Converter | undefined;
}

function entryOf(rules: KindRules, convert: Converter | undefined): Entry {
  return { kind: rules.kind, rules, convert };
}

async function applyDefaults(
  { kind, rules, convert }: Entry,
  request: AdmissionRequest,
  own: KubeObject,
): Promise<void> {
  const { version } = request.resource;
  if (version === kind.storageVersion || convert === undefined) {
    rules.applyDefaults(own, request.oldObject, request);
    return;
  }
  const { object, old } = await atStorageVersion(kind, convert, request, own);
  const before = cloneJson(object);
  rules.applyDefaults(object, old, request);
  // The way back writes what the old version cannot say into an annotation: not worth it when nothing was added.
  if (deepEqual(before, object)) return;
  const [back] = await convert([object], version);
  request.object = back;
}

async function validate({ kind, rules, convert }: Entry, request: AdmissionRequest): Promise<void> {
  const { dryRun, name, object: own, oldObject } = request;
  const isStorage = request.resource.version === kind.storageVersion || convert === undefined;
  const given = { ...(own && { object: own }), ...(oldObject && { old: oldObject }) };
  const seen: Pick<JudgedChange, 'object' | 'old'> = isStorage
    ? given
    : await bothAtStorageVersion(kind, convert, given);
  const { object, old } = seen;
  const problems = object === undefined ? [] : rules.validate(object, old, request);
  const rule = ruleName('validation', kind);
  const judged = problems.length > 0 ? problems : await judge(rules, { ...seen, dryRun }, rule);
  if (judged.length > 0) throw deniedBy(rule, invalid(kind, own?.metadata.name ?? name, judged));
}

async function judge(rules: KindRules, change: JudgedChange, rule: string): Promise<readonly FieldError[]> {
  try {
    return (await rules.judge?.(change)) ?? [];
  } catch (error) {
    if (error instanceof StatusError) throw deniedBy(rule, error);
    throw error;
  }
}

async function bothAtStorageVersion(
  { storageVersion }: Entry['kind'],
  convert: Converter,
  { object, old }: Pick<JudgedChange, 'object' | 'old'>,
): Promise<Pick<JudgedChange, 'object' | 'old'>> {
  const given = [object, old].filter((each) => each !== undefined);
  const converted = await convert(given, storageVersion);
  if (converted.length !== given.length) throw new TypeError('a converter lost an object');
  const [first, second] = converted;
  if (object === undefined) return first === undefined ? {} : { old: first };
  return { ...(first && { object: first }), ...(second && { old: second }) };
}

async function atStorageVersion(
  { storageVersion }: Entry['kind'],
  convert: Converter,
  { oldObject }: AdmissionRequest,
  own: KubeObject,
): Promise<{ readonly object: KubeObject; readonly old: Frozen<KubeObject> | undefined }> {
  const [object, old] = await convert(oldObject === undefined ? [own] : [own, oldObject], storageVersion);
  if (object === undefined) throw new TypeError('a converter lost an object');
  return { object, old };
}

function deniedBy(rule: string, error: StatusError): StatusError {
  const { code, reason, details, message } = error;
  return new StatusError({
    code,
    reason,
    message: `admission webhook ${JSON.stringify(rule)} denied the request: ${message}`,
    ...(details === undefined ? {} : { details }),
  });
}
