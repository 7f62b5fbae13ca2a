import { deepEqual, formatFieldError, type FieldError } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';
import {
  defaultOverrides,
  defaultVariables,
  validateOverrides,
  validateVariables,
  type VariableStatus,
  type VariableValue,
} from '../variables/index.js';
import type { ObservedClass, Topology } from './topology-state.js';

const path = 'spec.topology';

/**
 * Returns the topology with defaulted variables, or the same object if nothing changes. Throws if a value is invalid, which is
 * possible because the ClusterClass may have changed after the Cluster was admitted.
 */
export function withVariables(topology: Topology, { status }: ObservedClass): Topology {
  const definitions = (status?.variables ?? []) as readonly VariableStatus[];
  const filled = filledTopology(topology, definitions);
  const errors = problemsOf(filled, definitions);
  if (errors.length > 0) {
    const text = errors.map(formatFieldError).join(', ');
    throw new ReconcileError('InvalidVariables', `Cluster variables are invalid: ${text}`, {
      retry: 'onChange',
      remedy: 'correct the variables of the Cluster, or their definitions in the ClusterClass',
    });
  }
  return deepEqual(filled, topology) ? topology : filled;
}

interface Overridable {
  readonly variables?: { readonly overrides?: readonly VariableValue[] };
}

function filledTopology(topology: Topology, definitions: readonly VariableStatus[]): Topology {
  const overridden = <T extends Overridable>(part: T): T => {
    const { overrides } = part.variables ?? {};
    return overrides === undefined
      ? part
      : { ...part, variables: { overrides: defaultOverrides(overrides, definitions) } };
  };
  const variables = defaultVariables(topology.variables ?? [], definitions);
  const { controlPlane, workers } = topology;
  const { machineDeployments, machinePools } = workers ?? {};
  return {
    ...topology,
    ...(variables.length === 0 ? {} : { variables }),
    ...(controlPlane === undefined ? {} : { controlPlane: overridden(controlPlane) }),
    ...(workers === undefined
      ? {}
      : {
          workers: {
            ...workers,
            ...(machineDeployments === undefined ? {} : { machineDeployments: machineDeployments.map(overridden) }),
            ...(machinePools === undefined ? {} : { machinePools: machinePools.map(overridden) }),
          },
        }),
  };
}

function problemsOf(
  { variables, controlPlane, workers }: Topology,
  definitions: readonly VariableStatus[],
): FieldError[] {
  const overrides = (place: string, part: Overridable | undefined): FieldError[] =>
    validateOverrides(`${path}.${place}.variables.overrides`, part?.variables?.overrides ?? [], definitions);
  return [
    ...validateVariables(`${path}.variables`, variables ?? [], definitions),
    ...overrides('controlPlane', controlPlane),
    ...(workers?.machineDeployments ?? []).flatMap((part, index) =>
      overrides(`workers.machineDeployments[${index}]`, part),
    ),
    ...(workers?.machinePools ?? []).flatMap((part, index) => overrides(`workers.machinePools[${index}]`, part)),
  ];
}
