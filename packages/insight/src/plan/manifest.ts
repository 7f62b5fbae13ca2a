import { type KubeObject, ManifestShapeError, parseManifest, YamlError } from '@slipway/kube';
import { ManifestError } from './apply-objects.js';

/** Parses the objects of a manifest. `source` is the name of the manifest in error messages. */
export function readManifest(text: string, source: string): KubeObject[] {
  try {
    return parseManifest(text, { needsNames: true });
  } catch (error) {
    if (error instanceof YamlError)
      throw new ManifestError(`${source}: ${error.message}`, { remedy: 'correct the YAML syntax', cause: error });
    if (!(error instanceof ManifestShapeError)) throw error;
    const remedy = 'set apiVersion, kind and metadata.name on every object';
    throw new ManifestError(`${source}, ${error.message}`, { remedy, cause: error });
  }
}
