import { fieldsOf, type Frozen, type KubeObject, textOf } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Store } from '../../contract/index.js';
import { forbiddenRequestOf } from '../refuse.js';
import { specOf, writes } from './pod-request.js';

const classes = 'scheduling.k8s.io/priorityclasses';
const preemptionDefault = 'PreemptLowerPriority';

/** Sets the priority value of pods from their PriorityClass. */
export function priority(store: Store): AdmissionPlugin {
  return {
    name: 'Priority',
    handles: (request) =>
      writes(request, 'pods', ['CREATE', 'UPDATE']) || writes(request, classes, ['CREATE', 'UPDATE']),
    mutate(request) {
      if (request.resource.resource !== 'pods' || request.object === undefined) return;
      if (request.operation === 'CREATE') setPriority(store, request, request.object);
      else keepPriority(request.object, request.oldObject);
    },
    validate(request) {
      if (request.resource.resource === 'priorityclasses') refuseSecondDefault(store, request);
    },
  };
}

interface Chosen {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

function setPriority(store: Store, request: AdmissionRequest, pod: KubeObject): void {
  const spec = specOf(pod);
  const chosen = chooseClass(store, request, textOf(spec['priorityClassName']));
  const { priority: given, preemptionPolicy: policy } = spec;
  if (given !== undefined && given !== null && Number(given) !== chosen.value)
    throw forbiddenRequestOf(
      request,
      `the integer value of priority (${Number(given)}) must not be provided in pod spec; priority admission controller computed ${chosen.value} from the given PriorityClass name`,
    );
  if (policy !== undefined && policy !== null && policy !== chosen.preemptionPolicy)
    throw forbiddenRequestOf(
      request,
      `the string value of PreemptionPolicy (${textOf(policy)}) must not be provided in pod spec; priority admission controller computed ${chosen.preemptionPolicy} from the given PriorityClass name`,
    );
  if (chosen.name !== '') spec['priorityClassName'] = chosen.name;
  spec['priority'] = chosen.value;
  spec['preemptionPolicy'] = chosen.preemptionPolicy;
}

function chooseClass(store: Store, request: AdmissionRequest, name: string): Chosen {
  if (name === '') {
    const [first] = defaultClasses(store);
    return first === undefined ? { name: '', value: 0, preemptionPolicy: preemptionDefault } : chosenFrom(first);
  }
  const found = store.get({ resource: classes, namespace: '', name });
  if (found === undefined) throw forbiddenRequestOf(request, `no PriorityClass with name ${name} was found`);
  return chosenFrom(found.object);
}

function chosenFrom(found: Frozen<KubeObject>): Chosen {
  return {
    name: found.metadata.name ?? '',
    value: Number(found['value'] ?? 0),
    preemptionPolicy: textOf(found['preemptionPolicy']) || preemptionDefault,
  };
}

/** Lists the PriorityClasses that are marked as global default, lowest value first. The first one is used. */
function defaultClasses(store: Store): readonly Frozen<KubeObject>[] {
  return store
    .list({ resource: classes })
    .map((stored) => stored.object)
    .filter((object) => object['globalDefault'] === true)
    .sort((left, right) => Number(left['value'] ?? 0) - Number(right['value'] ?? 0));
}

/**
 * Copies stored priority fields into an update that omits them: clients that do not know these fields must be able to
 * update pods.
 */
function keepPriority(pod: KubeObject, old: Frozen<KubeObject> | undefined): void {
  const spec = specOf(pod);
  const before = fieldsOf(old?.['spec']);
  for (const field of ['priority', 'preemptionPolicy']) {
    if ((spec[field] === undefined || spec[field] === null) && before[field] !== undefined) spec[field] = before[field];
  }
}

function refuseSecondDefault(store: Store, request: AdmissionRequest): void {
  if (request.object?.['globalDefault'] !== true) return;
  const other = defaultClasses(store).find((one) => one.metadata.name !== request.object?.metadata.name);
  if (other === undefined) return;
  throw forbiddenRequestOf(
    request,
    `PriorityClass ${other.metadata.name ?? ''} is already marked as default. Only one default can exist`,
  );
}
