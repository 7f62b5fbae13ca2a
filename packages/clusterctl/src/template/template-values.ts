import { checkDns1123Label, checkDns1123Subdomain } from '@slipway/kube';
import { parse } from 'semver';
import { ClusterctlError } from '../clusterctl-error.js';
import type { ClusterctlConfig } from '../config/index.js';

/** The cluster options of the user, besides template variables. */
export interface ClusterValues {
  readonly name: string;
  readonly namespace: string;
  readonly kubernetesVersion?: string;
  readonly controlPlaneMachineCount?: number;
  readonly workerMachineCount?: number;
}

/** Sets the common template variables. Options take precedence over the configuration, and the configuration over defaults. */
export function setClusterValues(config: ClusterctlConfig, values: ClusterValues): void {
  const [namespaceProblem] = checkDns1123Label(values.namespace);
  if (namespaceProblem !== undefined) throw new ClusterctlError(`invalid target-namespace: ${namespaceProblem}`);
  const nameProblem = clusterNameProblem(values.name);
  if (nameProblem !== undefined) throw new ClusterctlError(`invalid cluster name: ${nameProblem}`);
  config.set('NAMESPACE', values.namespace);
  config.set('CLUSTER_NAME', values.name);
  const { kubernetesVersion } = values;
  if (kubernetesVersion !== undefined) {
    if (versionProblem(kubernetesVersion) !== undefined)
      throw new ClusterctlError('invalid KubernetesVersion. Please use a semantic version number', {
        remedy: `"${kubernetesVersion}" is not valid; use a version such as v1.35.0`,
      });
    config.set('KUBERNETES_VERSION', kubernetesVersion);
  }
  setCount(config, 'CONTROL_PLANE_MACHINE_COUNT', 'ControlPlaneMachineCount', values.controlPlaneMachineCount, 1);
  setCount(config, 'WORKER_MACHINE_COUNT', 'WorkerMachineCount', values.workerMachineCount, 0);
}

export function clusterNameProblem(name: string): string | undefined {
  return checkDns1123Subdomain(name)[0];
}

export function versionProblem(version: string): string | undefined {
  return parse(version) === null ? 'a version has three numbers, such as v1.35.0' : undefined;
}

function setCount(
  config: ClusterctlConfig,
  variable: string,
  label: string,
  given: number | undefined,
  least: number,
): void {
  const text = given === undefined ? (config.lookup(variable) ?? String(least)) : String(given);
  if (!/^-?\d+$/.test(text))
    throw new ClusterctlError(`invalid value for ${variable} set: "${text}" is not an integer`);
  if (Number(text) < least)
    throw new ClusterctlError(`invalid ${label}. Please use a number greater than or equal to ${least}`);
  config.set(variable, text);
}
