import {
  asJson,
  exceedsManagedSize,
  type FieldSet,
  fieldKey,
  fieldManagerName,
  fieldSetOf,
  formatApiVersion,
  type Frozen,
  type JsonObject,
  type KubeObject,
  type ManagedWrite,
  StatusError,
  updateManagedFields,
  type VersionPort,
} from '@slipway/kube';
import type { ResourceVersionDefinition } from '../contract/index.js';
import type { ServedResource } from './read.js';
import type { Write } from './write.js';

/**
 * Maximum size of managedFields in bytes: kube-apiserver cannot store larger ones, because etcd limits a request to this size.
 */
const managedBytesMax = 1_572_864;

/** Begins the step of a large request that computes managedFields. Throws 413 if they would be too large. */
export async function beginOwnership(write: Write, object: JsonObject): Promise<void> {
  const step = write.caller.nextStep?.();
  if (step === undefined) return;
  await step;
  if (!exceedsManagedSize(object, write.served.version.schema, managedBytesMax)) return;
  throw new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: metadata.managedFields would need more than ${managedBytesMax} bytes`,
  });
}

/** Records the caller as manager of the fields that changed between `live` (undefined on create) and `next`. */
export async function trackOwnership(
  write: Write,
  live: Frozen<KubeObject> | undefined,
  next: KubeObject,
): Promise<void> {
  await beginOwnership(write, asJson(next));
  await updateManagedFields({
    ...managedWrite(write),
    live: live === undefined ? undefined : asJson(live),
    next: asJson(next),
  });
}

export function managedWrite(write: Write): ManagedWrite {
  const { definition, version } = write.served;
  const { caller } = write;
  return {
    schema: version.schema,
    manager: fieldManagerName(write.options.fieldManager, write.caller.userAgent),
    apiVersion: requestApiVersion(write.served),
    subresource: write.subresource,
    // Like upstream, record no time for writes through scale.
    now: write.subresource === 'scale' ? undefined : write.context.now,
    resetFields: resetFieldsOf(write),
    ...(caller.nextStep && { nextStep: () => caller.nextStep?.() }),
    ...(version.empty === undefined ? {} : { empty: version.empty }),
    ...(definition.custom || definition.versions.length > 1 ? { versions: versionPort(write.served) } : {}),
  };
}

function versionPort(served: ServedResource): VersionPort {
  const { definition } = served;
  const named = (apiVersion: string): ResourceVersionDefinition | undefined =>
    definition.versions.find((one) => formatApiVersion({ group: definition.group, version: one.name }) === apiVersion);
  return {
    schemaOf(apiVersion) {
      const version = named(apiVersion);
      if (version === undefined && definition.custom) throw invalidVersion(apiVersion);
      return version?.schema;
    },
    async convert(object, apiVersion) {
      const version = named(apiVersion);
      if (version === undefined) throw new Error(`${definition.kind} has no version ${apiVersion}`);
      const [converted] = await definition.convert([object as unknown as Frozen<KubeObject>], version.name);
      if (converted === undefined) throw new Error('conversion returned no object');
      return asJson(converted);
    },
  };
}

/** Returns the error of an apply to an object with managers of a version that was removed from the CRD. */
function invalidVersion(apiVersion: string): StatusError {
  return new StatusError({
    code: 500,
    reason: '',
    message: `request to convert CR to an invalid group/version: ${apiVersion}`,
  });
}

export function requestApiVersion(served: ServedResource): string {
  return formatApiVersion({ group: served.definition.group, version: served.version.name });
}

/** Returns the fields that the endpoint ignores. A write through the endpoint never owns them. */
function resetFieldsOf(write: Write): FieldSet {
  const { version } = write.served;
  if (write.subresource === '' && version.subresources.status) return fieldSetOf([fieldKey('status')]);
  if (write.subresource !== 'status') return fieldSetOf();
  const others = Object.keys(version.schema.properties ?? {}).filter((field) => field !== 'status');
  return fieldSetOf(...others.map((field) => [fieldKey(field)]));
}
