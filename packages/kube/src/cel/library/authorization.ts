import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import type { Value } from '../values/index.js';
import { Failure, noSuchOverload, Opaque } from '../values/index.js';
import type { Implementation, Library } from './function.js';
import { asText } from './function.js';

/** An authorization check that an expression requests. Exactly one of `resource` and `path` is set. */
export interface AccessQuestion {
  readonly verb: string;
  readonly path?: string;
  readonly resource?: {
    readonly group: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
    readonly fieldSelector: string;
    readonly labelSelector: string;
  };
  /** The service account to check instead of the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** Why the check failed. A failed check counts as not allowed. */
  readonly error?: string;
}

/** Performs the checks of the `authorizer` variable of admission expressions. */
export interface AccessChecker {
  check(question: AccessQuestion): AccessAnswer;
}

abstract class Check extends Opaque {
  equals(other: Opaque): boolean {
    return this === other;
  }
}

class AuthorizerValue extends Check {
  readonly type: CelType = namedType('Authorizer');

  constructor(
    readonly checker: AccessChecker,
    readonly serviceAccount?: AccessQuestion['serviceAccount'],
  ) {
    super();
  }
}

class PathCheck extends Check {
  readonly type: CelType = namedType('PathCheck');

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly path: string,
  ) {
    super();
  }
}

class GroupCheck extends Check {
  readonly type: CelType = namedType('GroupCheck');

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly group: string,
  ) {
    super();
  }
}

type ResourceQuestion = NonNullable<AccessQuestion['resource']>;

class ResourceCheck extends Check {
  readonly type: CelType = namedType('ResourceCheck');

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly resource: ResourceQuestion,
  ) {
    super();
  }
}

class DecisionValue extends Check {
  readonly type: CelType = namedType('Decision');

  constructor(readonly answer: AccessAnswer) {
    super();
  }
}

/** Returns the value of the `authorizer` variable. */
export function authorizerValue(checker: AccessChecker): Opaque {
  return new AuthorizerValue(checker);
}

/** Returns the value of `authorizer.requestResource`: a check for the resource of the request that lacks only the verb. */
export function requestResourceValue(
  checker: AccessChecker,
  resource: Omit<ResourceQuestion, 'fieldSelector' | 'labelSelector'>,
): Opaque {
  return new ResourceCheck(new AuthorizerValue(checker), { ...resource, fieldSelector: '', labelSelector: '' });
}

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const path: Implementation = (authorizer, text) => {
  if (!(authorizer instanceof AuthorizerValue)) return noSuchOverload();
  return asText(text).trim() === '' ? new Failure('path must not be empty') : new PathCheck(authorizer, asText(text));
};

const group: Implementation = (authorizer, name) =>
  authorizer instanceof AuthorizerValue ? new GroupCheck(authorizer, asText(name)) : noSuchOverload();

const serviceAccount: Implementation = (authorizer, namespace, name) => {
  if (!(authorizer instanceof AuthorizerValue)) return noSuchOverload();
  if (!DNS_SUBDOMAIN.test(asText(name)) || asText(name).length > 253)
    return new Failure('Invalid service account name');
  if (!DNS_LABEL.test(asText(namespace))) return new Failure('Invalid service account namespace');
  return new AuthorizerValue(authorizer.checker, { namespace: asText(namespace), name: asText(name) });
};

const resource: Implementation = (check, name) => {
  if (!(check instanceof GroupCheck)) return noSuchOverload();
  if (asText(name).trim() === '') return new Failure('resource must not be empty');
  const empty = { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };
  return new ResourceCheck(check.authorizer, { group: check.group, resource: asText(name), ...empty });
};

function refine(field: keyof ResourceQuestion): Implementation {
  return (check, text) => {
    if (!(check instanceof ResourceCheck)) return noSuchOverload();
    return new ResourceCheck(check.authorizer, { ...check.resource, [field]: asText(text) });
  };
}

const check: Implementation = (question, verb) => {
  if (question instanceof PathCheck)
    return checkAccess(question.authorizer, { verb: asText(verb), path: question.path });
  if (question instanceof ResourceCheck)
    return checkAccess(question.authorizer, { verb: asText(verb), resource: question.resource });
  return noSuchOverload();
};

function checkAccess(authorizer: AuthorizerValue, question: AccessQuestion): Value {
  return new DecisionValue(authorizer.checker.check({ ...question, serviceAccount: authorizer.serviceAccount }));
}

function answer(read: (answer: AccessAnswer) => Value): Implementation {
  return (decision) => (decision instanceof DecisionValue ? read(decision.answer) : noSuchOverload());
}

export const authorizationLibrary: Library = {
  path: [['authorizer_path', 'Authorizer.(string): PathCheck', path]],
  group: [['authorizer_group', 'Authorizer.(string): GroupCheck', group]],
  serviceAccount: [['authorizer_serviceaccount', 'Authorizer.(string, string): Authorizer', serviceAccount]],
  resource: [['groupcheck_resource', 'GroupCheck.(string): ResourceCheck', resource]],
  subresource: [['resourcecheck_subresource', 'ResourceCheck.(string): ResourceCheck', refine('subresource')]],
  namespace: [['resourcecheck_namespace', 'ResourceCheck.(string): ResourceCheck', refine('namespace')]],
  name: [['resourcecheck_name', 'ResourceCheck.(string): ResourceCheck', refine('name')]],
  fieldSelector: [['authorizer_fieldselector', 'ResourceCheck.(string): ResourceCheck', refine('fieldSelector')]],
  labelSelector: [['authorizer_labelselector', 'ResourceCheck.(string): ResourceCheck', refine('labelSelector')]],
  check: [
    ['pathcheck_check', 'PathCheck.(string): Decision', check],
    ['resourcecheck_check', 'ResourceCheck.(string): Decision', check],
  ],
  allowed: [['decision_allowed', 'Decision.(): bool', answer((given) => given.allowed)]],
  reason: [['decision_reason', 'Decision.(): string', answer((given) => given.reason)]],
  errored: [['decision_errored', 'Decision.(): bool', answer((given) => given.error !== undefined)]],
  error: [['decision_error', 'Decision.(): string', answer((given) => given.error ?? '')]],
};
