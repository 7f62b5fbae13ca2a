import { type FieldError, formatAge, invalidField, requiredField } from '@slipway/kube';
import { defaultPodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, text } from '../shared/fields.js';
import { ageColumn, column, formatSelector, nameColumn, orNone, printer, wide } from '../shared/table.js';
import { nonNegative, oneOf } from '../shared/validation.js';
import { validateJobSpec } from './validate-job-spec.js';

// The name of a Job is that of the CronJob plus eleven characters, and must fit into a label value.
const nameLengthMax = 52;

function jobSpecOf(object: Fields): Fields {
  return fields(fields(fields(object.spec).jobTemplate).spec);
}

function containersOf(object: Fields, key: string): string {
  const containers = list(fields(fields(jobSpecOf(object).template).spec).containers);
  return containers.map((container) => text(container[key])).join(',');
}

export const cronJobs = defineBuiltin({
  group: 'batch',
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  status: true,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('Schedule', (object) => text(fields(object.spec).schedule)),
    column('Timezone', (object) => orNone(fields(object.spec).timeZone)),
    column('Suspend', (object) => (fields(object.spec).suspend === true ? 'True' : 'False'), 'boolean'),
    column('Active', (object) => list(fields(object.status).active).length, 'integer'),
    column('Last Schedule', (object, now) => {
      const last = fields(object.status).lastScheduleTime;
      return last === undefined ? '<none>' : formatAge(last, now);
    }),
    ageColumn,
    wide('Containers', (object) => containersOf(object, 'name')),
    wide('Images', (object) => containersOf(object, 'image')),
    wide('Selector', (object) => formatSelector(jobSpecOf(object).selector)),
  ]),
  strategy: {
    defaults(object) {
      const spec = child(object, 'spec');
      fill(spec, {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      });
      const template = child(spec, 'jobTemplate');
      child(template, 'metadata');
      // Only the pod template gets defaults here. Other fields of the Job spec get theirs when the Job is created.
      defaultPodTemplate(child(child(template, 'spec'), 'template'));
    },
    validate,
  },
});

function validate(object: Fields, old: Fields | undefined): FieldError[] {
  const spec = fields(object.spec);
  const errors: FieldError[] = [];
  const name = text(fields(object.metadata).name);
  if (old === undefined && name.length > nameLengthMax) {
    errors.push(invalidField('metadata.name', name, `must be no more than ${nameLengthMax} characters`));
  }
  const schedule = text(spec.schedule);
  if (schedule === '') errors.push(requiredField('spec.schedule'));
  else errors.push(...validateSchedule(schedule));
  errors.push(
    ...nonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...nonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...nonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
    ...validateJobSpec(jobSpecOf(object), 'spec.jobTemplate.spec'),
  );
  return errors;
}

const descriptors = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);
const fieldPattern = /^[0-9A-Za-z*?,/-]+$/;

function validateSchedule(schedule: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schedule.includes('TZ')) {
    errors.push(
      invalidField('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
    );
  }
  const problem = scheduleProblem(schedule.replace(/^(?:CRON_)?TZ=\S+\s+/, '').trim());
  return problem === undefined ? errors : [invalidField('spec.schedule', schedule, problem), ...errors];
}

function scheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith('@')) {
    const known = descriptors.has(schedule) || /^@every \S+$/.test(schedule);
    return known ? undefined : `unrecognized descriptor: ${schedule}`;
  }
  const parts = schedule.split(/\s+/);
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  const wrong = parts.find((part) => !fieldPattern.test(part));
  return wrong === undefined
    ? undefined
    : `failed to parse int from ${wrong}: strconv.Atoi: parsing ${JSON.stringify(wrong)}: invalid syntax`;
}
