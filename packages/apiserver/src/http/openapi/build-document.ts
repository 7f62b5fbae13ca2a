import type { ResourceDefinition, ResourceVersionDefinition } from '../../contract/index.js';
import { apiVersionProperty, kindProperty, listMetaName } from './meta-types.js';
import { OperationWriter } from './operations.js';
import { type Dialect, SchemaWriter } from './schema-writer.js';

export interface ServedKind {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersionDefinition;
}

/** Builds an OpenAPI document of the given kinds: one group version for v3, all kinds for v2. */
export function buildDocument(dialect: Dialect, kinds: readonly ServedKind[], serverVersion: string): object {
  const writer = new SchemaWriter(dialect);
  const operations = new OperationWriter(writer);
  for (const { definition, version } of kinds) addKind(writer, operations, definition, version);
  const info = { title: 'Kubernetes', version: serverVersion };
  const components = Object.fromEntries([...writer.components].sort(([left], [right]) => (left < right ? -1 : 1)));
  if (dialect === 'v2') return { swagger: '2.0', info, paths: operations.paths, definitions: components };
  return { openapi: '3.0.0', info, paths: operations.paths, components: { schemas: components } };
}

function addKind(
  writer: SchemaWriter,
  operations: OperationWriter,
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
): void {
  const { group, kind, listKind } = definition;
  const name = schemaName(definition, version);
  const gvk = (kindName: string): object => ({
    'x-kubernetes-group-version-kind': [{ group, version: version.name, kind: kindName }],
  });
  writer.addKind(name, version.schema, definition.custom, { ...gvk(kind) });
  const list = `${name.slice(0, name.lastIndexOf('.') + 1)}${listKind}`;
  if (definition.verbs.includes('list'))
    writer.add(list, {
      type: 'object',
      description: `A list of ${kind}.`,
      required: ['items'],
      properties: {
        apiVersion: apiVersionProperty,
        kind: kindProperty,
        metadata: writer.describedReference(listMetaName, 'Standard metadata of the list.'),
        items: { type: 'array', description: `The list of ${definition.plural}.`, items: writer.reference(name) },
      },
      ...gvk(listKind),
    });
  operations.addResource(definition, version, { kind: name, list });
}

/** Returns the schema name of a kind. Built-in types have published names; custom kinds are named by their reversed group. */
function schemaName(definition: ResourceDefinition, version: ResourceVersionDefinition): string {
  const { group, kind, custom } = definition;
  if (!custom)
    return (
      version.schema.refName ?? `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}.${version.name}.${kind}`
    );
  return `${group.split('.').reverse().join('.')}.${version.name}.${kind}`;
}
