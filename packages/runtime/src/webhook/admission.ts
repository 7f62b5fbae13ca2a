import type { JsonObject, KubeObject, MutableJsonObject, Status, StatusError } from '@slipway/kube';

type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The request of an admission.k8s.io/v1 AdmissionReview. */
export interface AdmissionRequest<T extends KubeObject = KubeObject> {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: AdmissionOperation;
  readonly userInfo: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[] };
  /** The new object. The handler owns it, and a mutating handler changes it in place. */
  readonly object?: T | null;
  readonly oldObject?: T | null;
  readonly dryRun?: boolean;
  readonly options?: JsonObject | null;
}

export type AdmissionVerdict =
  | { readonly allowed: true; readonly warnings?: readonly string[] }
  | { readonly allowed: false; readonly error: StatusError; readonly warnings?: readonly string[] };

/**
 * Validates a request and, for a mutating webhook, changes `request.object`. The webhook server calls the function over HTTPS,
 * the embedded server in process. A thrown StatusError denies the request.
 */
export type AdmissionHandler<T extends KubeObject = KubeObject> = (
  request: AdmissionRequest<T>,
) => AdmissionVerdict | void | Promise<AdmissionVerdict | void>;

export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: Partial<Status>;
  patch?: string;
  patchType?: 'JSONPatch';
  warnings?: string[];
}

/** Converts an object to another version of its kind. The handler owns the object. */
export type ConversionHandler = (object: MutableJsonObject, apiVersion: string) => MutableJsonObject;

/**
 * Converts all objects of a ConversionReview, which are of one kind. Must return the same number of objects in the same order.
 */
export type BatchConversionHandler = (
  objects: readonly MutableJsonObject[],
  apiVersion: string,
) => readonly MutableJsonObject[] | Promise<readonly MutableJsonObject[]>;

/** Returns the path that controller-runtime uses for a webhook, so that existing webhook configurations work. */
export function webhookPath(
  purpose: 'validate' | 'mutate',
  resource: { readonly group: string; readonly version: string; readonly kind: string },
): string {
  const group = resource.group.replaceAll('.', '-');
  return `/${purpose}-${group}-${resource.version}-${resource.kind.toLowerCase()}`;
}

export const conversionPath = '/convert';
