import { ClusterctlError, openRegistry } from '@slipway/clusterctl';
import { parseOciReference } from '../manifests/oci-reference.js';
import type { PreloadWorld } from './preload-manifests.js';

/** Writes the files of a release as an artifact that `spec.fetchConfig.oci` can name. Its digest is returned. */
export async function publishArtifact(
  url: string,
  files: ReadonlyMap<string, string>,
  world: Pick<PreloadWorld, 'config' | 'clock' | 'signal' | 'certificateAuthority'>,
): Promise<string> {
  const parsed = parseOciReference(url);
  if (parsed?.reference === undefined || parsed.reference.includes(':'))
    throw new ClusterctlError(`${url} names no tag of an artifact`, {
      remedy: 'it is host[:port]/repository:tag; the tag is the version',
    });
  for (const wanted of ['metadata.yaml', 'components.yaml'])
    if (![...files.keys()].some((name) => name.endsWith(wanted)))
      throw new ClusterctlError(`none of the files is a ${wanted}: no provider could be installed from them`, {
        remedy: 'publish the metadata and the components of a release together',
      });
  return openRegistry(parsed.host, world).push(parsed.repository, parsed.reference, files);
}
