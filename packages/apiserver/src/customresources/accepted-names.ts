import type { CustomResourceDefinition, CustomResourceDefinitionCondition, CustomResourceNames } from '@slipway/kube';

export interface NamesVerdict {
  readonly accepted: CustomResourceNames;
  readonly condition: CustomResourceDefinitionCondition;
}

/**
 * Which of the requested names this CRD gets: each name is refused while another CRD of the group holds it, and what was
 * accepted before stays accepted.
 */
export function acceptNames(crd: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): NamesVerdict {
  const requested = requestedNames(crd);
  const rivals = others.filter((one) => one.spec.group === crd.spec.group && one.metadata.name !== crd.metadata.name);
  const taken = takenNames(rivals);
  const conflicts: { reason: string; message: string }[] = [];
  const refuse = (reason: string, message: string): void => void conflicts.push({ reason, message });
  const accepted: CustomResourceNames = {
    ...(crd.status?.acceptedNames as CustomResourceNames | undefined),
    plural: '',
    kind: '',
  };
  const held = crd.status?.acceptedNames;

  const inUse = (name: string): string => `"${name}" is already in use`;
  if (taken.resources.has(requested.plural)) refuse('PluralConflict', inUse(requested.plural));
  accepted.plural = taken.resources.has(requested.plural) ? (held?.plural ?? '') : requested.plural;
  if (taken.resources.has(requested.singular)) refuse('SingularConflict', inUse(requested.singular));
  accepted.singular = taken.resources.has(requested.singular) ? (held?.singular ?? '') : requested.singular;
  const clashing = requested.shortNames.filter((name) => taken.resources.has(name));
  if (clashing.length > 0) refuse('ShortNamesConflict', clashing.map(inUse).join(', '));
  else if (requested.shortNames.length > 0) accepted.shortNames = [...requested.shortNames];
  else delete accepted.shortNames;
  if (taken.kinds.has(requested.kind)) refuse('KindConflict', inUse(requested.kind));
  accepted.kind = taken.kinds.has(requested.kind) ? (held?.kind ?? '') : requested.kind;
  if (taken.kinds.has(requested.listKind)) refuse('ListKindConflict', inUse(requested.listKind));
  accepted.listKind = taken.kinds.has(requested.listKind) ? (held?.listKind ?? '') : requested.listKind;
  if (crd.spec.names.categories === undefined) delete accepted.categories;
  else accepted.categories = [...crd.spec.names.categories];
  return { accepted, condition: namesCondition(conflicts) };
}

function namesCondition(conflicts: readonly { reason: string; message: string }[]): CustomResourceDefinitionCondition {
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

function takenNames(rivals: readonly CustomResourceDefinition[]): {
  resources: Set<string>;
  kinds: Set<string>;
} {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of rivals) {
    const names = status?.acceptedNames;
    if (names === undefined) continue;
    for (const name of [names.plural, names.singular ?? '', ...(names.shortNames ?? [])]) {
      if (name !== '') resources.add(name);
    }
    for (const name of [names.kind, names.listKind ?? '']) if (name !== '') kinds.add(name);
  }
  return { resources, kinds };
}
