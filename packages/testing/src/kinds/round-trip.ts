import { type Conversion, conversionDataAnnotation } from '@slipway/cluster-api';
import { cloneJson, deepFreeze, findUnknownFields, type Frozen, type KubeObject, schemaOfKind } from '@slipway/kube';
import fc from 'fast-check';
import { arbitraryObjectOf, expressible, referenceVersions } from './arbitrary-object.js';
import type { Override } from './arbitrary-value.js';

export interface RoundTripOptions {
  /** Fields of the old version that the new version cannot represent. */
  readonly lost?: readonly string[];
  readonly override?: Override;
  /** Changes a generated object of the old version into one that an API server could have stored. */
  readonly settle?: (object: KubeObject) => KubeObject;
  readonly runs?: number;
}

type Expect = (actual: unknown, expected: unknown) => void;

/** Checks that conversion from the storage version to the old version and back loses nothing. */
export function checkNewOldNew(conversion: Conversion, equal: Expect, options: RoundTripOptions = {}): void {
  const { kind, version } = conversion;
  fc.assert(
    fc.property(arbitraryObjectOf(kind, kind.storageVersion), (object) => {
      const frozen = deepFreeze(cloneJson(object)) as Frozen<KubeObject>;
      const old = conversion.down(frozen, referenceVersions.apiVersionOf);
      equal(findUnknownFields(schemaOfKind(kind, version), jsonOf(old)), []);
      equal(conversion.up(deepFreeze(old) as Frozen<KubeObject>), object);
    }),
    { numRuns: options.runs ?? 100 },
  );
}

/**
 * Checks that conversion from the old version to the storage version and back loses only values that the storage version cannot
 * represent.
 */
export function checkOldNewOld(conversion: Conversion, equal: Expect, options: RoundTripOptions = {}): void {
  const { kind, version } = conversion;
  const { lost = [], override, settle = (object) => object } = options;
  fc.assert(
    fc.property(arbitraryObjectOf(kind, version, expressible(lost, override)), (generated) => {
      const object = settle(generated);
      const frozen = deepFreeze(cloneJson(object)) as Frozen<KubeObject>;
      const stored = conversion.up(frozen);
      equal(findUnknownFields(schemaOfKind(kind), jsonOf(stored)), []);
      const back = conversion.down(deepFreeze(stored) as Frozen<KubeObject>, referenceVersions.apiVersionOf);
      equal(withoutData(back), object);
    }),
    { numRuns: options.runs ?? 100 },
  );
}

function jsonOf({ metadata: _metadata, ...object }: KubeObject) {
  return JSON.parse(JSON.stringify(object));
}

function withoutData(object: KubeObject): KubeObject {
  const { annotations: { [conversionDataAnnotation]: _data, ...annotations } = {}, ...metadata } = object.metadata;
  return { ...object, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}
