import { type JsonObject, type KubeObject, parseManifest, stringifyYaml } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';

/** The objects of a template or of components. */
export function parseObjects(text: string): KubeObject[] {
  try {
    return parseManifest(text);
  } catch (error) {
    throw new ClusterctlError(`failed to parse yaml: ${(error as Error).message}`, { cause: error });
  }
}

/** Objects as multi-document YAML, formatted as by kubectl. */
export function stringifyManifest(objects: readonly (KubeObject | JsonObject)[]): string {
  return objects.map((object) => stringifyYaml(object)).join('---\n');
}
