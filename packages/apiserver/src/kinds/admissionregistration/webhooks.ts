import {
  checkDns1035Label,
  checkDns1123Subdomain,
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooMany,
} from '@slipway/kube';
import { validateExpression } from './expressions.js';
import { child, fields, type Fields, fill, has, list, text, texts } from '../shared/fields.js';
import { optionalOneOf, portNumber, problems, qualifiedName, validateSelector } from '../shared/validation.js';

const reviewVersions = ['v1', 'v1beta1'];
const matchConditionsMax = 64;

/** Sets the defaults of one webhook. Mutating webhooks also have a reinvocationPolicy. */
function defaultWebhook(hook: Fields, mutating: boolean): void {
  fill(hook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  if (mutating) fill(hook, { reinvocationPolicy: 'Never' });
  const service = fields(hook.clientConfig).service;
  if (has(service)) fill(service, { port: 443 });
  for (const rule of list(hook.rules)) fill(rule, { scope: '*' });
}

export function validateWebhooks(configuration: Fields): FieldError[] {
  const seen = new Set<string>();
  return list(configuration.webhooks).flatMap((hook, index) => {
    const path = `webhooks[${index}]`;
    const errors = [
      ...validateWebhook(hook, path),
      ...validateReviewVersions(texts(hook.admissionReviewVersions), `${path}.admissionReviewVersions`),
    ];
    const name = text(hook.name);
    if (name !== '' && seen.has(name)) errors.push(duplicateField(`${path}.name`, name));
    seen.add(name);
    return errors;
  });
}

function validateWebhook(hook: Fields, path: string): FieldError[] {
  const effects = ['None', 'NoneOnDryRun'];
  const errors: FieldError[] = [
    ...fullyQualified(`${path}.name`, text(hook.name)),
    ...list(hook.rules).flatMap((rule, index) => validateRule(rule, `${path}.rules[${index}]`)),
    ...optionalOneOf(`${path}.failurePolicy`, hook.failurePolicy, ['Fail', 'Ignore']),
    ...optionalOneOf(`${path}.matchPolicy`, hook.matchPolicy, ['Equivalent', 'Exact']),
  ];
  if (hook.sideEffects === undefined)
    errors.push(requiredField(`${path}.sideEffects`, `must specify one of ${effects.join(', ')}`));
  errors.push(...optionalOneOf(`${path}.sideEffects`, hook.sideEffects, effects));
  const timeout = hook.timeoutSeconds;
  if (typeof timeout === 'number' && (timeout < 1 || timeout > 30)) {
    errors.push(invalidField(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'));
  }
  return [
    ...errors,
    ...validateSelector(hook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateSelector(hook.objectSelector, `${path}.objectSelector`),
    ...optionalOneOf(`${path}.reinvocationPolicy`, hook.reinvocationPolicy, ['IfNeeded', 'Never']),
    ...validateClientConfig(fields(hook.clientConfig), `${path}.clientConfig`),
    ...validateMatchConditions(list(hook.matchConditions), `${path}.matchConditions`),
  ];
}

/** Validates a webhook name, which must have at least three segments: `check.example.com`. */
function fullyQualified(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path)];
  const wrong = checkDns1123Subdomain(name);
  if (wrong.length > 0) return [invalidField(path, name, wrong.join(','))];
  return name.split('.').length < 3
    ? [invalidField(path, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function validateRule(rule: Fields, path: string): FieldError[] {
  const ruleOperations = texts(rule.operations);
  const errors: FieldError[] = [];
  if (ruleOperations.length === 0) errors.push(requiredField(`${path}.operations`));
  if (ruleOperations.length > 1 && ruleOperations.includes('*')) {
    errors.push(
      invalidField(`${path}.operations`, ruleOperations, "if '*' is present, must not specify other operations"),
    );
  }
  errors.push(
    ...ruleOperations.flatMap((operation, index) =>
      optionalOneOf(`${path}.operations[${index}]`, operation, operations),
    ),
  );
  for (const [key, noun] of [
    ['apiGroups', 'API groups'],
    ['apiVersions', 'API versions'],
  ] as const) {
    const values = texts(rule[key]);
    if (values.length === 0) errors.push(requiredField(`${path}.${key}`));
    if (values.length > 1 && values.includes('*')) {
      errors.push(invalidField(`${path}.${key}`, values, `if '*' is present, must not specify other ${noun}`));
    }
  }
  errors.push(...validateResources(texts(rule.resources), `${path}.resources`));
  return [...errors, ...optionalOneOf(`${path}.scope`, rule.scope, ['*', 'Cluster', 'Namespaced'])];
}

function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [requiredField(path)];
  const errors = resources.flatMap((resource, index) => (resource === '' ? [requiredField(`${path}[${index}]`)] : []));
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalidField(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  const subresources = resources.some((resource) => resource.includes('/'));
  if (resources.length > 1 && resources.includes('*') && !subresources) {
    errors.push(
      invalidField(path, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  }
  return errors;
}

function validateReviewVersions(versions: readonly string[], path: string): FieldError[] {
  const accepted = reviewVersions.join(', ');
  if (versions.length === 0) return [requiredField(path, `must specify one of ${accepted}`)];
  const errors = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalidField(`${path}[${index}]`, version, 'duplicate version')];
    return problems(`${path}[${index}]`, version, checkDns1035Label(version));
  });
  if (!versions.some((version) => reviewVersions.includes(version))) {
    errors.push(invalidField(path, versions, `must include at least one of ${accepted}`));
  }
  return errors;
}

/** Validates a clientConfig, which must have either a URL or a service. */
function validateClientConfig(config: Fields, path: string): FieldError[] {
  if ((config.url === undefined) === (config.service === undefined)) {
    return [requiredField(path, 'exactly one of url or service is required')];
  }
  if (config.url !== undefined) return validateUrl(text(config.url), `${path}.url`);
  return validateServiceReference(fields(config.service), `${path}.service`);
}

const urlForm = '; desired format: https://host[/path]';

function validateUrl(value: string, path: string): FieldError[] {
  if (!URL.canParse(value))
    return [requiredField(path, `url must be a valid URL: parse ${JSON.stringify(value)}: invalid URI${urlForm}`)];
  const url = new URL(value);
  const errors: FieldError[] = [];
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') errors.push(invalidField(path, scheme, `'https' is the only allowed URL scheme${urlForm}`));
  if (url.host === '') errors.push(invalidField(path, '', `host must be specified${urlForm}`));
  if (url.username !== '') errors.push(invalidField(path, userOf(url), 'user information is not permitted in the URL'));
  if (url.hash !== '') errors.push(invalidField(path, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '')
    errors.push(invalidField(path, url.search.slice(1), 'query parameters are not permitted in the URL'));
  return errors;
}

function userOf(url: URL): string {
  return url.password === '' ? url.username : `${url.username}:${url.password}`;
}

function validateServiceReference(service: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream swaps the two fields: a missing namespace is reported as a missing name, and the other way round.
  if (text(service.namespace) === '') errors.push(requiredField(`${path}.name`));
  if (text(service.name) === '') errors.push(requiredField(`${path}.namespace`));
  if (portNumber('', service.port).length > 0) {
    errors.push(
      invalidField(`${path}.port`, service.port, 'port is not valid: must be between 1 and 65535, inclusive'),
    );
  }
  const target = text(service.path);
  if (target === '' || target === '/') return errors;
  if (target === '//') return [...errors, invalidField(`${path}.path`, target, 'segment[0] may not be empty')];
  if (!target.startsWith('/')) errors.push(invalidField(`${path}.path`, target, "must start with a '/'"));
  return [...errors, ...validateSegments(target, `${path}.path`)];
}

function validateSegments(target: string, path: string): FieldError[] {
  const segments = target.slice(1).replace(/\/$/, '').split('/');
  return segments.flatMap((segment, index) => {
    if (segment === '') return [invalidField(path, target, `segment[${index}] may not be empty`)];
    return checkDns1123Subdomain(segment).map((why) => invalidField(path, target, `segment[${index}]: ${why}`));
  });
}

export function validateMatchConditions(conditions: readonly Fields[], path: string, params = false): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > matchConditionsMax) errors.push(tooMany(path, conditions.length, matchConditionsMax));
  const seen = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const name = text(condition.name);
    if (text(condition.expression).trim() === '') errors.push(requiredField(`${at}.expression`));
    errors.push(
      ...validateExpression(`${at}.expression`, condition.expression, 'condition', { params, authorizer: true }),
    );
    if (name === '') errors.push(requiredField(`${at}.name`));
    else errors.push(...qualifiedName(`${at}.name`, name));
    if (name !== '' && seen.has(name)) errors.push(duplicateField(`${at}.name`, name));
    seen.add(name);
  }
  return errors;
}

/** Sets the defaults of a webhook configuration. The two kinds differ in one default only. */
export function defaultWebhooks(configuration: Fields, mutating: boolean): void {
  for (const hook of list(configuration.webhooks)) {
    child(hook, 'clientConfig');
    defaultWebhook(hook, mutating);
  }
}
