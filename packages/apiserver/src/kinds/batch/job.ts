import { deepEqual, type FieldError, humanDuration, invalidField, parseTime, requiredField } from '@slipway/kube';
import { defaultPodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, number, text } from '../shared/fields.js';
import { ageColumn, column, containersColumns, formatSelector, nameColumn, printer, wide } from '../shared/table.js';
import { duplicateConditions, immutable, selectorMatches } from '../shared/validation.js';
import { validateJobSpec } from './validate-job-spec.js';

const uidLabel = 'batch.kubernetes.io/controller-uid';
const nameLabel = 'batch.kubernetes.io/job-name';

export const jobs = defineBuiltin({
  group: 'batch',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  namespaced: true,
  status: true,
  generation: ['spec'],
  defaultPropagation: {
    policy: 'Orphan',
    warning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set ' +
      'propagationPolicy=Orphan to suppress this warning',
  },
  table: printer([
    nameColumn,
    column('Status', statusOf),
    column('Completions', completionsOf),
    column('Duration', durationOf),
    ageColumn,
    ...containersColumns,
    wide('Selector', (job) => formatSelector(fields(job.spec).selector)),
  ]),
  selectable: { 'status.successful': (job) => String(number(fields(job.status).succeeded)) },
  strategy: {
    defaults(job) {
      defaultJobSpec(child(job, 'spec'));
      fill(child(job, 'spec'), { manualSelector: false });
    },
    prepareCreate: (job) => generateSelector(job),
    validate,
    validateUpdate,
    validateStatus: (job) => duplicateConditions(job),
  },
});

function defaultJobSpec(spec: Fields): void {
  defaultPodTemplate(child(spec, 'template'));
  // If neither field is set, the Job runs one pod. If only parallelism is set, it is a work queue without completions.
  if (spec.completions === undefined && spec.parallelism === undefined) fill(spec, { completions: 1, parallelism: 1 });
  fill(spec, { parallelism: 1, completionMode: 'NonIndexed', suspend: false });
  fill(spec, { backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647 });
  fill(spec, { podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed' });
}

/** Sets the default selector of a Job, which selects pods by the uid of the Job. */
function generateSelector(job: Fields): void {
  const spec = fields(job.spec);
  if (spec.manualSelector === true) return;
  const { name, uid } = fields(job.metadata);
  const labels = child(child(child(spec, 'template'), 'metadata'), 'labels');
  fill(labels, { 'controller-uid': uid, 'job-name': name, [uidLabel]: uid, [nameLabel]: name });
  fill(child(child(spec, 'selector'), 'matchLabels'), { [uidLabel]: uid });
  fill(child(job, 'metadata'), { labels: { ...labels } });
}

function validate(job: Fields): FieldError[] {
  const spec = fields(job.spec);
  const errors = validateJobSpec(spec, 'spec');
  if (spec.selector === undefined) return [...errors, requiredField('spec.selector')];
  const labels = fields(fields(spec.template).metadata).labels;
  if (selectorMatches(spec.selector, labels)) return errors;
  return [
    ...errors,
    invalidField('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'),
  ];
}

function validateUpdate(job: Fields, old: Fields): FieldError[] {
  const [spec, before] = [fields(job.spec), fields(old.spec)];
  const fixed = [
    'selector',
    'template',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ];
  const errors = fixed
    .filter((key) => !(key === 'template' && before.suspend === true))
    .flatMap((key) => immutable(`spec.${key}`, deepEqual(spec[key], before[key]), spec[key]));
  // An Indexed Job may be scaled while completions and parallelism stay equal.
  const elastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!elastic)
    errors.push(...immutable('spec.completions', deepEqual(spec.completions, before.completions), spec.completions));
  return errors;
}

function conditionHolds(job: Fields, conditionType: string): boolean {
  return list(fields(job.status).conditions).some(({ type, status }) => type === conditionType && status === 'True');
}

function statusOf(job: Fields): string {
  if (conditionHolds(job, 'Complete')) return 'Complete';
  if (conditionHolds(job, 'Failed')) return 'Failed';
  if (text(fields(job.metadata).deletionTimestamp) !== '') return 'Terminating';
  if (conditionHolds(job, 'Suspended')) return 'Suspended';
  if (conditionHolds(job, 'FailureTarget')) return 'FailureTarget';
  return conditionHolds(job, 'SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running';
}

function completionsOf(job: Fields): string {
  const { completions, parallelism } = fields(job.spec);
  const done = number(fields(job.status).succeeded);
  if (completions !== undefined) return `${done}/${number(completions)}`;
  return number(parallelism) > 1 ? `${done}/1 of ${number(parallelism)}` : `${done}/1`;
}

function durationOf(job: Fields, now: number): string {
  const { startTime, completionTime } = fields(job.status);
  if (startTime === undefined) return '';
  const end = completionTime === undefined ? now : parseTime(text(completionTime));
  return humanDuration(end - parseTime(text(startTime)));
}
