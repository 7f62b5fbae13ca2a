import { canonicalJson, cloneJson, deepFreeze, type Frozen, type KubeObject } from '@slipway/kube';
import fc from 'fast-check';
import type { KindAdmission } from '../admission/index.js';
import type { Conversion } from '../conversion/index.js';
import { everyFeature } from './admission.js';
import { arbitraryObjectOf } from './arbitrary-object.js';

/**
 * Whatever the schema allows can be judged without failing, and defaults settle at once: a second round of them, as
 * happens when a webhook is called again, changes nothing.
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

/** The same for what comes out of an old version, which nobody has checked against the schema of the storage version. */
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
