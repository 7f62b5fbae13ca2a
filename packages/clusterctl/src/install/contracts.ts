import { parse } from 'semver';
import { ClusterctlError } from '../clusterctl-error.js';
import { type InstalledProvider, instanceName } from '../inventory/index.js';
import { labelOf } from '../provider/index.js';
import {
  compatibleContracts,
  currentContract,
  openRepository,
  type RepositoryDependencies,
  seriesOf,
} from '../repository/index.js';

/** Returns the contract version of a provider release, from its metadata. */
export async function contractOf(provider: InstalledProvider, dependencies: RepositoryDependencies): Promise<string> {
  const { name, type, version } = provider;
  if (parse(version) === null)
    throw new ClusterctlError(
      `failed to parse current version for the ${instanceName(provider)} provider: "${version}"`,
    );
  const repository = await openRepository(dependencies.config.provider(name, type), dependencies);
  const metadata = await repository.metadata(version);
  const series = seriesOf(metadata, version);
  if (series === undefined) {
    const known = metadata.releaseSeries.map(({ major, minor }) => `${major}.${minor}`).join(', ');
    throw new ClusterctlError(
      `invalid provider metadata: version ${version} for the provider ${instanceName(provider)} does not match any release series. Available series: [${known}]`,
      { remedy: 'check that metadata.yaml of the release is up to date and that the repository URL is correct' },
    );
  }
  const compatible = compatibleContracts(currentContract);
  if (compatible.includes(series.contract)) return series.contract;
  throw new ClusterctlError(
    `current version of clusterctl is only compatible with providers implementing the ${compatible.join(', ')} contract versions, detected contract version ${series.contract} for provider ${labelOf(provider)}`,
  );
}
