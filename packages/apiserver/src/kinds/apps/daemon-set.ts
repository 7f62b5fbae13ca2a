import { deepEqual, type FieldError, invalidField, notSupported } from '@slipway/kube';
import { defaultPodTemplate } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, number, set, text } from '../shared/fields.js';
import {
  ageColumn,
  column,
  containersColumns,
  formatLabels,
  formatSelector,
  nameColumn,
  printer,
  wide,
} from '../shared/table.js';
import { duplicateConditions, nonNegative } from '../shared/validation.js';
import {
  amountOf,
  immutableSelector,
  intOrPercent,
  notOver100Percent,
  validateSelectorAndTemplate,
} from './replicas.js';

const generationAnnotation = 'deprecated.daemonset.template.generation';

const count = (key: string) => (object: Fields) => number(fields(object.status)[key]);

export const daemonSets = defineBuiltin({
  group: 'apps',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  status: true,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('Desired', count('desiredNumberScheduled'), 'integer'),
    column('Current', count('currentNumberScheduled'), 'integer'),
    column('Ready', count('numberReady'), 'integer'),
    column('Up-to-date', count('updatedNumberScheduled'), 'integer'),
    column('Available', count('numberAvailable'), 'integer'),
    column('Node Selector', (object) => formatLabels(fields(fields(fields(object.spec).template).spec).nodeSelector)),
    ageColumn,
    ...containersColumns,
    wide('Selector', (object) => formatSelector(fields(object.spec).selector)),
  ]),
  strategy: {
    defaults,
    prepareCreate(object) {
      object.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    },
    prepareUpdate: countTemplates,
    validate: (object, old) => [
      ...validateSpec(fields(object.spec)),
      ...(old === undefined ? [] : immutableSelector(object, old)),
    ],
    validateStatus: (object) => duplicateConditions(object),
  },
});

/** Maintains the annotation with the deprecated template generation, which counts changes of the pod template. */
function countTemplates(object: Fields, old: Fields): void {
  const before = Number(fields(fields(old.metadata).annotations)[generationAnnotation] ?? '1');
  const changed = !deepEqual(fields(object.spec).template, fields(old.spec).template);
  const annotations = child(child(object, 'metadata'), 'annotations');
  set(annotations, generationAnnotation, String(changed ? before + 1 : before));
}

function defaults(object: Fields): void {
  fill(child(child(object, 'metadata'), 'annotations'), { [generationAnnotation]: '1' });
  const spec = child(object, 'spec');
  defaultPodTemplate(child(spec, 'template'));
  fill(spec, { revisionHistoryLimit: 10 });
  const strategy = child(spec, 'updateStrategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy.type === 'RollingUpdate') fill(child(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
}

function validateSpec(spec: Fields): FieldError[] {
  return [
    ...validateSelectorAndTemplate(spec, { selector: 'daemonset', template: 'DaemonSet' }),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...validateStrategy(fields(spec.updateStrategy)),
  ];
}

function validateStrategy(strategy: Fields): FieldError[] {
  // Upstream prints its internal Go type here, whose field names are upper case.
  const printed = { Type: text(strategy.type), RollingUpdate: null };
  if (!['RollingUpdate', 'OnDelete'].includes(text(strategy.type)))
    return [notSupported('spec.updateStrategy', printed, ['RollingUpdate', 'OnDelete'])];
  if (strategy.type !== 'RollingUpdate') return [];
  const errors: FieldError[] = [];
  const { maxUnavailable, maxSurge } = fields(strategy.rollingUpdate);
  const at = 'spec.updateStrategy.rollingUpdate';
  for (const [key, value] of [
    ['maxUnavailable', maxUnavailable],
    ['maxSurge', maxSurge],
  ] as const) {
    errors.push(...intOrPercent(`${at}.${key}`, value), ...notOver100Percent(`${at}.${key}`, value));
  }
  const [down, up] = [amountOf(maxUnavailable), amountOf(maxSurge)];
  if (down === 0 && up === 0)
    errors.push(invalidField(`${at}.maxUnavailable`, maxUnavailable, 'cannot be 0 when maxSurge is 0'));
  if (down !== 0 && up !== 0)
    errors.push(invalidField(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  return errors;
}
