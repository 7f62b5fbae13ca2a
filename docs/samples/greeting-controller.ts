import type { Frozen } from '@slipway/kube';
import {
  applyPlan,
  type ConditionTarget,
  type ConfigMap,
  configMaps,
  type Controller,
  createController,
  done,
  edit,
  type NewCondition,
  ownerReference,
  type Plan,
  PlanBuilder,
  type Predicate,
  setCondition,
  wait,
} from '@slipway/runtime';
import { type Greeting, greetings } from './greeting.js';

/** The whole decision, without I/O: what is wanted, what is there, what is to be done and why. */
export function planGreeting(wanted: Frozen<Greeting>, there: Frozen<ConfigMap> | undefined, nowMs: number): Plan {
  const plan = new PlanBuilder();
  const { name } = wanted.spec;
  const told = (condition: Omit<NewCondition, 'type'>): void => {
    const after = edit(wanted, (draft) =>
      setCondition(draft as ConditionTarget, { type: 'Ready', ...condition }, nowMs),
    );
    plan.patch(greetings, wanted, after, { reason: condition.reason, ownedConditions: ['Ready'] });
  };
  if (name === undefined) {
    told({ status: 'False', reason: 'WaitingForName', message: 'spec.name is not set: set it to whom to greet' });
    return plan.end(wait({ reason: 'WaitingForName', message: 'spec.name is not set' }));
  }
  const data = { text: `Hello, ${name}!` };
  const { namespace, name: own } = wanted.metadata;
  const metadata = { namespace, name: own, ownerReferences: [ownerReference(wanted, { controller: true })] };
  if (there === undefined)
    plan.create(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
      { reason: 'Created', eventFor: wanted },
    );
  else
    plan.patch(
      configMaps,
      there,
      edit(there, (draft) => void (draft.data = data)),
      { reason: 'NameChanged' },
    );
  told({ status: 'True', reason: 'Greeted', message: '' });
  return plan.end(done());
}

/** Wires it: what it watches, how wide it works, and what one look does. */
export function createGreetingController(options: { concurrency: number; filter?: Predicate<Greeting> }): Controller {
  return createController({
    ...options,
    name: 'greeting',
    for: greetings,
    owns: [configMaps],
    async reconcile(key, { client, sources, clock, logger, events, signal }) {
      const wanted = sources.sourceFor(greetings).get(key);
      if (wanted === undefined || wanted.metadata.deletionTimestamp) return done();
      const there = sources.sourceFor(configMaps).get(key);
      const { outcome } = await applyPlan(client, planGreeting(wanted, there, clock.now()), { logger, events, signal });
      return outcome;
    },
  });
}
