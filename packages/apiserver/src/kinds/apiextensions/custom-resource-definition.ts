import type { ResourceDefinition } from '../../contract/index.js';
import type { CustomResourceHooks } from '../hooks.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, has, list, text } from '../shared/fields.js';
import { column, nameColumn, printer } from '../shared/table.js';

/** Finalizer that is added when deletion of a CRD is requested, so that its instances are deleted first. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Defines CustomResourceDefinition. Data and defaults are here; schema validation comes from `hooks`. */
export function customResourceDefinitions(hooks: CustomResourceHooks | undefined): ResourceDefinition {
  return defineBuiltin({
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    status: true,
    unconditionalUpdate: false,
    generation: ['spec'],
    table: printer([
      nameColumn,
      column('Created At', (definition) => fields(definition.metadata).creationTimestamp ?? null, 'date'),
    ]),
    strategy: {
      defaults(definition) {
        defaultDefinition(definition);
        hooks?.defaults(definition);
      },
      prepareCreate(definition) {
        const stored = list(fields(definition.spec).versions).filter(({ storage }) => storage === true);
        definition.status = {
          conditions: null,
          acceptedNames: { plural: '', kind: '' },
          storedVersions: stored.map(({ name }) => name),
        };
      },
      prepareUpdate: (definition, old) => keepStoredVersions(definition, old),
      validate: (definition, old) => (old === undefined ? (hooks?.validateCreate(definition) ?? []) : []),
      validateUpdate: (definition, old) => hooks?.validateUpdate(definition, old) ?? [],
      validateStatus: (definition, old) => hooks?.validateStatus?.(definition, old) ?? [],
      deletion: { deletionFinalizers: () => [cleanupFinalizer] },
    },
  });
}

function defaultDefinition(definition: Fields): void {
  const spec = child(definition, 'spec');
  const names = child(spec, 'names');
  const kind = text(names.kind);
  if (kind !== '') fill(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  fill(child(spec, 'conversion'), { strategy: 'None' });
  const service = fields(fields(fields(spec.conversion).webhook).clientConfig).service;
  if (has(service)) fill(service, { port: 443 });
}

/** Adds the storage version to status.storedVersions. */
function keepStoredVersions(definition: Fields, old: Fields): void {
  const storage = list(fields(definition.spec).versions).find((version) => version.storage === true)?.name;
  const status = fields(old.status);
  const stored = Array.isArray(status.storedVersions) ? (status.storedVersions as unknown[]) : [];
  if (storage === undefined || stored.includes(storage)) return;
  definition.status = { ...status, storedVersions: [...stored, storage] };
}
