import { clusterctlAnnotations, definitionNameOf } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';
import type { ProviderComponents } from '../components/index.js';
import { coreOf, type InstalledProvider } from '../inventory/index.js';
import { isSameProvider, labelOf } from '../provider/index.js';
import { compatibleContracts, type RepositoryDependencies } from '../repository/index.js';
import { contractOf } from './contracts.js';

/** Rejects installations that would break the management cluster. */
export async function validateInstall(
  queue: readonly ProviderComponents[],
  installed: readonly InstalledProvider[],
  dependencies: RepositoryDependencies,
): Promise<void> {
  for (const { provider } of queue) refuseSecond(provider, installed);
  const core = coreOf([...installed, ...queue.map(({ provider }) => provider)]);
  const compatible = compatibleContracts(await contractOf(core, dependencies));
  for (const { provider } of queue) {
    const contract = await contractOf(provider, dependencies);
    if (compatible.includes(contract)) continue;
    throw new ClusterctlError(
      `installing provider "${labelOf(provider)}" could lead to a non functioning management cluster: the target version for the provider implements the ${contract} contract version, while the core provider is compatible with ${compatible.join(',')} contract versions`,
    );
  }
  for (const { objects } of queue) for (const object of objects) checkDefinitionName(object);
}

function refuseSecond(provider: InstalledProvider, installed: readonly InstalledProvider[]): void {
  const others = installed.filter((each) => isSameProvider(each, provider));
  if (others.length === 0) return;
  const label = labelOf(provider);
  throw new ClusterctlError(
    `installing provider "${label}" can lead to a non functioning management cluster: there is already an instance of the "${label}" provider installed in the "${others.map(({ namespace }) => namespace).join(', ')}" namespace`,
    { remedy: 'run `slipway upgrade apply` to change the version' },
  );
}

/** Checks the name of a CRD. References have no version, so that controllers find CRDs by name. */
function checkDefinitionName(object: KubeObject): void {
  if (object.kind !== 'CustomResourceDefinition') return;
  if (object.metadata.annotations?.[clusterctlAnnotations.skipCrdNamePreflightCheck] !== undefined) return;
  const { group, names } = object['spec'] as { readonly group: string; readonly names: { readonly kind: string } };
  const expected = definitionNameOf(group, names.kind);
  if (object.metadata.name === expected) return;
  throw new ClusterctlError(
    `CRD name "${object.metadata.name ?? ''}" is invalid for a CRD referenced in a core Cluster API CRD, it should be "${expected}"`,
    {
      remedy: `if no core Cluster API object references this kind, set the annotation ${clusterctlAnnotations.skipCrdNamePreflightCheck} on the CRD`,
    },
  );
}
