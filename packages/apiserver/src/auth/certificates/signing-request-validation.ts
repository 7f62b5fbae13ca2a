import { allUsages, decodePem, isUsage, parseCertificate } from '@slipway/base';
import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupported,
  requiredField,
  tooLong,
} from '@slipway/kube';
import { listAt, recordAt } from '../fields.js';
import { quoteGo } from '../go-format.js';
import { jsonEqual } from '../json-equal.js';
import {
  type Condition,
  isParsed,
  parseRequest,
  readSigningRequestObject,
  type SigningRequestObject,
  signers,
} from './signing-request-object.js';

export interface UpdateRights {
  /** Through /approval. */
  readonly approve: boolean;
  /** Through /status. */
  readonly sign: boolean;
}

export function validateSigningRequest(object: unknown, old?: unknown): FieldError[] {
  const read = readSigningRequestObject(object);
  const before = old === undefined ? undefined : readSigningRequestObject(old);
  return [
    ...validateRequest(read),
    ...validateUsages(read, before),
    ...validateSigner(read, before),
    ...validateExpiration(read),
    ...validateConditions(read, before),
    ...validateCertificate(read, before),
  ];
}

export function validateSigningRequestUpdate(object: unknown, old: unknown, rights: UpdateRights): FieldError[] {
  return [
    ...validateSigningRequest(object, old),
    ...validateConditionChanges(object, old, rights),
    ...validateCertificateChange(object, old, rights),
  ];
}

function validateRequest(object: SigningRequestObject): FieldError[] {
  const parsed = parseRequest(object);
  const problem = isParsed(parsed)
    ? parsed.signatureValid
      ? undefined
      : 'x509: signature is not valid'
    : parsed.problem;
  if (problem === undefined) return [];
  // The bytes are printed in base64, as they came.
  return [invalidField('spec.request', Buffer.from(object.request).toString('base64'), problem)];
}

function validateUsages(object: SigningRequestObject, old: SigningRequestObject | undefined): FieldError[] {
  const { usages } = object;
  if (usages.length === 0) return [requiredField('spec.usages')];
  const errors: FieldError[] = [];
  const unknownBefore = old?.usages.some((usage) => !isUsage(usage)) ?? false;
  const repeatedBefore = old !== undefined && new Set(old.usages).size < old.usages.length;
  usages.forEach((usage, index) => {
    if (!unknownBefore && !isUsage(usage)) errors.push(notSupported(`spec.usages[${index}]`, usage, allUsages));
  });
  usages.forEach((usage, index) => {
    if (!repeatedBefore && usages.indexOf(usage) < index) errors.push(duplicateField(`spec.usages[${index}]`, usage));
  });
  return errors;
}

const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
const labelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const signerNameLengthMax = 253 + 253 + 63 + 1 + 1;

function validateSigner(object: SigningRequestObject, old: SigningRequestObject | undefined): FieldError[] {
  const field = 'spec.signerName';
  const name = object.signerName;
  if (name === signers.legacyUnknown && old?.signerName !== signers.legacyUnknown)
    return [invalidField(field, name, 'the legacy signerName is not allowed via this API version')];
  if (name === '') return [requiredField(field)];
  const [domain = '', path = '', ...rest] = name.split('/');
  if (rest.length > 0 || !name.includes('/')) return [invalidField(field, name, form)];
  const errors: FieldError[] = [];
  if (domain.length > 253) errors.push(tooLong(field, 253));
  const labels = domain.split('.');
  const badLabel = labels.find((label) => label.length > 63 || !labelPattern.test(label));
  if (badLabel !== undefined) errors.push(labelError(field, domain, badLabel, labelText, 63));
  if (labels.length < 2)
    errors.push(invalidField(field, domain, 'should be a domain with at least two segments separated by dots'));
  const badPart = path.split('.').find((part) => part.length > 253 || !labelPattern.test(part));
  if (badPart !== undefined) errors.push(labelError(field, path, badPart, subdomainText, 253));
  if (name.length > signerNameLengthMax) errors.push(tooLong(field, signerNameLengthMax));
  return errors;
}

function labelError(field: string, value: string, label: string, text: string, max: number): FieldError {
  const why = label.length > max ? `must be no more than ${max} bytes` : text;
  return invalidField(field, value, `validating label ${quoteGo(label)}: ${why}`);
}

function validateExpiration(object: SigningRequestObject): FieldError[] {
  const seconds = object.expirationSeconds;
  if (seconds === undefined || seconds >= 600) return [];
  return [
    invalidField('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'),
  ];
}

const field = 'status.conditions';
const onlyTrue = ['Approved', 'Denied', 'Failed'];

function validateConditions(object: SigningRequestObject, old: SigningRequestObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const before = old?.conditions ?? [];
  const repeatedBefore = new Set(before.map((condition) => condition.type)).size < before.length;
  const emptyBefore = before.some((condition) => condition.type === '');
  const bothBefore = ['Approved', 'Denied'].every((type) => before.some((condition) => condition.type === type));
  object.conditions.forEach((condition, index) => {
    const at = `${field}[${index}]`;
    if (condition.type === '' && !emptyBefore) errors.push(requiredField(`${at}.type`));
    errors.push(...validateConditionStatus(condition, at));
    const other = condition.type === 'Approved' ? 'Denied' : condition.type === 'Denied' ? 'Approved' : undefined;
    if (other !== undefined && seen.has(other) && !bothBefore)
      errors.push(invalidField(field, condition.type, 'Approved and Denied conditions are mutually exclusive'));
    if (seen.has(condition.type) && !repeatedBefore) errors.push(duplicateField(`${at}.type`, condition.type));
    seen.add(condition.type);
  });
  return errors;
}

function validateConditionStatus(condition: Condition, at: string): FieldError[] {
  const allowed = onlyTrue.includes(condition.type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (condition.status === '') return [requiredField(`${at}.status`)];
  return allowed.includes(condition.status) ? [] : [notSupported(`${at}.status`, condition.status, allowed)];
}

function validateCertificate(object: SigningRequestObject, old: SigningRequestObject | undefined): FieldError[] {
  if (old !== undefined && old.certificate === object.certificate) return [];
  const problem = certificateProblem(object.certificate);
  return problem === undefined ? [] : [invalidField('status.certificate', '<certificate data>', problem)];
}

function certificateProblem(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const blocks = decodePem(Buffer.from(base64, 'base64').toString('utf8'));
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const block of blocks) {
    if (block.label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quoteGo(block.label)}`;
    if (block.hasHeaders) return 'no PEM block headers are permitted';
    try {
      parseCertificate(block.der);
    } catch {
      return 'x509: malformed certificate';
    }
  }
  return undefined;
}

function conditionsOfType(object: unknown, type: string): unknown[] {
  return listAt(recordAt(object, 'status'), 'conditions').filter(
    (condition) => typeof condition === 'object' && condition !== null && (condition as Condition).type === type,
  );
}

function validateConditionChanges(object: unknown, old: unknown, rights: UpdateRights): FieldError[] {
  const errors: FieldError[] = [];
  for (const type of onlyTrue) {
    if (conditionsOfType(object, type).length < conditionsOfType(old, type).length)
      errors.push(forbiddenField(field, `updates may not remove a condition of type "${type}"`));
  }
  if (rights.approve) return errors;
  for (const type of ['Approved', 'Denied']) {
    const [now, before] = [conditionsOfType(object, type), conditionsOfType(old, type)];
    if (now.length > before.length)
      errors.push(forbiddenField(field, `updates may not add a condition of type "${type}"`));
    else if (now.length === before.length && !jsonEqual(now, before))
      errors.push(forbiddenField(field, `updates may not modify a condition of type "${type}"`));
  }
  return errors;
}

function validateCertificateChange(object: unknown, old: unknown, rights: UpdateRights): FieldError[] {
  const now = readSigningRequestObject(object).certificate;
  const before = readSigningRequestObject(old).certificate;
  if (now === before) return [];
  if (!rights.sign) return [forbiddenField('status.certificate', 'updates may not set certificate content')];
  return before === ''
    ? []
    : [forbiddenField('status.certificate', 'updates may not modify existing certificate content')];
}
