import { annotations as capiAnnotations, deletionHookPrefixes, labels as capiLabels } from '@slipway/cluster-api';

type Texts = Readonly<Record<string, string>>;

const mapi = 'machine.openshift.io';
const roleLabels = [`${mapi}/cluster-api-machine-role`, `${mapi}/cluster-api-machine-type`] as const;
const nodeRolePrefix = 'node-role.kubernetes.io/';
const deleteMachine = `${mapi}/delete-machine`;
/** Labels that Machine API sets from the instance. They are computed again, not converted. */
const reportedLabels = [`${mapi}/instance-type`, `${mapi}/region`, `${mapi}/zone`];
const reportedAnnotations = [`${mapi}/instance-state`];

export function labelsToCapi(labels: Texts): Record<string, string> {
  const kept = Object.entries(labels).filter(
    ([key]) => !reportedLabels.includes(key) && !roleLabels.some((role) => role === key),
  );
  const role = labels[roleLabels[0]] ?? labels[roleLabels[1]];
  return { ...Object.fromEntries(kept), ...(role !== undefined && role !== '' && { [nodeRolePrefix + role]: '' }) };
}

export function labelsToMapi(labels: Texts): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(nodeRolePrefix)) for (const role of roleLabels) result[role] = key.slice(nodeRolePrefix.length);
    else if (!key.includes('cluster.x-k8s.io/')) result[key] = value;
  }
  return result;
}

export function annotationsToCapi(annotations: Texts): Record<string, string> {
  const kept = Object.entries(annotations).filter(
    ([key]) => !reportedAnnotations.includes(key) && key !== deleteMachine,
  );
  const marked = annotations[deleteMachine];
  return { ...Object.fromEntries(kept), ...(marked !== undefined && { [capiAnnotations.deleteMachine]: marked }) };
}

export function annotationsToMapi(annotations: Texts): Record<string, string> {
  const kept = Object.entries(annotations).filter(([key]) => !key.includes('cluster.x-k8s.io'));
  const marked = annotations[capiAnnotations.deleteMachine];
  return { ...Object.fromEntries(kept), ...(marked !== undefined && { [deleteMachine]: marked }) };
}

export interface Hooks {
  readonly preDrain?: readonly { readonly name: string; readonly owner: string }[] | undefined;
  readonly preTerminate?: readonly { readonly name: string; readonly owner: string }[] | undefined;
}

const hookPrefixes = {
  preDrain: `${deletionHookPrefixes.preDrain}/`,
  preTerminate: `${deletionHookPrefixes.preTerminate}/`,
} as const;

export function hooksToAnnotations(hooks: Hooks | undefined): Record<string, string> {
  const entries = (['preDrain', 'preTerminate'] as const).flatMap((stage) =>
    (hooks?.[stage] ?? []).map(({ name, owner }) => [hookPrefixes[stage] + name, owner] as const),
  );
  return Object.fromEntries(entries);
}

/** Converts hook annotations to a list. It is sorted by name, because annotations are unordered and the list must be stable. */
export function hooksFromAnnotations(annotations: Texts): Hooks | undefined {
  const of = (stage: 'preDrain' | 'preTerminate') => {
    const found = Object.entries(annotations)
      .filter(([key]) => key.startsWith(hookPrefixes[stage]))
      .map(([key, owner]) => ({ name: key.slice(hookPrefixes[stage].length), owner }))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
    return found.length === 0 ? undefined : found;
  };
  const [preDrain, preTerminate] = [of('preDrain'), of('preTerminate')];
  if (preDrain === undefined && preTerminate === undefined) return undefined;
  return { ...(preDrain && { preDrain }), ...(preTerminate && { preTerminate }) };
}

export function clusterLabel(infraName: string): Record<string, string> {
  return { [capiLabels.clusterName]: infraName };
}
