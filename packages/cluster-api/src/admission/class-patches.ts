import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '@slipway/kube';
import type { ClusterClass } from '../api/cluster-class.js';

type Spec = ClusterClass['spec'];
type Patch = NonNullable<Spec['patches']>[number];
type Definition = NonNullable<Patch['definitions']>[number];
type JsonPatch = Definition['jsonPatches'][number];

export function validatePatches(spec: Spec): FieldError[] {
  const seen = new Set<string>();
  return (spec.patches ?? []).flatMap((patch, index) => {
    const path = `spec.patches[${index}]`;
    const duplicate = seen.has(patch.name) ? [duplicateField(`${path}.name`, patch.name)] : [];
    seen.add(patch.name);
    return [...duplicate, ...validateSource(path, patch), ...validateDefinitions(path, patch, spec)];
  });
}

function validateSource(path: string, patch: Patch): FieldError[] {
  const { definitions, external, enabledIf } = patch;
  if (definitions === undefined && external === undefined) {
    return [requiredField(path, 'one of definitions or external must be defined')];
  }
  if (definitions !== undefined && external !== undefined) {
    return [forbiddenField(path, 'only one of definitions or external can be defined')];
  }
  if (external === undefined) return [];
  const { generatePatchesExtension, validateTopologyExtension, discoverVariablesExtension } = external;
  const none = (generatePatchesExtension ?? validateTopologyExtension ?? discoverVariablesExtension) === undefined;
  return [
    ...(none
      ? [
          requiredField(
            `${path}.external`,
            'one of generatePatchesExtension, validateTopologyExtension and discoverVariablesExtension must be defined',
          ),
        ]
      : []),
    ...(enabledIf !== undefined
      ? [forbiddenField(`${path}.enabledIf`, 'can only be set together with definitions')]
      : []),
  ];
}

function validateDefinitions(path: string, patch: Patch, spec: Spec): FieldError[] {
  return (patch.definitions ?? []).flatMap((definition, index) => {
    const field = `${path}.definitions[${index}]`;
    return [
      ...validateSelector(`${field}.selector.matchResources`, definition, spec),
      ...definition.jsonPatches.flatMap((jsonPatch, position) =>
        validateJsonPatch(`${field}.jsonPatches[${position}]`, jsonPatch),
      ),
    ];
  });
}

/** Rejects a patch whose selector can never match a template of the ClusterClass. */
function validateSelector(path: string, { selector }: Definition, spec: Spec): FieldError[] {
  const { controlPlane, infrastructureCluster, machineDeploymentClass, machinePoolClass } = selector.matchResources;
  const workers = [
    ...validateClassNames(
      `${path}.machineDeploymentClass.names`,
      machineDeploymentClass?.names,
      spec.workers?.machineDeployments,
    ),
    ...validateClassNames(`${path}.machinePoolClass.names`, machinePoolClass?.names, spec.workers?.machinePools),
  ];
  const selects =
    controlPlane === true ||
    infrastructureCluster === true ||
    machineDeploymentClass !== undefined ||
    machinePoolClass !== undefined;
  return selects ? workers : [invalidField(path, selector.matchResources, 'no selector is enabled')];
}

function validateClassNames(
  path: string,
  names: readonly string[] | undefined,
  classes: readonly { readonly class: string }[] | undefined,
): FieldError[] {
  return (names ?? []).flatMap((name, index) => {
    const field = `${path}[${index}]`;
    const stars = name.split('*').length - 1;
    if (stars > 1 || (stars === 1 && !name.startsWith('*') && !name.endsWith('*'))) {
      return [invalidField(field, name, '"*" is allowed only once, at the beginning or at the end')];
    }
    const found = (classes ?? []).some((worker) => matchesClassName(name, worker.class));
    return found ? [] : [invalidField(field, name, 'no class of that name is defined in the ClusterClass')];
  });
}

/** Returns whether a class name matches a pattern: `*`, `prefix*`, `*suffix`, or the name itself. */
function matchesClassName(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

function validateJsonPatch(path: string, patch: JsonPatch): FieldError[] {
  const { op, value, valueFrom } = patch;
  const errors: FieldError[] = [];
  if (patch.path !== '/spec' && !patch.path.startsWith('/spec/')) {
    errors.push(invalidField(`${path}.path`, patch.path, 'must start with "/spec/"'));
  }
  errors.push(...validateIndexes(`${path}.path`, patch));
  if (op === 'remove') return errors;
  if (value === undefined && valueFrom === undefined) {
    errors.push(requiredField(path, 'one of value or valueFrom must be set'));
  }
  if (value !== undefined && valueFrom !== undefined) {
    errors.push(forbiddenField(path, 'only one of value or valueFrom can be set'));
  }
  if (valueFrom !== undefined && (valueFrom.template === undefined) === (valueFrom.variable === undefined)) {
    errors.push(invalidField(`${path}.valueFrom`, valueFrom, 'exactly one of template and variable must be set'));
  }
  return errors;
}

// Rejects list positions in a JSON pointer, except adding at the start (`0`) or the end (`-`): other positions shift when earlier
// patches change.
function validateIndexes(path: string, { op, path: target }: JsonPatch): FieldError[] {
  const indexed = target.split('/').filter((segment) => /^([0-9]+|-)$/.test(segment));
  const stable = indexed.every((segment) => segment === '0' || segment === '-');
  if (indexed.length === 0 || (op === 'add' && stable)) return [];
  return [invalidField(path, target, 'list positions are only allowed in "add", and only "0" or "-"')];
}
