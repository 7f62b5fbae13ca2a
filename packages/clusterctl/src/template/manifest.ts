import { type JsonObject, type KubeObject, parseManifest as parse, stringifyYaml } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';

/** The objects of a template or of components; what is wrong with it is told as everything else here. */
export function parseManifest(text: string): KubeObject[] {
  try {
    return parse(text);
  } catch (error) {
    throw new ClusterctlError(`failed to parse yaml: ${(error as Error).message}`, { cause: error });
  }
}

/** Objects as one text, each as kubectl prints it. */
export function stringifyManifest(objects: readonly (KubeObject | JsonObject)[]): string {
  return objects.map((object) => stringifyYaml(object)).join('---\n');
}
