import {
  badRequest,
  conflict,
  type FieldError,
  invalid,
  type KubeObject,
  type MutableJsonObject,
  notSupported,
  requiredField,
} from '@slipway/kube';
import type { SubresourceCreate } from '../../contract/index.js';
import { child, fields, type Fields, list, text } from '../shared/fields.js';
import type { PodOperations } from './pod-operations.js';

/** Handles POST pods/<name>/binding: assigns a pod to a node, once. */
export function bindPod(operations: PodOperations, now: () => string): SubresourceCreate {
  return async ({ namespace, name, body, dryRun }) => {
    const binding = body as Fields;
    const named = text(fields(binding.metadata).name);
    if (named !== '' && name !== '' && named !== name) {
      throw badRequest(`name in URL does not match name in Binding object`);
    }
    const pod = name === '' ? named : name;
    const errors = validateTarget(fields(binding.target));
    if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, pod, errors);
    await operations.changePod(namespace, pod, (object) => assignNode(object, binding, now()), dryRun);
    return { code: 201, object: success() };
  };
}

function validateTarget(target: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const kind = text(target.kind);
  if (kind !== '' && kind !== 'Node') errors.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  if (text(target.name) === '') errors.push(requiredField('target.name'));
  return errors;
}

function assignNode(pod: KubeObject, binding: Fields, time: string): void {
  const name = pod.metadata.name ?? '';
  const spec = child(pod, 'spec');
  const refuse = (why: string): never => {
    throw conflict({ group: '', resource: 'pods/binding' }, name, why);
  };
  if (pod.metadata.deletionTimestamp !== undefined)
    refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (text(spec.nodeName) !== '')
    refuse(`pod ${name} is already assigned to node ${JSON.stringify(text(spec.nodeName))}`);
  if (list(spec.schedulingGates).length > 0) refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  spec.nodeName = text(fields(binding.target).name);
  const annotations = fields(fields(binding.metadata).annotations);
  if (Object.keys(annotations).length > 0) Object.assign(child(child(pod, 'metadata'), 'annotations'), annotations);
  const status = child(pod, 'status');
  const others = list(status.conditions).filter(({ type }) => type !== 'PodScheduled');
  status.conditions = [
    ...others,
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: time },
  ];
}

export function success(): MutableJsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}
