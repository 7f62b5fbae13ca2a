import {
  aggregateText,
  badRequest,
  type FieldError,
  invalid,
  invalidField,
  isFields,
  listAt,
  type MutableJsonObject,
  recordAt,
  requiredField,
  textAt,
  textsAt,
} from '@slipway/kube';
import type { AccessRequest, Authorizer, SubresourceCreate, UserInfo } from '../../contract/index.js';
import { nodeNameOf } from '../node/node-identity.js';
import type { RbacIndex } from '../rbac/index.js';
import { requiredFields } from '../required-fields.js';

const group = 'authorization.k8s.io';
const oneOf = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

/** Handles POST subjectaccessreviews. */
export function createSubjectAccessReview(authorizer: Authorizer): SubresourceCreate {
  return ({ body }) => {
    const spec = recordAt(body, 'spec');
    refuseInvalid([
      ...validateSpec(spec),
      ...validateSubject(spec),
      ...validateSelectors(spec),
      ...validateMetadata(body),
    ]);
    return Promise.resolve(decide(authorizer, body, subjectOf(spec)));
  };
}

/** Handles POST namespaces/<ns>/localsubjectaccessreviews. */
export function createLocalSubjectAccessReview(authorizer: Authorizer): SubresourceCreate {
  return ({ body, namespace }) => {
    const spec = recordAt(body, 'spec');
    refuseInvalid([
      ...validateSpec(spec),
      ...validateSubject(spec),
      ...validateSelectors(spec),
      ...validateLocal(body, spec, namespace),
    ]);
    return Promise.resolve(decide(authorizer, body, subjectOf(spec)));
  };
}

/** Handles POST selfsubjectaccessreviews. */
export function createSelfSubjectAccessReview(authorizer: Authorizer): SubresourceCreate {
  return ({ body, user }) => {
    const spec = recordAt(body, 'spec');
    refuseInvalid([...validateSpec(spec), ...validateSelectors(spec), ...validateMetadata(body)]);
    return Promise.resolve(decide(authorizer, body, user));
  };
}

/** Handles POST selfsubjectrulesreviews: returns the caller's permissions in a namespace. */
export function createSelfSubjectRulesReview(index: RbacIndex): SubresourceCreate {
  return ({ body, user }) => {
    const namespace = textAt(recordAt(body, 'spec'), 'namespace');
    if (namespace === '') throw badRequest('no namespace on request');
    const { rules, errors } = index.rulesFor(user, namespace);
    const resourceRules = rules.filter((rule) => rule.resources !== undefined);
    const urlRules = rules.filter((rule) => rule.nonResourceURLs !== undefined);
    const isNode = nodeNameOf(user) !== undefined;
    const status: MutableJsonObject = {
      resourceRules: resourceRules.map((rule) => ({
        verbs: [...rule.verbs],
        apiGroups: [...(rule.apiGroups ?? [])],
        resources: [...(rule.resources ?? [])],
        ...(rule.resourceNames === undefined ? {} : { resourceNames: [...rule.resourceNames] }),
      })),
      nonResourceRules: urlRules.map((rule) => ({
        verbs: [...rule.verbs],
        nonResourceURLs: [...(rule.nonResourceURLs ?? [])],
      })),
      incomplete: isNode,
    };
    const problems = isNode ? ['node authorizer does not support user rule resolution', ...errors] : errors;
    if (problems.length > 0) status['evaluationError'] = aggregateText(problems);
    const object = { kind: 'SelfSubjectRulesReview', apiVersion: `${group}/v1`, metadata: {}, spec: {}, status };
    return Promise.resolve({ code: 201, object });
  };
}

function decide(
  authorizer: Authorizer,
  body: MutableJsonObject,
  user: UserInfo,
): { code: number; object: MutableJsonObject } {
  const decision = authorizer.authorize(requestOf(recordAt(body, 'spec'), user));
  body['status'] =
    decision.reason === '' ? { allowed: decision.allowed } : { allowed: decision.allowed, reason: decision.reason };
  return { code: 201, object: body };
}

function requestOf(spec: unknown, user: UserInfo): AccessRequest {
  const resource = recordAt(spec, 'resourceAttributes');
  if (resource === undefined) {
    const other = recordAt(spec, 'nonResourceAttributes');
    return { user, verb: textAt(other, 'verb'), path: textAt(other, 'path') };
  }
  return {
    user,
    verb: textAt(resource, 'verb'),
    resource: {
      group: textAt(resource, 'group'),
      version: textAt(resource, 'version') || '*',
      resource: textAt(resource, 'resource'),
      subresource: textAt(resource, 'subresource'),
      namespace: textAt(resource, 'namespace'),
      name: textAt(resource, 'name'),
      requiredFields: requiredFieldsOf(recordAt(resource, 'fieldSelector')),
    },
  };
}

function requiredFieldsOf(selector: unknown): Readonly<Record<string, string>> {
  const single = listAt(selector, 'requirements').flatMap((one) => {
    const [value, ...others] = textsAt(one, 'values');
    return textAt(one, 'operator') === 'In' && value !== undefined && others.length === 0
      ? [[textAt(one, 'key'), value] as const]
      : [];
  });
  return { ...requiredFields(textAt(selector, 'rawSelector')), ...Object.fromEntries(single) };
}

function subjectOf(spec: unknown): UserInfo {
  const extra = Object.entries(recordAt(spec, 'extra') ?? {}).filter(([, values]) => Array.isArray(values));
  return {
    username: textAt(spec, 'user'),
    uid: textAt(spec, 'uid'),
    groups: textsAt(spec, 'groups'),
    extra: Object.fromEntries(extra) as Record<string, readonly string[]>,
  };
}

/** Throws if there are errors. Upstream passes an empty kind here, so the message is `.authorization.k8s.io "" is invalid`. */
function refuseInvalid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group, kind: '' }, '', errors);
}

function validateSpec(spec: unknown): FieldError[] {
  const both = recordAt(spec, 'nonResourceAttributes');
  const resource = recordAt(spec, 'resourceAttributes');
  if ((both === undefined) !== (resource === undefined)) return [];
  if (both === undefined) return [invalidField('spec.resourceAttributes', undefined, oneOf)];
  // Upstream prints its internal Go type here, whose field names are upper case.
  const printed = { Path: textAt(both, 'path'), Verb: textAt(both, 'verb') };
  return [
    invalidField('spec.nonResourceAttributes', printed, 'cannot be specified in combination with resourceAttributes'),
  ];
}

function validateSubject(spec: unknown): FieldError[] {
  if (textAt(spec, 'user') !== '' || textsAt(spec, 'groups').length > 0) return [];
  return [invalidField('spec.user', '', 'at least one of user or group must be specified')];
}

function validateSelectors(spec: unknown): FieldError[] {
  const resource = recordAt(spec, 'resourceAttributes');
  return ['fieldSelector', 'labelSelector'].flatMap((key) => {
    const selector = recordAt(resource, key);
    if (selector === undefined) return [];
    const field = `spec.resourceAttributes.${key}`;
    const raw = textAt(selector, 'rawSelector');
    const requirements = listAt(selector, 'requirements');
    if (raw !== '' && requirements.length > 0)
      return [invalidField(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements')];
    if (raw === '' && requirements.length === 0)
      return [
        requiredField(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`),
      ];
    return [];
  });
}

function validateMetadata(body: MutableJsonObject): FieldError[] {
  const metadata = filledMetadata(body);
  return Object.keys(metadata).length === 0 ? [] : [invalidField('metadata', metadata, 'must be empty')];
}

function validateLocal(body: MutableJsonObject, spec: unknown, namespace: string): FieldError[] {
  const errors: FieldError[] = [];
  const { namespace: _namespace, ...metadata } = filledMetadata(body);
  if (Object.keys(metadata).length > 0)
    errors.push(invalidField('metadata', filledMetadata(body), 'must be empty except for namespace'));
  const resource = recordAt(spec, 'resourceAttributes');
  const requested = textAt(resource, 'namespace');
  if (resource !== undefined && requested !== namespace)
    errors.push(invalidField('spec.resourceAttributes.namespace', requested, 'must match metadata.namespace'));
  const other = recordAt(spec, 'nonResourceAttributes');
  if (other !== undefined) {
    const printed = { Path: textAt(other, 'path'), Verb: textAt(other, 'verb') };
    errors.push(invalidField('spec.nonResourceAttributes', printed, 'disallowed on this kind of request'));
  }
  return errors;
}

/** Returns the metadata without empty fields and without fields that the server sets. */
function filledMetadata(body: MutableJsonObject): Record<string, unknown> {
  const metadata = recordAt(body, 'metadata') ?? {};
  const ignored = new Set(['managedFields', 'creationTimestamp']);
  return Object.fromEntries(Object.entries(metadata).filter(([key, value]) => !ignored.has(key) && !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
}
