import {
  decodeJsonPatch,
  isFields,
  type JsonPatchOperation,
  type MutableJson,
  type MutableJsonObject,
} from '@slipway/kube';
import type { AdmissionRequest } from '../../contract/index.js';
import type { View } from '../matching/equivalents.js';
import type { VersionedObjects } from '../matching/versioned-request.js';
import { reviewedOptions, reviewedRequest } from '../request-review.js';

const group = 'admission.k8s.io';
const supported = ['v1', 'v1beta1'];

/** Returns the first of the webhook's AdmissionReview versions that this server supports. */
export function reviewVersion(versions: readonly string[]): string | undefined {
  return versions.find((version) => supported.includes(version));
}

export function admissionReview(
  version: string,
  uid: string,
  request: AdmissionRequest,
  view: View,
  objects: VersionedObjects,
): object {
  return {
    kind: 'AdmissionReview',
    apiVersion: `${group}/${version}`,
    request: {
      uid,
      ...reviewedRequest(request, view),
      object: objects.object ?? null,
      oldObject: objects.oldObject ?? null,
      ...reviewedOptions(request),
    },
  };
}

/** The verdict of a webhook. */
export interface AdmissionVerdict {
  readonly allowed: boolean;
  readonly status: MutableJsonObject | undefined;
  readonly warnings: readonly string[];
  /** Base64-encoded JSON patch; empty if there is none. */
  readonly patch: string;
  readonly patchType: string;
}

/** Validates and decodes the response of a webhook. Throws an Error that describes the problem. */
export function readReview(answer: MutableJson, version: string, uid: string, mutating: boolean): AdmissionVerdict {
  const review = isFields(answer) ? (answer as MutableJsonObject) : {};
  const { response } = review;
  if (!isFields(response)) throw new Error('webhook response was absent');
  if (version === 'v1') {
    const got = response['uid'] ?? '';
    if (got !== uid) throw new Error(`expected response.uid="${uid}", got ${JSON.stringify(got)}`);
  }
  checkKind(review, version);
  return {
    ...readDecision(response as MutableJsonObject),
    ...readPatch(response as MutableJsonObject, version, mutating),
  };
}

function checkKind(review: MutableJsonObject, version: string): void {
  const [kind, apiVersion] = [textField(review, 'kind'), textField(review, 'apiVersion')];
  if (kind === 'AdmissionReview' && apiVersion === `${group}/${version}`) return;
  // In v1beta1, kind and apiVersion may both be omitted.
  if (version === 'v1beta1' && kind === '' && apiVersion === '') return;
  const expectedKind = `${group}/${version}, Kind=AdmissionReview`;
  throw new Error(
    `expected webhook response of ${expectedKind}, got ${apiVersion === '' ? '/' : apiVersion}, Kind=${kind}`,
  );
}

function readDecision(response: MutableJsonObject): Pick<AdmissionVerdict, 'allowed' | 'status' | 'warnings'> {
  const { allowed, status, warnings } = response;
  if (allowed !== undefined && allowed !== null && typeof allowed !== 'boolean')
    throw new Error('response.allowed is not a boolean');
  return {
    allowed: allowed === true,
    status: isFields(status) ? (status as MutableJsonObject) : undefined,
    warnings: Array.isArray(warnings) ? warnings.filter((text): text is string => typeof text === 'string') : [],
  };
}

function readPatch(
  response: MutableJsonObject,
  version: string,
  mutating: boolean,
): Pick<AdmissionVerdict, 'patch' | 'patchType'> {
  const patch = textField(response, 'patch');
  const given = response['patchType'] ?? undefined;
  const patchType = textField(response, 'patchType');
  if (!mutating) {
    if (version === 'v1' && patch !== '') throw new Error('validating webhook may not return response.patch');
    if (version === 'v1' && given !== undefined)
      throw new Error('validating webhook may not return response.patchType');
    return { patch: '', patchType: '' };
  }
  // v1beta1 supports only one patch type.
  if (version === 'v1beta1') return { patch, patchType: 'JSONPatch' };
  if (patch !== '' && given === undefined)
    throw new Error('webhook returned response.patch but not response.patchType');
  if (patch === '' && given !== undefined)
    throw new Error('webhook returned response.patchType but not response.patch');
  if (given !== undefined && patchType === '')
    throw new Error(`webhook returned invalid response.patchType of ${JSON.stringify(given)}`);
  return { patch, patchType };
}

function textField(object: MutableJsonObject, field: string): string {
  const value = object[field] ?? '';
  if (typeof value !== 'string') throw new Error(`${field} is not a string`);
  return value;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes the patch of a verdict. Throws if it is not a valid JSON patch. */
export function decodePatch(patch: string, parse: (bytes: Buffer) => MutableJson): readonly JsonPatchOperation[] {
  const compact = patch.replace(/[\r\n]/g, '');
  if (!base64.test(compact)) throw new Error('illegal base64 data in response.patch');
  return decodeJsonPatch(parse(Buffer.from(compact, 'base64')));
}
