import { type FieldError, formatFieldError, type Frozen, type KubeObject } from '@slipway/kube';
import type { ResourceDefinition, WriteContext, WriteStrategy } from '../contract/index.js';

const testNow = Date.UTC(2024, 0, 2, 3, 4, 5);

export const testContext: WriteContext = {
  user: { username: 'somebody', groups: [] },
  now: testNow,
  dryRun: false,
  subresource: '',
  requestName: '',
  warn: () => undefined,
};

export interface Outcome {
  readonly object: KubeObject;
  /** Validation errors as a client reads them. */
  readonly errors: readonly string[];
}

function texts(errors: readonly FieldError[] | undefined): readonly string[] {
  return (errors ?? []).map(formatFieldError);
}

function copy(object: object): KubeObject {
  return structuredClone(object) as KubeObject;
}

/** Runs the registry's create pipeline without storing the object. */
export async function createIn(
  definition: ResourceDefinition,
  fields: object,
  context: WriteContext = testContext,
): Promise<Outcome> {
  const object = typed(definition, fields);
  await definition.strategy.prepareForCreate?.(object, context);
  return { object, errors: texts(definition.strategy.validateCreate?.(object as Frozen<KubeObject>, context)) };
}

function typed(definition: ResourceDefinition, fields: object): KubeObject {
  const version = definition.versions[0]?.name ?? '';
  const apiVersion = definition.group === '' ? version : `${definition.group}/${version}`;
  const metadata = { name: 'x', ...(definition.namespaced ? { namespace: 'default' } : {}), uid: 'u1' };
  const object = copy({ apiVersion, kind: definition.kind, metadata, ...fields });
  definition.strategy.setDefaults?.(object);
  return object;
}

/** Runs the registry's update pipeline, for the main resource or a subresource. */
export async function updateIn(
  definition: ResourceDefinition,
  old: KubeObject,
  fields: object,
  subresource = '',
): Promise<Outcome> {
  const context = { ...testContext, subresource };
  const part = definition.subresources.find(({ name }) => name === subresource)?.part;
  const strategy: WriteStrategy = subresource === '' ? definition.strategy : (part ?? {});
  const object = typed(definition, { ...copy(old), ...fields });
  const stored = old as Frozen<KubeObject>;
  await strategy.prepareForUpdate?.(object, stored, context);
  return { object, errors: texts(strategy.validateUpdate?.(object as Frozen<KubeObject>, stored, context)) };
}

/** Returns the row of an object in its table, by column. */
export function rowOf(definition: ResourceDefinition, object: object): Record<string, unknown> {
  const table = definition.versions[0]?.table;
  const cells = table?.cells(object as Frozen<KubeObject>, testNow) ?? [];
  return Object.fromEntries((table?.columns ?? []).map(({ name }, index) => [name, cells[index]]));
}
