import { formatAge, type KubeObject, nameIsPathSegment } from '@slipway/kube';
import type { ResourceDefinition } from '../../contract/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, fill, number, text } from '../shared/fields.js';
import { type Column, column, printer, wide } from '../shared/table.js';
import { eventFromStored, eventToStored } from './event-view.js';
import { validateEvent, validateStrictCreate, validateStrictUpdate } from './validate-event.js';

/** Table columns of core events. */
const columns: readonly Column[] = [
  column('Last Seen', (event, now) => formatAge(lastSeen(event), now)),
  column('Type', (event) => text(event.type)),
  column('Reason', (event) => text(event.reason)),
  column('Object', (event) => objectOf(fields(event.involvedObject))),
  wide('Subobject', (event) => text(fields(event.involvedObject).fieldPath)),
  wide('Source', sourceOf),
  column('Message', (event) => text(event.message).trim()),
  wide('First Seen', (event, now) => formatAge(event.firstTimestamp ?? event.eventTime, now)),
  wide('Count', (event) => countOf(event)),
  { ...wide('Name', (event) => text(fields(event.metadata).name)), format: 'name' },
];

function lastSeen(event: Fields): unknown {
  return fields(event.series).lastObservedTime ?? event.lastTimestamp ?? event.eventTime;
}

function countOf(event: Fields): number {
  if (event.series !== undefined) return number(fields(event.series).count);
  return number(event.count) || 1;
}

function objectOf(involved: Fields): string {
  const kind = text(involved.kind).toLowerCase();
  return text(involved.name) === '' ? kind : `${kind}/${text(involved.name)}`;
}

function sourceOf(event: Fields): string {
  const { component, host } = fields(event.source);
  const parts = [text(component) || text(event.reportingComponent), text(host) || text(event.reportingInstance)];
  return parts.filter((part) => part !== '').join(', ');
}

const involvedKeys = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** Returns the field selectors of events. `view` converts a stored event to core form. */
function selectableOf(
  prefix: string,
  reporter: string,
  view: (object: Fields) => Fields,
): Record<string, (object: Readonly<Record<string, unknown>>) => string> {
  const involved = involvedKeys.map((key) => [
    `${prefix}.${key}`,
    (object: Fields) => text(fields(view(object).involvedObject)[key]),
  ]);
  return {
    ...(Object.fromEntries(involved) as Record<string, (object: Fields) => string>),
    reason: (object) => text(object.reason),
    type: (object) => text(object.type),
    [reporter]: (object) => text(view(object).reportingComponent),
    source: (object) => text(fields(view(object).source).component) || text(view(object).reportingComponent),
  };
}

const common = { kind: 'Event', plural: 'events', shortNames: ['ev'], namespaced: true, createOnUpdate: true } as const;

export const coreEvents: ResourceDefinition = defineBuiltin({
  ...common,
  group: '',
  table: printer(columns),
  selectable: selectableOf('involvedObject', 'reportingComponent', (object) => object),
  // Upstream validates names of core events as path segments only.
  strategy: {
    name: nameIsPathSegment,
    defaults: (event) => fill(event, { involvedObject: {}, source: {}, reportingComponent: '', reportingInstance: '' }),
    validate: (event) => validateEvent(event, false),
  },
});

function coreForm(event: Fields): Fields {
  return eventToStored(event as KubeObject);
}

const viewDefinition = defineBuiltin({
  ...common,
  group: 'events.k8s.io',
  table: printer(columns.map((item) => ({ ...item, cell: (event, now) => item.cell(coreForm(event), now) }))),
  selectable: selectableOf('regarding', 'reportingController', coreForm),
  strategy: {
    defaults: (event) => fill(event, { regarding: {}, deprecatedSource: {} }),
    validate(event, old) {
      const core = coreForm(event);
      const rest = old === undefined ? validateStrictCreate(core) : validateStrictUpdate(core, coreForm(old));
      return [...validateEvent(core, true), ...rest];
    },
  },
});

// This is not a served version. It marks the stored form as that of core events, so that the registry converts both ways.
const coreStorageVersion = 'core/v1';

/** Events of events.k8s.io/v1: the same collection, stored as core events. */
export const newEvents: ResourceDefinition = {
  ...viewDefinition,
  storageResource: coreEvents.storageResource,
  storageVersion: coreStorageVersion,
  convert: (objects, toVersion) =>
    objects.map((event) => (toVersion === coreStorageVersion ? eventToStored(event) : eventFromStored(event))),
};

/** Retention time of events. */
export const eventTtlMs = 3_600_000;
