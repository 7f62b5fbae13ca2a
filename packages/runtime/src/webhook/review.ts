import {
  asJson,
  badRequest,
  cloneJson,
  internalError,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type MutableJsonObject,
  StatusError,
  stringifyJson,
} from '@slipway/kube';
import type {
  AdmissionHandler,
  AdmissionRequest,
  AdmissionResponse,
  AdmissionVerdict,
  BatchConversionHandler,
  ConversionHandler,
} from './admission.js';
import { jsonDiff } from './json-diff.js';

const warningsMax = 100;

/** Responds to an AdmissionReview. Throws BadRequest if the review is invalid. A handler that fails denies the request. */
export async function reviewAdmission(
  body: MutableJsonObject,
  handler: AdmissionHandler,
  options: { readonly mutating: boolean },
): Promise<JsonObject> {
  const request = decodeRequest(body);
  const before = options.mutating && request.object ? cloneJson(asJson(request.object)) : undefined;
  const verdict = await admit(handler, request);
  const response = respond(request.uid, verdict);
  if (verdict.allowed && before !== undefined && request.object) {
    const patch = jsonDiff(before as JsonValue, asJson(request.object));
    if (patch.length > 0) {
      response.patchType = 'JSONPatch';
      response.patch = Buffer.from(stringifyJson(patch)).toString('base64');
    }
  }
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: response as unknown as JsonObject };
}

function decodeRequest(body: MutableJsonObject): AdmissionRequest {
  if (body['apiVersion'] !== 'admission.k8s.io/v1' || body['kind'] !== 'AdmissionReview')
    throw badRequest('the body is not an AdmissionReview of admission.k8s.io/v1');
  const request = body['request'];
  if (typeof request !== 'object' || request === null || Array.isArray(request) || typeof request['uid'] !== 'string')
    throw badRequest('the AdmissionReview has no request with a uid');
  return request as unknown as AdmissionRequest;
}

/** Calls a handler and converts any result or exception into a verdict. Also used by in-process callers. */
export async function admit(handler: AdmissionHandler, request: AdmissionRequest): Promise<AdmissionVerdict> {
  try {
    return (await handler(request)) ?? { allowed: true };
  } catch (error) {
    if (error instanceof StatusError) return { allowed: false, error };
    return { allowed: false, error: internalError(error instanceof Error ? error.message : String(error)) };
  }
}

function respond(uid: string, verdict: AdmissionVerdict): AdmissionResponse {
  const response: AdmissionResponse = { uid, allowed: verdict.allowed };
  if (verdict.warnings !== undefined && verdict.warnings.length > 0)
    response.warnings = verdict.warnings.slice(0, warningsMax);
  if (verdict.allowed) return response;
  const { message, reason, code, details } = verdict.error.toStatus();
  response.status = { status: 'Failure', message, reason, code, ...(details === undefined ? {} : { details }) };
  return response;
}

/** Responds to a ConversionReview with all objects converted, or with a failure and its cause. */
export function reviewConversion(body: MutableJsonObject, convert: ConversionHandler): JsonObject {
  const request = decodeConversion(body);
  const { uid } = request;
  try {
    const convertedObjects = request.objects.map((object) => convertOne(object, request.desiredAPIVersion, convert));
    return conversionAnswer({ uid, convertedObjects, result: { status: 'Success' } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return conversionAnswer({ uid, convertedObjects: [], result: { status: 'Failure', message } });
  }
}

/** Responds to a ConversionReview with one call for all its objects. */
export async function reviewConversions(body: MutableJsonObject, convert: BatchConversionHandler): Promise<JsonObject> {
  const { uid, objects, desiredAPIVersion } = decodeConversion(body);
  try {
    const identities = objects.map(identityOf);
    const results = await convert(objects, desiredAPIVersion);
    if (results.length !== objects.length)
      throw new TypeError(`conversion of ${objects.length} objects returned ${results.length} objects`);
    const convertedObjects = identities.map((identity, index) =>
      checked(identity, desiredAPIVersion, results[index] as unknown as KubeObject),
    );
    return conversionAnswer({ uid, convertedObjects, result: { status: 'Success' } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return conversionAnswer({ uid, convertedObjects: [], result: { status: 'Failure', message } });
  }
}

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly MutableJsonObject[];
}

function decodeConversion(body: MutableJsonObject): ConversionRequest {
  if (body['apiVersion'] !== 'apiextensions.k8s.io/v1' || body['kind'] !== 'ConversionReview')
    throw badRequest('the body is not a ConversionReview of apiextensions.k8s.io/v1');
  const request = body['request'];
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    throw badRequest('the ConversionReview has no request');
  const { uid, desiredAPIVersion, objects } = request;
  if (typeof uid !== 'string' || typeof desiredAPIVersion !== 'string' || !Array.isArray(objects))
    throw badRequest('the ConversionReview must have uid, desiredAPIVersion and objects');
  return { uid, desiredAPIVersion, objects: objects as MutableJsonObject[] };
}

function convertOne(object: MutableJsonObject, apiVersion: string, convert: ConversionHandler): MutableJsonObject {
  if (object['apiVersion'] === apiVersion) return object;
  const identity = identityOf(object);
  return checked(identity, apiVersion, convert(object, apiVersion) as unknown as KubeObject);
}

interface Identity {
  readonly kind: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
}

function identityOf(object: MutableJsonObject): Identity {
  const { kind, metadata } = object as unknown as KubeObject;
  const { name, namespace, uid } = metadata;
  return { kind, name, namespace, uid };
}

/**
 * Checks that the conversion kept the identity of an object. The server would reject the whole review without naming the object.
 */
function checked({ kind, name, namespace, uid }: Identity, apiVersion: string, result: KubeObject): MutableJsonObject {
  if (result.apiVersion !== apiVersion || result.kind !== kind)
    throw new TypeError(
      `conversion of ${kind} ${name} to ${apiVersion} returned ${result.kind} of ${result.apiVersion}`,
    );
  const after = result.metadata;
  if (after.name !== name || after.namespace !== namespace || after.uid !== uid)
    throw new TypeError(`conversion of ${kind} ${name} to ${apiVersion} changed its name, namespace or uid`);
  return asJson(result);
}

function conversionAnswer(response: JsonObject): JsonObject {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response };
}
