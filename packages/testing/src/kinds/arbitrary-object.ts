import { formatApiVersion, type JsonValue, type Kind, type KubeObject, type Schema, schemaOfKind } from '@slipway/kube';
import fc from 'fast-check';
import { arbitraryValue, type Override } from './arbitrary-value.js';

const metadata = fc
  .record(
    {
      annotations: fc.dictionary(fc.constantFrom('a', 'example.com/b'), fc.constantFrom('', 'c'), {
        minKeys: 1,
        noNullPrototype: true,
      }),
      labels: fc.dictionary(fc.constantFrom('d', 'example.com/e'), fc.constantFrom('', 'f'), {
        minKeys: 1,
        noNullPrototype: true,
      }),
      generation: fc.nat(9),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map((rest) => ({ name: 'x', namespace: 'default', uid: 'u', ...rest }));

/** Generates complete objects of one version of a kind. */
export function arbitraryObjectOf(kind: Kind, version: string, override?: Override): fc.Arbitrary<KubeObject> {
  const {
    apiVersion: _apiVersion,
    kind: _kind,
    metadata: _metadata,
    ...properties
  } = schemaOfKind(kind, version).properties ?? {};
  const { required = [] } = schemaOfKind(kind, version);
  const body = arbitraryValue({ type: 'object', properties, required }, override);
  return fc.tuple(metadata, body).map(([meta, fields]) => ({
    apiVersion: formatApiVersion({ group: kind.group, version }),
    kind: kind.kind,
    metadata: meta,
    ...(fields as Record<string, unknown>),
  }));
}

const referenceKinds = ['DevMachineTemplate', 'DevClusterTemplate', 'KubeadmConfig'];

const reference = fc.constantFrom(...referenceKinds).map((kind) => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
  kind,
  name: 'r',
  namespace: 'default',
}));

const node = fc.constantFrom('n1', 'n2').map((name) => ({ apiVersion: 'v1', kind: 'Node', name }));

const duration = fc.constantFrom('0s', '1s', '1m0s', '10m0s', '1h0m0s', '36h0m1s');

const isReference = (schema: Schema): boolean =>
  schema.properties?.['fieldPath'] !== undefined && 'uid' in schema.properties;

const durationField = /(^|\.)(timeout|ttl|retryPeriod|minHealthyPeriod|\w+Timeout|timeoutForControlPlane)$/;

/**
 * Restricts generated objects of an old version to values that the new version can represent: durations in whole seconds,
 * references within the namespace, Nodes by name, and no `lost` fields.
 */
export function expressible(lost: readonly string[], more: Override = () => undefined): Override {
  return (path, schema): fc.Arbitrary<JsonValue> | 'absent' | undefined => {
    if (lost.includes(path)) return 'absent';
    const replaced = more(path, schema);
    if (replaced !== undefined) return replaced;
    if (isReference(schema)) return path.endsWith('nodeRef') ? node : reference;
    return schema.type === 'string' && schema.format === undefined && durationField.test(path) ? duration : undefined;
  };
}

/** Returns the same version for every referenced API group. */
export const referenceVersions = {
  apiVersionOf: (apiGroup: string): string => formatApiVersion({ group: apiGroup, version: 'v1beta1' }),
};
