import { type FieldError, forbiddenField, formatTime } from '@slipway/kube';
import type { ResourceDefinition, Subresource, WriteContext } from '../../contract/index.js';
import { defaultPod, defaultPodSpec, qualityOfService, validatePodSpec } from '../pods/index.js';
import { bindPod } from '../pods/binding.js';
import { evictPod } from '../pods/eviction.js';
import type { PodOperations } from '../pods/pod-operations.js';
import { podParts } from '../pods/pod-parts.js';
import { podTable } from '../pods/pod-table.js';
import { validatePodUpdate } from '../pods/validate-pod-update.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, list, number, put, text } from '../shared/fields.js';

export interface PodHooks {
  readonly operations: PodOperations;
  /** The current time in API format. */
  readonly now: () => string;
}

/** Defines Pod. Binding and eviction are served if `hooks` are set. */
export function pods(hooks: PodHooks | undefined): ResourceDefinition {
  return defineBuiltin({
    group: '',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    namespaced: true,
    status: true,
    returnsDeleted: true,
    generation: ['spec'],
    table: podTable,
    selectable: {
      'spec.nodeName': (pod) => text(fields(pod.spec).nodeName),
      'spec.restartPolicy': (pod) => text(fields(pod.spec).restartPolicy),
      'spec.schedulerName': (pod) => text(fields(pod.spec).schedulerName),
      'spec.serviceAccountName': (pod) => text(fields(pod.spec).serviceAccountName),
      'spec.hostNetwork': (pod) => String(fields(pod.spec).hostNetwork === true),
      'status.phase': (pod) => text(fields(pod.status).phase),
      'status.podIP': (pod) => text(fields(pod.status).podIP),
      'status.podIPs': (pod) => text(fields(list(fields(pod.status).podIPs)[0]).ip),
      'status.nominatedNodeName': (pod) => text(fields(pod.status).nominatedNodeName),
    },
    subresources: [...(hooks === undefined ? [] : podSubresources(hooks)), ...podParts],
    strategy: {
      defaults(pod) {
        const spec = child(pod, 'spec');
        defaultPodSpec(spec);
        defaultPod(spec);
      },
      prepareCreate,
      validate: (pod, old) => [
        ...validatePodSpec(fields(pod.spec), 'spec'),
        ...(old === undefined ? forbidEphemeral(fields(pod.spec)) : []),
      ],
      validateUpdate: validatePodUpdate,
      prepareStatus(pod, old) {
        // A status update cannot change ownerReferences.
        put(child(pod, 'metadata'), 'ownerReferences', fields(old.metadata).ownerReferences);
        child(pod, 'status').qosClass ??= fields(old.status).qosClass;
      },
      graceSeconds,
    },
  });
}

function forbidEphemeral(spec: Fields): FieldError[] {
  const found = list(spec.ephemeralContainers).length > 0;
  return found ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')] : [];
}

function podSubresources(hooks: PodHooks): Subresource[] {
  return [
    {
      name: 'binding',
      kind: { group: '', version: 'v1', kind: 'Binding' },
      verbs: ['create'],
      create: bindPod(hooks.operations, hooks.now),
    },
    {
      name: 'eviction',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      verbs: ['create'],
      create: evictPod(hooks.operations, hooks.now),
    },
  ];
}

function prepareCreate(pod: Fields, context: WriteContext): void {
  const spec = fields(pod.spec);
  const status: Fields = { phase: 'Pending', qosClass: qualityOfService(spec) };
  if (list(spec.schedulingGates).length > 0) {
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    const times = { lastTransitionTime: formatTime(context.now) };
    status.conditions = [{ type: 'PodScheduled', status: 'False', ...times, reason: 'SchedulingGated', message }];
  }
  pod.status = status;
}

/** Returns the grace period of a deletion. It applies only to scheduled pods that have not terminated. */
function graceSeconds(pod: Fields, requested: number | undefined): number | undefined {
  const [spec, status] = [fields(pod.spec), fields(pod.status)];
  const seconds =
    requested ?? (spec.terminationGracePeriodSeconds === undefined ? 30 : number(spec.terminationGracePeriodSeconds));
  const phase = text(status.phase);
  if (text(spec.nodeName) === '' || phase === 'Succeeded' || phase === 'Failed') return undefined;
  if (seconds === 0) return undefined;
  return seconds < 0 ? 1 : seconds;
}
