import {
  badRequest,
  type FieldSelector,
  type Frozen,
  type KubeObject,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from '@slipway/kube';
import type { Answer, ResourceDefinition, ResourceVersionDefinition } from '../contract/index.js';

/** The objects of a collection that a list or watch selects. */
export interface Selection {
  /** Whether every object matches, which makes counting cheaper. */
  readonly everything: boolean;
  /** The name that field selectors require, if they require one: reads then access one key only. */
  readonly name: string | undefined;
  /** The namespace that field selectors require, if they require one. */
  readonly namespace: string | undefined;
  matches(answer: Answer): boolean;
}

export function parseSelection(
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
  options: { readonly labelSelector?: string; readonly fieldSelector?: string },
): Selection {
  const labels = parseLabels(options.labelSelector ?? '');
  const fields = parseFields(options.fieldSelector ?? '');
  if (labels === undefined && fields === undefined) {
    return { everything: true, name: undefined, namespace: undefined, matches: () => true };
  }
  const matchers = (fields?.requirements ?? []).map((requirement) => {
    const valueOf = fieldGetter(definition, version, requirement.field);
    return (object: Frozen<KubeObject>) => (valueOf(object) === requirement.value) === (requirement.operator === '=');
  });
  return {
    everything: false,
    name: exactValue(fields, 'metadata.name'),
    namespace: definition.namespaced ? exactValue(fields, 'metadata.namespace') : undefined,
    matches: (answer) =>
      (labels === undefined || labels.matches(labelsOf(answer))) && matchers.every((matches) => matches(answer.object)),
  };
}

function labelsOf(answer: Answer): Frozen<KubeObject>['metadata']['labels'] {
  return answer.stored === undefined ? answer.object.metadata.labels : answer.stored.labels;
}

function parseLabels(text: string): LabelSelector | undefined {
  if (text === '') return undefined;
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw badRequest(messageOf(error));
  }
}

function parseFields(text: string): FieldSelector | undefined {
  if (text === '') return undefined;
  try {
    return parseFieldSelector(text);
  } catch (error) {
    throw badRequest(messageOf(error));
  }
}

function exactValue(fields: FieldSelector | undefined, field: string): string | undefined {
  return fields?.requirements.find((one) => one.field === field && one.operator === '=')?.value;
}

function fieldGetter(
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
  field: string,
): (object: Frozen<KubeObject>) => string {
  if (field === 'metadata.name') return (object) => object.metadata.name ?? '';
  if (field === 'metadata.namespace' && (definition.namespaced || !definition.custom)) {
    return (object) => object.metadata.namespace ?? '';
  }
  const own = Object.hasOwn(version.selectableFields, field) ? version.selectableFields[field] : undefined;
  if (own !== undefined) return own;
  throw badRequest(unknownFieldText(definition, version, field));
}

function unknownFieldText(definition: ResourceDefinition, version: ResourceVersionDefinition, field: string): string {
  const extra = Object.keys(version.selectableFields);
  if (extra.length > 0 && !definition.custom) return `field label not supported: ${field}`;
  const known = [
    'metadata.name',
    ...(definition.namespaced || !definition.custom ? ['metadata.namespace'] : []),
    ...extra.sort(),
  ];
  if (definition.custom) return `field label not supported: ${field}`;
  return `"${field}" is not a known field selector: only ${known.map((one) => `"${one}"`).join(', ')}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
