import { type JsonObject, type KubeObject, parseManifest, stringifyYaml } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';

/** Parses the objects of a template or of components. */
export function parseObjects(text: string): KubeObject[] {
  try {
    return parseManifest(text);
  } catch (error) {
    throw new ClusterctlError(`failed to parse yaml: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns objects as multi-document YAML, in the format of kubectl. */
export function stringifyManifest(objects: readonly (KubeObject | JsonObject)[]): string {
  return objects.map((object) => stringifyYaml(object)).join('---\n');
}
