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
import { type ValidatedChange, type KindRules, type KindSet, ruleName } from './kind-set.js';

/**
 * Creates one admission plugin from the rules of a kind set. Denials look like those of a webhook, which Cluster API users know
 * and tools match: `admission webhook "validation.cluster.…" denied the request: Cluster… is invalid: …`, with code 422, reason
 * Invalid and one cause per field. The same rules served as webhooks return an identical Status.
 */
export function createKindAdmission({ name, rules, converters }: KindSet): AdmissionPlugin {
  const byResource = new ByResource(rules.map((each) => entryOf(each, converters.get(each.kind))));
  const find = ({ operation, resource, subresource }: AdmissionRequest): Entry | undefined => {
    if (subresource !== '' || operation === 'CONNECT') return undefined;
    const entry = byResource.get(resource);
    return operation === 'DELETE' && entry?.rules.validateLive === undefined ? undefined : entry;
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
  // Skip the conversion back if defaulting changed nothing: it would add an annotation with the fields that the old version
  // lacks.
  if (deepEqual(before, object)) return;
  const [back] = await convert([object], version);
  request.object = back;
}

async function validate({ kind, rules, convert }: Entry, request: AdmissionRequest): Promise<void> {
  const { dryRun, name, object: own, oldObject } = request;
  const isStorage = request.resource.version === kind.storageVersion || convert === undefined;
  const given = { ...(own && { object: own }), ...(oldObject && { old: oldObject }) };
  const seen: Pick<ValidatedChange, 'object' | 'old'> = isStorage
    ? given
    : await bothAtStorageVersion(kind, convert, given);
  const { object, old } = seen;
  const problems = object === undefined ? [] : rules.validate(object, old, request);
  const rule = ruleName('validation', kind);
  const errors = problems.length > 0 ? problems : await validateLive(rules, { ...seen, dryRun }, rule);
  if (errors.length > 0) throw deniedBy(rule, invalid(kind, own?.metadata.name ?? name, errors));
}

async function validateLive(rules: KindRules, change: ValidatedChange, rule: string): Promise<readonly FieldError[]> {
  try {
    return (await rules.validateLive?.(change)) ?? [];
  } catch (error) {
    if (error instanceof StatusError) throw deniedBy(rule, error);
    throw error;
  }
}

async function bothAtStorageVersion(
  { storageVersion }: Entry['kind'],
  convert: Converter,
  { object, old }: Pick<ValidatedChange, 'object' | 'old'>,
): Promise<Pick<ValidatedChange, 'object' | 'old'>> {
  const given = [object, old].filter((each) => each !== undefined);
  const converted = await convert(given, storageVersion);
  if (converted.length !== given.length) throw new TypeError('conversion returned fewer objects than requested');
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
  if (object === undefined) throw new TypeError('conversion returned fewer objects than requested');
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
