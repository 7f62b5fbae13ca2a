import type { Frozen } from '@slipway/kube';
import {
  type Change,
  type ConditionTarget,
  type ConfigMap,
  configMaps,
  type Controller,
  createController,
  done,
  edit,
  type NewCondition,
  type Outcome,
  ownerReference,
  type Predicate,
  setCondition,
  wait,
} from '@slipway/runtime';
import { type Greeting, greetings } from './greeting.js';

export interface GreetingPlan {
  readonly changes: readonly Change[];
  readonly outcome: Outcome;
}

/** Returns the changes to make, each with its reason, from the observed objects and the time. Pure: no I/O. */
export function planGreeting(
  greeting: Frozen<Greeting>,
  configMap: Frozen<ConfigMap> | undefined,
  nowMs: number,
): GreetingPlan {
  const { name } = greeting.spec;
  if (name === undefined) {
    const message = 'spec.name is not set: set it to the name to greet';
    const ready = readyChange(greeting, { status: 'False', reason: 'WaitingForName', message }, nowMs);
    return { changes: [ready], outcome: wait({ reason: 'WaitingForName', message }) };
  }
  const ready = readyChange(greeting, { status: 'True', reason: 'Greeted', message: '' }, nowMs);
  return { changes: [configMapChange(greeting, configMap, { text: `Hello, ${name}!` }), ready], outcome: done() };
}

function configMapChange(
  greeting: Frozen<Greeting>,
  configMap: Frozen<ConfigMap> | undefined,
  data: { readonly text: string },
): Change {
  if (configMap !== undefined) {
    const after = edit(configMap, (draft) => void (draft.data = { ...data }));
    const message = 'Updated the ConfigMap to the name in spec.name';
    return { verb: 'patch', resource: configMaps, before: configMap, after, reason: 'NameChanged', message };
  }
  const { namespace, name } = greeting.metadata;
  const metadata = { namespace, name, ownerReferences: [ownerReference(greeting, { controller: true })] };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...data } };
  const message = `Created ConfigMap ${name ?? ''}`;
  return { verb: 'create', resource: configMaps, object, reason: 'Created', message, event: { about: greeting } };
}

function readyChange(greeting: Frozen<Greeting>, condition: Omit<NewCondition, 'type'>, nowMs: number): Change {
  const after = edit(greeting, (draft) =>
    setCondition(draft as ConditionTarget, { type: 'Ready', ...condition }, nowMs),
  );
  const { reason, message = '' } = condition;
  return { verb: 'status', resource: greetings, before: greeting, after, ownedConditions: ['Ready'], reason, message };
}

/** Creates the controller: what it watches, how many keys it reconciles concurrently, and what one reconcile does. */
export function createGreetingController(options: { concurrency: number; filter?: Predicate<Greeting> }): Controller {
  return createController({
    ...options,
    name: 'greeting',
    for: greetings,
    owns: [configMaps],
    async reconcile(key, context) {
      const { sources, clock } = context;
      const greeting = sources.sourceFor(greetings).get(key);
      if (greeting === undefined || greeting.metadata.deletionTimestamp) return done();
      const { changes, outcome } = planGreeting(greeting, sources.sourceFor(configMaps).get(key), clock.now());
      await context.changeAll(changes);
      return outcome;
    },
  });
}
