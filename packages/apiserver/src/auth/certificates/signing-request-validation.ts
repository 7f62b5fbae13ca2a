import {
  checkDns1123Label,
  checkDns1123Subdomain,
  deepEqual,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  listAt,
  notSupported,
  quoteGo,
  recordAt,
  requiredField,
  tooLong,
} from '@slipway/kube';
import { allUsages, decodePem, isUsage, parseCertificate } from '@slipway/pki';
import {
  type Condition,
  isParsed,
  parseRequest,
  readSigningRequestObject,
  type SigningRequestObject,
  signers,
} from './signing-request-object.js';

export interface UpdateRights {
  /** Whether the update may change the Approved and Denied conditions: through /approval. */
  readonly approve: boolean;
  /** Whether the update may change the certificate: through /status. */
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
  // Print the request as the client sent it: in base64.
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
const signerNameLengthMax = 253 + 253 + 63 + 1 + 1;

function validateSigner(object: SigningRequestObject, old: SigningRequestObject | undefined): FieldError[] {
  const field = 'spec.signerName';
  const name = object.signerName;
  if (name === signers.legacyUnknown && old?.signerName !== signers.legacyUnknown)
    return [invalidField(field, name, 'the legacy signerName is not allowed via this API version')];
  if (name === '') return [requiredField(field)];
  const [domain, path, ...rest] = name.split('/');
  if (domain === undefined || path === undefined || rest.length > 0) return [invalidField(field, name, form)];
  const errors = validateDomain(field, domain);
  errors.push(...labelErrors(field, path, path.split('.'), checkDns1123Subdomain));
  if (name.length > signerNameLengthMax) errors.push(tooLong(field, signerNameLengthMax));
  return errors;
}

function validateDomain(field: string, domain: string): FieldError[] {
  const labels = domain.split('.');
  const errors = domain.length > 253 ? [tooLong(field, 253)] : [];
  errors.push(...labelErrors(field, domain, labels, checkDns1123Label));
  if (labels.length < 2)
    errors.push(invalidField(field, domain, 'should be a domain with at least two segments separated by dots'));
  return errors;
}

/** Validates the parts of a domain or path. Returns the errors of the first invalid part only: other parts would repeat them. */
function labelErrors(
  field: string,
  value: string,
  labels: readonly string[],
  check: (label: string) => readonly string[],
): FieldError[] {
  const bad = labels.find((label) => check(label).length > 0);
  if (bad === undefined) return [];
  return check(bad).map((text) => invalidField(field, value, `validating label ${quoteGo(bad)}: ${text}`));
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
    else if (now.length === before.length && !deepEqual(now, before))
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
