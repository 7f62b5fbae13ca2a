import {
  checkDns1123Subdomain,
  checkQualifiedName,
  deepEqual,
  type FieldError,
  invalidField,
  requiredField,
} from '@slipway/kube';
import { fields, type Fields, number, text } from '../shared/fields.js';
import { immutableText, problems } from '../shared/validation.js';

const reasonMax = 128;
const instanceMax = 128;
const noteMax = 1024;

/** Validates an event in core form, for both event APIs. */
export function validateEvent(event: Fields, strict: boolean): FieldError[] {
  const controller = strict ? 'reportingController' : 'reportingComponent';
  const dated = text(event.eventTime) !== '';
  const namespace = text(fields(event.metadata).namespace);
  return [
    ...(dated ? validateDated(event, controller) : validateUndated(event)),
    ...problems('namespace', namespace, checkDns1123Subdomain(namespace)),
  ];
}

const mismatch = 'does not match event.namespace';

function validateUndated(event: Fields): FieldError[] {
  const namespace = text(fields(event.metadata).namespace);
  const involved = text(fields(event.involvedObject).namespace);
  const agree = involved === '' ? namespace === '' || namespace === 'default' : namespace === involved;
  return agree ? [] : [invalidField('involvedObject.namespace', involved, mismatch)];
}

function validateDated(event: Fields, controller: string): FieldError[] {
  const namespace = text(fields(event.metadata).namespace);
  const involved = text(fields(event.involvedObject).namespace);
  const errors: FieldError[] = [];
  if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') {
    errors.push(invalidField('involvedObject.namespace', involved, mismatch));
  }
  const reporter = text(event.reportingComponent);
  if (reporter === '') errors.push(requiredField(controller));
  errors.push(...problems(controller, reporter, checkQualifiedName(reporter)));
  errors.push(
    ...sized(event, 'reportingInstance', instanceMax, true),
    ...sized(event, 'action', reasonMax, true),
    ...sized(event, 'reason', reasonMax, true),
    ...sized(event, 'message', noteMax, false),
  );
  return errors;
}

function sized(event: Fields, key: string, max: number, needed: boolean): FieldError[] {
  const value = text(event[key]);
  if (value === '') return needed ? [requiredField(key)] : [];
  return Buffer.byteLength(value) > max ? [invalidField(key, '', `can have at most ${max} characters`)] : [];
}

/** Validates what only new events.k8s.io/v1 events must satisfy. */
export function validateStrictCreate(event: Fields): FieldError[] {
  const errors = validateSeries(event);
  if (text(event.eventTime) === '') errors.push(requiredField('eventTime'));
  const type = text(event.type);
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalidField('type', '', `has invalid value: ${type}`));
  for (const key of ['firstTimestamp', 'lastTimestamp'] as const) {
    if (text(event[key]) !== '') errors.push(invalidField(key, '', 'needs to be unset'));
  }
  if (number(event.count) !== 0) errors.push(invalidField('count', '', 'needs to be unset'));
  const source = fields(event.source);
  if (text(source.component) !== '' || text(source.host) !== '')
    errors.push(invalidField('source', '', 'needs to be unset'));
  return errors;
}

function validateSeries(event: Fields): FieldError[] {
  if (event.series === undefined) return [];
  const series = fields(event.series);
  const errors: FieldError[] = [];
  if (number(series.count) < 2) errors.push(invalidField('series.count', '', 'should be at least 2'));
  if (text(series.lastObservedTime) === '') errors.push(requiredField('series.lastObservedTime'));
  return errors;
}

const fixed: readonly (readonly [key: string, shown: string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

export function validateStrictUpdate(event: Fields, old: Fields): FieldError[] {
  const series = deepEqual(event.series, old.series) ? [] : validateSeries(event);
  const changed = fixed.filter(([key]) => !deepEqual(event[key], old[key]));
  return [...series, ...changed.map(([key, shown]) => invalidField(shown, event[key], immutableText))];
}
