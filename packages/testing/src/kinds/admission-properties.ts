import type { Conversion, KindAdmission } from '@slipway/cluster-api';
import { canonicalJson, cloneJson, deepFreeze, type Frozen, type KubeObject } from '@slipway/kube';
import fc from 'fast-check';
import { everyFeature } from './admission.js';
import { arbitraryObjectOf } from './arbitrary-object.js';

/**
 * Checks that validation throws for no object that the schema allows, and that defaulting is idempotent, because a webhook may be
 * called again.
 */
export function checkAdmission(admission: KindAdmission, equal: (actual: string, expected: string) => void): void {
  const { kind } = admission;
  fc.assert(
    fc.property(arbitraryObjectOf(kind, kind.storageVersion), (object) => {
      const first = cloneJson(object) as KubeObject;
      admission.applyDefaults(first, undefined, everyFeature);
      const second = cloneJson(first) as KubeObject;
      admission.applyDefaults(second, deepFreeze(cloneJson(object)) as Frozen<KubeObject>, everyFeature);
      equal(canonicalJson(second), canonicalJson(first));
      const frozen = deepFreeze(first) as Frozen<KubeObject>;
      admission.validate(frozen, undefined, everyFeature);
      admission.validate(frozen, deepFreeze(cloneJson(object)) as Frozen<KubeObject>, everyFeature);
    }),
    { numRuns: 50 },
  );
}

/**
 * Like `checkAdmission`, for objects that were converted from an old version: the storage version's schema never validated them.
 */
export function checkAdmissionOfOld(admission: KindAdmission, conversion: Conversion): void {
  fc.assert(
    fc.property(arbitraryObjectOf(conversion.kind, conversion.version), (object) => {
      const stored = (): KubeObject => conversion.up(deepFreeze(cloneJson(object)) as Frozen<KubeObject>);
      admission.validate(deepFreeze(stored()) as Frozen<KubeObject>, undefined, everyFeature);
      const first = stored();
      admission.applyDefaults(first, undefined, everyFeature);
      const frozen = deepFreeze(first) as Frozen<KubeObject>;
      admission.validate(frozen, deepFreeze(stored()) as Frozen<KubeObject>, everyFeature);
    }),
    { numRuns: 50 },
  );
}
