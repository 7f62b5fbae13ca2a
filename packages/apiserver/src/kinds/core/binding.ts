import type { ResourceDefinition } from '../../contract/index.js';
import { bindPod } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import type { PodHooks } from './pod.js';

/** Defines POST bindings: the legacy way to bind a pod. The body names the pod. */
export function bindings(hooks: PodHooks): ResourceDefinition {
  const definition = defineBuiltin({
    group: '',
    kind: 'Binding',
    plural: 'bindings',
    namespaced: true,
    verbs: ['create'],
  });
  return { ...definition, createOnly: bindPod(hooks.operations, hooks.now) };
}
