import type { Disposable } from '@slipway/base';
import { type Frozen, formatTime, type KubeObject } from '@slipway/kube';
import { isDefaultLevel } from '../../http/flow-control/default-levels.js';
import { fields, list, text } from '../../kinds/shared/fields.js';
import type { ResourceRef } from '../../registry/index.js';
import { type ControllerDependencies, createController, follow, storageOf, thaw } from '../shared/index.js';

const group = 'flowcontrol.apiserver.k8s.io';
const flowSchemas: ResourceRef = { group, version: 'v1', resource: 'flowschemas' };
const levels: ResourceRef = { group, version: 'v1', resource: 'prioritylevelconfigurations' };

/** Maintains the condition `Dangling` of FlowSchemas: whether their priority level does not exist. */
export function startFlowSchemaStatus(dependencies: ControllerDependencies): Disposable {
  const { store, clock } = dependencies;
  const resource = storageOf(flowSchemas);
  const { scope, loop } = createController(dependencies, 'flow-schema-status', async (name, client) => {
    const schema = store.get({ resource, namespace: '', name })?.object;
    if (schema === undefined) return;
    const level = text(fields(fields(schema['spec'])['priorityLevelConfiguration'])['name']);
    const exists =
      isDefaultLevel(level) || store.get({ resource: storageOf(levels), namespace: '', name: level }) !== undefined;
    const condition = danglingCondition(level, exists);
    const known = list(fields(schema['status'])['conditions']).find(({ type }) => type === 'Dangling');
    if (known?.['status'] === condition.status && known['message'] === condition.message) return;
    await client.update(withCondition(schema, { ...condition, lastTransitionTime: formatTime(clock.now()) }), 'status');
  });
  scope.add(follow(store, resource, ({ key }) => loop.add(key.name)));
  scope.add(
    follow(store, storageOf(levels), () => {
      for (const { key } of store.list({ resource })) loop.add(key.name);
    }),
  );
  return scope;
}

function danglingCondition(level: string, exists: boolean): Record<'type' | 'status' | 'reason' | 'message', string> {
  const outcome = exists ? 'and it exists' : 'but there is no such object';
  return {
    type: 'Dangling',
    status: exists ? 'False' : 'True',
    reason: exists ? 'Found' : 'NotFound',
    message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" ${outcome}`,
  };
}

function withCondition(schema: Frozen<KubeObject>, condition: Readonly<Record<string, string>>): KubeObject {
  const next = thaw(schema);
  const status = fields(next['status']);
  const others = list(status['conditions']).filter(({ type }) => type !== condition['type']);
  next['status'] = { ...status, conditions: [...others, { ...condition }] };
  return next;
}
