import {
  canonicalQuantity,
  deepEqual,
  ensureFields,
  ensureList,
  type Fields,
  fieldsOf,
  isFields,
  itemsOf,
  textOf,
} from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Store } from '../../contract/index.js';
import { forbiddenRequestOf } from '../refuse.js';
import { specOf, writes } from './pod-request.js';

/** Sets overhead and scheduling constraints of pods from their RuntimeClass. */
export function runtimeClass(store: Store): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    handles: (request) => writes(request, 'pods', ['CREATE']),
    mutate(request) {
      if (request.object === undefined) return;
      const spec = specOf(request.object);
      const found = classOf(store, request, textOf(spec['runtimeClassName']));
      setOverhead(request, spec, fieldsOf(found['overhead'])['podFixed']);
      setScheduling(request, spec, fieldsOf(found['scheduling']));
    },
  };
}

function classOf(store: Store, request: AdmissionRequest, name: string): Fields {
  if (name === '') return {};
  const found = store.get({ resource: 'node.k8s.io/runtimeclasses', namespace: '', name });
  if (found === undefined) throw rejected(request, `RuntimeClass "${name}" not found`);
  return found.object as Fields;
}

function rejected(request: AdmissionRequest, why: string): Error {
  return forbiddenRequestOf(request, `pod rejected: ${why}`);
}

function setOverhead(request: AdmissionRequest, spec: Fields, podFixed: unknown): void {
  const given = spec['overhead'];
  if (!isFields(podFixed)) {
    if (isFields(given) && Object.keys(given).length > 0)
      throw rejected(request, 'Pod Overhead set without corresponding RuntimeClass defined Overhead');
    return;
  }
  if (isFields(given) && !deepEqual([...canonical(given)], [...canonical(podFixed)]))
    throw rejected(request, "Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  spec['overhead'] = { ...podFixed };
}

function canonical(quantities: Fields): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(quantities)
      .map(([name, value]) => [name, canonicalText(String(value))] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Returns the canonical form of a quantity. Returns an invalid quantity unchanged: validation rejects it later. */
function canonicalText(text: string): string {
  try {
    return canonicalQuantity(text);
  } catch {
    return text;
  }
}

function setScheduling(request: AdmissionRequest, spec: Fields, scheduling: Fields): void {
  const required = fieldsOf(scheduling['nodeSelector']);
  const selector = Object.keys(required).length === 0 ? {} : ensureFields(spec, 'nodeSelector');
  for (const [key, value] of Object.entries(required)) {
    if (Object.hasOwn(selector, key) && selector[key] !== value)
      throw rejected(
        request,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${String(value)}; pod.spec.nodeSelector[${key}] = ${String(selector[key])}`,
      );
    selector[key] = value;
  }
  for (const toleration of itemsOf(scheduling['tolerations'])) {
    const tolerations = ensureList(spec, 'tolerations');
    if (!tolerations.some((one) => deepEqual(one, toleration))) tolerations.push({ ...toleration });
  }
}
