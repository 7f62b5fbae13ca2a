import { type FieldError, forbiddenField, type KubeObject } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, fill, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { immutable, optionalOneOf } from '../shared/validation.js';

const userPriorityMax = 1_000_000_000;
const systemPrefix = 'system-';

export const priorityClasses = defineBuiltin({
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  generation: [],
  table: printer([
    nameColumn,
    column('Value', (object) => number(object.value), 'integer'),
    column('Global-Default', (object) => object.globalDefault === true, 'boolean'),
    ageColumn,
    column('PreemptionPolicy', (object) => text(object.preemptionPolicy)),
  ]),
  strategy: {
    defaults(object) {
      fill(object, { value: 0, preemptionPolicy: 'PreemptLowerPriority' });
    },
    validate,
    validateUpdate: (object, old) => [
      ...(number(object.value) === number(old.value)
        ? []
        : [forbiddenField('value', 'may not be changed in an update.')]),
      ...immutable('preemptionPolicy', object.preemptionPolicy === old.preemptionPolicy, object.preemptionPolicy),
    ],
  },
});

interface SystemClass {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

const system: readonly SystemClass[] = [
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'For pods that are critical for the node on which they run.',
  },
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description: 'For pods that are critical for the cluster and can run on any node.',
  },
];

/** Returns the two system classes, which the server creates at start. */
export function systemPriorityClasses(): KubeObject[] {
  return system.map(({ name, value, description }) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  }));
}

function validate(object: Fields): FieldError[] {
  const name = text(fields(object.metadata).name);
  const errors: FieldError[] = [];
  if (name.startsWith(systemPrefix)) {
    const known = system.find((item) => item.name === name);
    const isUnchanged = known !== undefined && known.value === number(object.value) && object.globalDefault !== true;
    if (!isUnchanged) {
      const why = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
      errors.push(forbiddenField('metadata.name', why));
    }
  } else if (number(object.value) > userPriorityMax) {
    errors.push(forbiddenField('value', `maximum allowed value of a user defined priority is ${userPriorityMax}`));
  }
  const policies = ['PreemptLowerPriority', 'Never'];
  return [...errors, ...optionalOneOf('preemptionPolicy', object.preemptionPolicy, policies)];
}
