import {
  asObject,
  type JsonObject,
  type KubeObject,
  type MutableJsonObject,
  parseYamlDocuments,
  stringifyYaml,
} from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';

/** The objects of a manifest; Lists are taken apart. */
export function parseManifest(text: string): KubeObject[] {
  let documents;
  try {
    documents = parseYamlDocuments(text);
  } catch (error) {
    throw new ClusterctlError(`failed to parse yaml: ${(error as Error).message}`, { cause: error });
  }
  return documents.flatMap(({ value }, index) => objectsOf(value, index));
}

function objectsOf(value: unknown, index: number): KubeObject[] {
  const fail = (problem: string): ClusterctlError =>
    new ClusterctlError(`failed to parse yaml: document ${index + 1} ${problem}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fail('is not an object');
  const { apiVersion, kind, metadata, items } = value as MutableJsonObject;
  if (typeof kind !== 'string' || kind === '') throw fail('has no kind');
  if (typeof apiVersion !== 'string' || apiVersion === '') throw fail('has no apiVersion');
  if (kind === 'List' && Array.isArray(items)) return items.flatMap((item) => objectsOf(item, index));
  if (typeof metadata !== 'object' || metadata === null) throw fail('has no metadata');
  return [asObject(value as MutableJsonObject)];
}

/** Objects as one text, each as kubectl prints it. */
export function stringifyManifest(objects: readonly (KubeObject | JsonObject)[]): string {
  return objects.map((object) => stringifyYaml(object)).join('---\n');
}
