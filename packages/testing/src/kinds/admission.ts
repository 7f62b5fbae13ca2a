import {
  type AdmissionContext,
  defaultAdmissionContext,
  featureGateDefaults,
  type KindAdmission,
} from '@slipway/cluster-api';
import { formatApiVersion, formatFieldError, type Frozen, type Kind, type KubeObject } from '@slipway/kube';

/** Admission context with all feature gates enabled, so that tests reach the rules behind them. */
export const everyFeature: AdmissionContext = {
  ...defaultAdmissionContext,
  features: Object.fromEntries(
    Object.keys(featureGateDefaults).map((gate) => [gate, true]),
  ) as AdmissionContext['features'],
};

export function admissionOf(admissions: readonly KindAdmission[], kind: string): KindAdmission {
  const found = admissions.find((admission) => admission.kind.kind === kind);
  if (found === undefined) throw new Error(`no admission is declared for ${kind}`);
  return found;
}

/** Returns an object of a kind at its storage version. */
export function objectOfKind(kind: Kind, spec: object, metadata: KubeObject['metadata'] = {}): KubeObject {
  const apiVersion = formatApiVersion({ group: kind.group, version: kind.storageVersion });
  return { apiVersion, kind: kind.kind, metadata: { name: 'x', namespace: 'ns', ...metadata }, spec };
}

/** Returns the formatted validation errors of an object. */
export function problemsOf(
  admission: KindAdmission,
  object: KubeObject,
  old?: KubeObject,
  context: AdmissionContext = everyFeature,
): string[] {
  const frozen = (value: KubeObject) => value as Frozen<KubeObject>;
  return admission.validate(frozen(object), old && frozen(old), context).map(formatFieldError);
}
