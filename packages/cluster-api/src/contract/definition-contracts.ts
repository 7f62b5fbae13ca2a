import { formatApiVersion, type Frozen, type KubeObject } from '@slipway/kube';
import type { ContractVersions } from '../conversion/index.js';
import { contractVersionOf, definitionNameOf } from './contract-version.js';

/** A CRD, or its metadata. */
export type LabelledDefinition = Pick<Frozen<KubeObject>, 'metadata'>;

/** Finds a CRD by name: synchronously in a store or an informer cache, asynchronously on an API server. */
export type FindDefinition = (name: string) => LabelledDefinition | undefined | Promise<LabelledDefinition | undefined>;

/** Reads contract versions from the labels of CRDs. The result is synchronous if `find` is synchronous. */
export function contractVersionsFrom(find: FindDefinition): ContractVersions {
  return {
    apiVersionOf(apiGroup, kind) {
      const name = definitionNameOf(apiGroup, kind);
      const found = find(name);
      const read = (definition: LabelledDefinition | undefined): string => versionOf(apiGroup, name, definition);
      return found instanceof Promise ? found.then(read) : read(found);
    },
  };
}

function versionOf(apiGroup: string, name: string, definition: LabelledDefinition | undefined): string {
  if (definition === undefined)
    throw new Error(
      `cannot determine the version of references to ${name}: the CRD is not installed; install its provider`,
    );
  const found = contractVersionOf(definition.metadata.labels);
  if (found === undefined)
    throw new Error(
      `cannot determine the version of references to ${name}: the CRD has no label cluster.x-k8s.io/<contract>`,
    );
  return formatApiVersion({ group: apiGroup, version: found.version });
}
