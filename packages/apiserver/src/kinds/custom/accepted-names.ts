import type { CustomResourceDefinition, CustomResourceDefinitionCondition, CustomResourceNames } from '@slipway/kube';

export interface NamesVerdict {
  readonly accepted: CustomResourceNames;
  readonly condition: CustomResourceDefinitionCondition;
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

type SingleName = 'plural' | 'singular' | 'kind' | 'listKind';

/**
 * Decides which names of a CRD are accepted. A requested name is rejected while another CRD of the group holds it. Names that
 * were accepted before stay accepted.
 */
export function acceptNames(crd: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): NamesVerdict {
  const requested = requestedNames(crd);
  const sameGroup = others.filter(
    (one) => one.spec.group === crd.spec.group && one.metadata.name !== crd.metadata.name,
  );
  const taken = takenNames(sameGroup);
  const held: Partial<CustomResourceNames> = crd.status?.acceptedNames ?? {};
  const conflicts: Conflict[] = [];
  const inUse = (name: string): string => `"${name}" is already in use`;
  const one = (field: SingleName, reason: string, names: ReadonlySet<string>): string => {
    if (!names.has(requested[field])) return requested[field];
    conflicts.push({ reason, message: inUse(requested[field]) });
    return held[field] ?? '';
  };
  const accepted: CustomResourceNames = {
    plural: one('plural', 'PluralConflict', taken.resources),
    singular: one('singular', 'SingularConflict', taken.resources),
    kind: '',
  };
  const clashing = requested.shortNames.filter((name) => taken.resources.has(name));
  if (clashing.length > 0) conflicts.push({ reason: 'ShortNamesConflict', message: clashing.map(inUse).join(', ') });
  const shortNames = clashing.length > 0 ? held.shortNames : requested.shortNames;
  if (shortNames !== undefined && shortNames.length > 0) accepted.shortNames = [...shortNames];
  accepted.kind = one('kind', 'KindConflict', taken.kinds);
  accepted.listKind = one('listKind', 'ListKindConflict', taken.kinds);
  const { categories } = crd.spec.names;
  if (categories !== undefined) accepted.categories = [...categories];
  return { accepted, condition: namesCondition(conflicts) };
}

function namesCondition(conflicts: readonly Conflict[]): CustomResourceDefinitionCondition {
  const last = conflicts.at(-1);
  if (last === undefined) {
    return { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  }
  return { type: 'NamesAccepted', status: 'False', reason: last.reason, message: last.message };
}

function requestedNames(crd: CustomResourceDefinition): Required<Omit<CustomResourceNames, 'categories'>> {
  const { plural, singular, kind, listKind, shortNames } = crd.spec.names;
  return {
    plural,
    singular: singular ?? kind.toLowerCase(),
    kind,
    listKind: listKind ?? `${kind}List`,
    shortNames: [...(shortNames ?? [])],
  };
}

function takenNames(sameGroup: readonly CustomResourceDefinition[]): {
  resources: Set<string>;
  kinds: Set<string>;
} {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of sameGroup) {
    const names = status?.acceptedNames;
    if (names === undefined) continue;
    for (const name of [names.plural, names.singular ?? '', ...(names.shortNames ?? [])]) {
      if (name !== '') resources.add(name);
    }
    for (const name of [names.kind, names.listKind ?? '']) if (name !== '') kinds.add(name);
  }
  return { resources, kinds };
}
