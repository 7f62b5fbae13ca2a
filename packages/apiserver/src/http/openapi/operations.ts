import { formatApiVersion } from '@slipway/kube';
import type { ResourceDefinition, ResourceVersionDefinition } from '../../contract/index.js';
import { deleteOptionsName, patchName, scaleName, statusName } from './meta-types.js';
import type { SchemaWriter } from './schema-writer.js';

type Json = Record<string, unknown>;

interface KindNames {
  readonly kind: string;
  readonly list: string;
}

const jsonTypes = ['application/json', 'application/yaml'];

function parameter(writer: SchemaWriter, name: string, type: string, description: string): Json {
  const base = { name, in: 'query', description, uniqueItems: true };
  return writer.dialect === 'v3' ? { ...base, schema: { type, uniqueItems: true } } : { ...base, type };
}

function pathParameter(writer: SchemaWriter, name: string, description: string): Json {
  const base = { name, in: 'path', description, required: true, uniqueItems: true };
  return writer.dialect === 'v3'
    ? { ...base, schema: { type: 'string', uniqueItems: true } }
    : { ...base, type: 'string' };
}

/** Writes the paths and operations of one resource version. */
export class OperationWriter {
  readonly paths: Record<string, Json> = {};

  constructor(private readonly writer: SchemaWriter) {}

  addResource(definition: ResourceDefinition, version: ResourceVersionDefinition, names: KindNames): void {
    const prefix = definition.group === '' ? '/api/v1' : `/apis/${definition.group}/${version.name}`;
    const scoped = definition.namespaced ? `${prefix}/namespaces/{namespace}` : prefix;
    const collection = `${scoped}/${definition.plural}`;
    const resource = new ResourceOperations(this.writer, definition, version, names);
    if (definition.namespaced && definition.verbs.includes('list'))
      this.#add(`${prefix}/${definition.plural}`, { get: resource.list('ForAllNamespaces') }, []);
    const scope = definition.namespaced
      ? [pathParameter(this.writer, 'namespace', 'The namespace of the objects.')]
      : [];
    this.#add(collection, resource.collection(), scope);
    const item = [pathParameter(this.writer, 'name', `The name of the ${definition.kind}.`), ...scope];
    this.#add(`${collection}/{name}`, resource.item(''), item);
    if (version.subresources.status) this.#add(`${collection}/{name}/status`, resource.item('status'), item);
    if (version.subresources.scale !== undefined) this.#add(`${collection}/{name}/scale`, resource.item('scale'), item);
  }

  #add(path: string, operations: Json, parameters: readonly Json[]): void {
    if (Object.keys(operations).length === 0) return;
    const pretty = parameter(this.writer, 'pretty', 'string', 'Indented output when true.');
    this.paths[path] = { ...operations, parameters: [...parameters, pretty] };
  }
}

class ResourceOperations {
  readonly #gvk: Json;

  constructor(
    private readonly writer: SchemaWriter,
    private readonly definition: ResourceDefinition,
    private readonly version: ResourceVersionDefinition,
    private readonly names: KindNames,
  ) {
    this.#gvk = { group: definition.group, version: version.name, kind: definition.kind };
  }

  list(suffix = ''): Json {
    return this.#operation('list', 'list', suffix, this.names.list, this.#listParameters());
  }

  collection(): Json {
    const { verbs } = this.definition;
    return {
      ...(verbs.includes('list') ? { get: this.list() } : {}),
      ...(verbs.includes('create') ? { post: this.#withBody(this.#write('post', 'create', ''), this.names.kind) } : {}),
      ...(verbs.includes('deletecollection')
        ? { delete: this.#operation('deletecollection', 'deleteCollection', '', statusName, this.#listParameters()) }
        : {}),
    };
  }

  item(subresource: string): Json {
    const verbs = subresource === '' ? this.definition.verbs : ['get', 'update', 'patch'];
    const suffix = subresource === '' ? '' : `${subresource.charAt(0).toUpperCase()}${subresource.slice(1)}`;
    const kind = subresource === 'scale' ? scaleName : this.names.kind;
    return {
      ...(verbs.includes('get') ? { get: this.#operation('get', 'read', suffix, kind, []) } : {}),
      ...(verbs.includes('update') ? { put: this.#withBody(this.#write('put', 'replace', suffix, kind), kind) } : {}),
      ...(verbs.includes('patch') ? { patch: this.#patch(suffix, kind) } : {}),
      ...(verbs.includes('delete') && subresource === '' ? { delete: this.#delete() } : {}),
    };
  }

  #write(action: string, verb: string, suffix: string, kind = this.names.kind): Json {
    return this.#operation(action, verb, suffix, kind, this.#writeParameters());
  }

  #patch(suffix: string, kind: string): Json {
    const force = parameter(
      this.writer,
      'force',
      'boolean',
      'Take ownership of fields that other field managers own. Only for apply patches.',
    );
    const operation = this.#operation('patch', 'patch', suffix, kind, [...this.#writeParameters(), force]);
    const types = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
    if (!this.definition.custom) types.push('application/strategic-merge-patch+json');
    return this.#withBody(operation, patchName, types);
  }

  #delete(): Json {
    const parameters = [
      parameter(this.writer, 'dryRun', 'string', 'Set to All to process the request without persisting changes.'),
      parameter(this.writer, 'gracePeriodSeconds', 'integer', 'Seconds that the object has to terminate gracefully.'),
      parameter(
        this.writer,
        'propagationPolicy',
        'string',
        'How dependents are garbage collected. One of Orphan, Background, Foreground.',
      ),
    ];
    return this.#withBody(this.#operation('delete', 'delete', '', statusName, parameters), deleteOptionsName);
  }

  #writeParameters(): Json[] {
    return [
      parameter(this.writer, 'dryRun', 'string', 'Set to All to process the request without persisting changes.'),
      parameter(this.writer, 'fieldManager', 'string', 'Name of the field manager that makes the change.'),
      parameter(
        this.writer,
        'fieldValidation',
        'string',
        'How unknown and duplicate fields are handled. One of Ignore, Warn, Strict.',
      ),
    ];
  }

  #listParameters(): Json[] {
    return [
      parameter(this.writer, 'allowWatchBookmarks', 'boolean', 'Send bookmark events in a watch.'),
      parameter(
        this.writer,
        'continue',
        'string',
        'Token for the next page, from metadata.continue of the previous page.',
      ),
      parameter(this.writer, 'fieldSelector', 'string', 'Field selector of the objects.'),
      parameter(this.writer, 'labelSelector', 'string', 'Label selector of the objects.'),
      parameter(this.writer, 'limit', 'integer', 'Maximum number of objects in a page.'),
      parameter(this.writer, 'resourceVersion', 'string', 'Resource version from which the list or watch starts.'),
      parameter(
        this.writer,
        'resourceVersionMatch',
        'string',
        'How resourceVersion is matched. One of Exact, NotOlderThan.',
      ),
      parameter(this.writer, 'sendInitialEvents', 'boolean', 'Start the watch with events for the existing objects.'),
      parameter(this.writer, 'timeoutSeconds', 'integer', 'Timeout of the list or watch in seconds.'),
      parameter(this.writer, 'watch', 'boolean', 'Watch for changes instead of listing the objects.'),
    ];
  }

  #operation(action: string, verb: string, suffix: string, answer: string, parameters: readonly Json[]): Json {
    const { definition } = this;
    const groupName = definition.group === '' ? 'core' : definition.group;
    const tag = `${camel(groupName)}_${this.version.name}`;
    const scope = definition.namespaced && suffix !== 'ForAllNamespaces' ? 'Namespaced' : '';
    const apiVersion = formatApiVersion({ group: definition.group, version: this.version.name });
    return {
      tags: [tag],
      description: `${verb} ${definition.kind} (${apiVersion})`,
      operationId: `${verb}${camel(groupName, true)}${camel(this.version.name, true)}${scope}${definition.kind}${suffix}`,
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(this.writer.dialect === 'v2' ? { consumes: ['*/*'], produces: jsonTypes, schemes: ['https'] } : {}),
      responses: { '200': this.#answer(answer) },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': this.#gvk,
    };
  }

  #answer(name: string): Json {
    const schema = this.writer.reference(name);
    if (this.writer.dialect === 'v2') return { description: 'OK', schema };
    return { description: 'OK', content: Object.fromEntries(jsonTypes.map((type) => [type, { schema }])) };
  }

  #withBody(operation: Json, name: string, types: readonly string[] = ['*/*']): Json {
    const schema = this.writer.reference(name);
    if (this.writer.dialect === 'v3') {
      const content = Object.fromEntries(types.map((type) => [type, { schema }]));
      return { ...operation, requestBody: { content, required: true } };
    }
    const body = { name: 'body', in: 'body', required: true, schema };
    const parameters = [body, ...((operation['parameters'] ?? []) as Json[])];
    return { ...operation, parameters, consumes: types };
  }
}

function camel(text: string, capital = false): string {
  const joined = text.replace(/[^A-Za-z0-9]+(.)?/g, (_match, next: string | undefined) => (next ?? '').toUpperCase());
  return capital ? `${joined.charAt(0).toUpperCase()}${joined.slice(1)}` : joined;
}
