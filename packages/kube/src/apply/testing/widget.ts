import { cloneJson, deepFreeze, type JsonObject, type MutableJsonObject } from '../../json/index.js';
import type { ManagedFieldsEntry } from '../../meta/index.js';
import type { Schema } from '../../schema/index.js';
import { type ApplyWrite, applyConfiguration } from '../apply-configuration.js';
import { type UpdateWrite, updateManagedFields } from '../update-managed-fields.js';

const text: Schema = { type: 'string' };

/** A kind with every type of field that ownership distinguishes. */
export const widgetSchema: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      properties: {
        color: text,
        size: { type: 'integer' },
        on: { type: 'boolean' },
        port: { 'x-kubernetes-int-or-string': true },
        door: { type: 'object', properties: { width: text, lock: { type: 'object', properties: { key: text } } } },
        tags: { type: 'object', additionalProperties: text },
        rooms: { type: 'object', additionalProperties: { type: 'object', properties: { area: text } } },
        point: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { x: text, y: text } },
        words: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        numbers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
        lines: { type: 'array', items: text },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, v: text, w: text } },
        },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: text },
          },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
};

export const widgetVersion = 'example.com/v1';
/** 2026-01-02T03:04:05.678Z */
const startMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export function widget(spec: JsonObject | undefined, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const object: { [key: string]: JsonObject | string } = {
    apiVersion: widgetVersion,
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'd', ...metadata },
  };
  if (spec !== undefined) object['spec'] = spec;
  return { ...object, ...rest };
}

/** A fake registry with one object. Applies and updates the object like requests do. */
export class WidgetServer {
  live: JsonObject | undefined;
  nowMs = startMs;

  async update(manager: string, object: JsonObject, options: Partial<UpdateWrite> = {}): Promise<JsonObject> {
    const next = cloneJson(object) as MutableJsonObject;
    await updateManagedFields({
      live: this.live,
      next,
      schema: widgetSchema,
      manager,
      apiVersion: widgetVersion,
      now: this.nowMs,
      ...options,
    });
    return this.#store(next);
  }

  async apply(manager: string, config: JsonObject, options: Partial<ApplyWrite> = {}): Promise<JsonObject> {
    const { object } = await applyConfiguration({
      live: this.live,
      config,
      kind: 'Widget',
      schema: widgetSchema,
      manager,
      apiVersion: widgetVersion,
      force: false,
      now: this.nowMs,
      ...options,
    });
    return this.#store(object);
  }

  #store(object: MutableJsonObject): JsonObject {
    this.live = deepFreeze(object) as JsonObject;
    return this.live;
  }

  get entries(): readonly ManagedFieldsEntry[] {
    return entriesOf(this.live);
  }

  /** Returns the FieldsV1 by `manager operation[/subresource]`. */
  get claims(): Record<string, unknown> {
    return Object.fromEntries(
      this.entries.map(({ manager, operation, subresource, fieldsV1 }) => [
        `${manager} ${operation}${subresource === undefined ? '' : `/${subresource}`}`,
        fieldsV1,
      ]),
    );
  }
}

function entriesOf(object: JsonObject | undefined): readonly ManagedFieldsEntry[] {
  const metadata = object?.['metadata'] as { managedFields?: readonly ManagedFieldsEntry[] } | undefined;
  return metadata?.managedFields ?? [];
}
