/** Group and version of the hook API. */
export const hooksApiVersion = 'hooks.runtime.cluster.x-k8s.io/v1alpha1';

/** All hooks. */
const runtimeHooks = [
  'Discovery',
  'BeforeClusterCreate',
  'AfterControlPlaneInitialized',
  'BeforeClusterUpgrade',
  'BeforeControlPlaneUpgrade',
  'AfterControlPlaneUpgrade',
  'BeforeWorkersUpgrade',
  'AfterWorkersUpgrade',
  'AfterClusterUpgrade',
  'BeforeClusterDelete',
  'GeneratePatches',
  'ValidateTopology',
  'DiscoverVariables',
  'GenerateUpgradePlan',
  'CanUpdateMachine',
  'CanUpdateMachineSet',
  'UpdateMachine',
] as const;

export type RuntimeHook = (typeof runtimeHooks)[number];

export function isRuntimeHook(name: string): name is RuntimeHook {
  return (runtimeHooks as readonly string[]).includes(name);
}
