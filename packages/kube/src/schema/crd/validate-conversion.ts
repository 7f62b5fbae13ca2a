import { type FieldError, forbiddenField, invalidField, notSupported, requiredField } from '../../errors/index.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../validation/names.js';
import type { CustomResourceConversion } from './custom-resource-definition.js';
import { isSet, orEmpty } from './foreign-schema.js';

export interface ConversionRequirements {
  /** Whether at least one ConversionReview version must be one that the server supports. */
  readonly recognisedReviewVersion: boolean;
  /** Returns the problem of a base64 CA bundle. Absent if an invalid bundle is tolerated. */
  readonly caBundleProblem?: ((caBundle: string) => string | undefined) | undefined;
}

const reviewVersions = ['v1', 'v1beta1'];
const clientConfigKey = 'webhookClientConfig';

export function hasRecognisedReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => reviewVersions.includes(version));
}

export function validateConversion(
  conversion: CustomResourceConversion,
  path: string,
  requirements: ConversionRequirements,
): FieldError[] {
  const errors: FieldError[] = [];
  const { webhook } = conversion;
  const strategy: string = orEmpty(conversion.strategy);
  if (strategy === '') errors.push(requiredField(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  if (strategy !== 'Webhook') return [...errors, ...forbidWebhook(webhook, path)];
  validateClientConfig(webhook?.clientConfig, `${path}.${clientConfigKey}`, requirements, errors);
  validateReviewVersions(webhook?.conversionReviewVersions ?? [], path, requirements, errors);
  return errors;
}

function forbidWebhook(webhook: CustomResourceConversion['webhook'], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const text = 'should not be set when strategy is not set to Webhook';
  if (isSet(webhook?.clientConfig)) errors.push(forbiddenField(`${path}.${clientConfigKey}`, text));
  if ((webhook?.conversionReviewVersions?.length ?? 0) > 0) {
    errors.push(forbiddenField(`${path}.conversionReviewVersions`, text));
  }
  return errors;
}

type ClientConfig = NonNullable<NonNullable<CustomResourceConversion['webhook']>['clientConfig']>;

function validateClientConfig(
  config: ClientConfig | undefined,
  path: string,
  requirements: ConversionRequirements,
  errors: FieldError[],
): void {
  if (config === undefined || config === null) {
    errors.push(requiredField(path, 'required when strategy is set to Webhook'));
    return;
  }
  if (isSet(config.url) === isSet(config.service)) {
    errors.push(requiredField(path, 'exactly one of url or service is required'));
  } else if (typeof config.url === 'string') errors.push(...validateWebhookUrl(config.url, `${path}.url`));
  else if (config.service) errors.push(...validateWebhookService(config.service, `${path}.service`));
  const problem = config.caBundle ? requirements.caBundleProblem?.(config.caBundle) : undefined;
  if (problem !== undefined) errors.push(invalidField(`${path}.caBundle`, config.caBundle, problem));
}

const urlForm = '; desired format: https://host[/path]';

/** Validates the URL of a conversion or admission webhook. */
function validateWebhookUrl(text: string, path: string): FieldError[] {
  const { scheme, user, host, query, fragment } = splitUrl(text);
  const errors: FieldError[] = [];
  const fail = (value: string, problem: string): void => {
    errors.push(invalidField(path, value, problem));
  };
  if (scheme !== 'https') fail(scheme, `'https' is the only allowed URL scheme${urlForm}`);
  if (host === '') fail('', `host must be specified${urlForm}`);
  if (user !== undefined) fail(user, 'user information is not permitted in the URL');
  if (fragment !== '') fail(fragment, 'fragments are not permitted in the URL');
  if (query !== '') fail(query, 'query parameters are not permitted in the URL');
  return errors;
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

function splitUrl(text: string): UrlParts {
  const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
  const authority = orEmpty(parts[2]);
  const at = authority.lastIndexOf('@');
  return {
    scheme: orEmpty(parts[1]).toLowerCase(),
    user: at < 0 ? undefined : authority.slice(0, at),
    host: authority.slice(at + 1),
    query: orEmpty(parts[3]),
    fragment: orEmpty(parts[4]),
  };
}

/** Validates the service reference of a conversion or admission webhook. */
function validateWebhookService(
  service: { name?: string; namespace?: string; path?: string; port?: number },
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (orEmpty(service.name) === '') errors.push(requiredField(`${path}.name`));
  if (orEmpty(service.namespace) === '') errors.push(requiredField(`${path}.namespace`));
  const { port } = service;
  if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65535)) {
    const text = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(invalidField(`${path}.port`, port, text));
  }
  if (service.path !== undefined) checkUrlPath(service.path, `${path}.path`, errors);
  return errors;
}

function checkUrlPath(text: string, path: string, errors: FieldError[]): void {
  if (text === '' || text === '/') return;
  if (text === '//') {
    errors.push(invalidField(path, text, 'segment[0] may not be empty'));
    return;
  }
  if (!text.startsWith('/')) errors.push(invalidField(path, text, "must start with a '/'"));
  const inner = text.slice(1);
  const segments = (inner.endsWith('/') ? inner.slice(0, -1) : inner).split('/');
  for (const [index, segment] of segments.entries()) {
    if (segment === '') {
      errors.push(invalidField(path, text, `segment[${index}] may not be empty`));
      continue;
    }
    for (const problem of dns1123SubdomainProblems(segment)) {
      errors.push(invalidField(path, text, `segment[${index}]: ${problem}`));
    }
  }
}

function validateReviewVersions(
  versions: readonly string[],
  conversionPath: string,
  requirements: ConversionRequirements,
  errors: FieldError[],
): void {
  const path = `${conversionPath}.conversionReviewVersions`;
  if (versions.length === 0) {
    errors.push(requiredField(path));
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) {
      errors.push(invalidField(`${path}[${index}]`, version, 'duplicate version'));
      continue;
    }
    seen.add(version);
    for (const problem of dns1035LabelProblems(version)) {
      errors.push(invalidField(`${path}[${index}]`, version, problem));
    }
  }
  if (requirements.recognisedReviewVersion && !hasRecognisedReviewVersion(versions)) {
    errors.push(invalidField(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
}
