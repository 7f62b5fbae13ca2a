import { ClusterctlError, openRegistry } from '@slipway/clusterctl';
import { parseOciReference } from '../manifests/oci-reference.js';
import type { PreloadDependencies } from './preload-manifests.js';

/** Pushes the files of a release as an OCI artifact for `spec.fetchConfig.oci`. Returns its digest. */
export async function publishArtifact(
  url: string,
  files: ReadonlyMap<string, string>,
  dependencies: Pick<PreloadDependencies, 'config' | 'clock' | 'signal' | 'certificateAuthority'>,
): Promise<string> {
  const parsed = parseOciReference(url);
  if (parsed?.reference === undefined || parsed.reference.includes(':'))
    throw new ClusterctlError(`${url} has no artifact tag`, {
      remedy: 'use the form host[:port]/repository:tag, with the version as tag',
    });
  for (const desired of ['metadata.yaml', 'components.yaml'])
    if (![...files.keys()].some((name) => name.endsWith(desired)))
      throw new ClusterctlError(`the files do not include a ${desired}, which is required to install the provider`, {
        remedy: 'publish the metadata and the components of a release together',
      });
  return openRegistry(parsed.host, dependencies).push(parsed.repository, parsed.reference, files);
}
