import type { ObjectSet } from '@slipway/insight';
import type { Situation } from './situation.js';
import { conditionFrom, type Draft } from './draft.js';
import { clusterObjects, setOf, situationObjects } from './states.js';
import { mirrorConditions } from './mirror.js';

const namespace = 'team';
const name = 'demo';

export interface Form {
  readonly title: string;
  readonly setOf: (situation: Situation) => ObjectSet;
}

/** The ways in which each situation is explained. */
export const forms: readonly Form[] = [
  { title: 'alone', setOf: (situation) => toSet(situation, objectsOf(situation, false)) },
  {
    title: 'with add-ons and a ClusterClass',
    setOf: (situation) => toSet(situation, [...objectsOf(situation, true), ...addOns(situation)]),
  },
  {
    title: 'beside ten healthy and two broken clusters',
    setOf: (situation) => toSet(situation, [...neighbours(), ...objectsOf(situation, false)]),
  },
];

function toSet(situation: Situation, objects: readonly Draft[]): ObjectSet {
  return setOf(objects, situation.warnings, name);
}

function objectsOf(situation: Situation, hasClass: boolean): Draft[] {
  const { provider = 'dev', stage } = situation;
  return situationObjects(situation, { name, namespace, provider, stage, hasClass });
}

function resourceSet(condition: string): Draft {
  return {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: {
      name: 'network',
      namespace,
      uid: 'ClusterResourceSet network',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { clusterSelector: { matchLabels: { cni: 'calico' } }, resources: [] },
    status: { conditions: [conditionFrom(condition)] },
  } as Draft;
}

/** Returns a ClusterResourceSet, which waits for a cluster that is not available yet. */
function addOns({ stage, broken }: Situation): Draft[] {
  const isUp =
    stage === 'available' &&
    !broken.some(({ conditions = [] }) => conditions.some((one) => one.startsWith('RemoteConnectionProbe=False')));
  const waiting = `Waiting for a connection to Cluster ${name}: no connection to the workload cluster`;
  return [resourceSet(isUp ? 'ResourcesApplied=True Applied:' : `ResourcesApplied=False NotApplied: ${waiting}`)];
}

/** Returns other clusters of the namespace, with add-ons that fail on one of them. */
function neighbours(): Draft[] {
  const healthy = Array.from({ length: 10 }, (_, index) => cluster(`healthy-${index}`, 'available'));
  const broken: Situation[] = [
    {
      name: 'backend',
      stage: 'starting',
      broken: [{ on: 'DevMachine/control-plane', conditions: ['VMProvisioned=False BackendNotSupported: no docker'] }],
      expect: { cause: 'InfrastructureMisconfigured', state: 'blocked', object: 'DevMachine', exitCode: 1, next: '' },
    },
    {
      name: 'paused',
      stage: 'available',
      broken: [{ on: 'Cluster', spec: { paused: true } }],
      expect: { cause: 'ClusterPaused', state: 'held', object: 'Cluster', exitCode: 1, next: '' },
    },
  ];
  const message = 'Failed to apply ClusterResourceSet resources to Cluster broken-backend: no matches for kind Network';
  return [
    ...healthy.flat(),
    ...broken.flatMap((one) =>
      situationObjects(one, { name: `broken-${one.name}`, namespace, provider: 'dev', stage: one.stage }),
    ),
    resourceSet(`ResourcesApplied=False NotApplied: ${message}`),
  ];
}

function cluster(own: string, stage: 'available'): Draft[] {
  const objects = clusterObjects({ name: own, namespace, provider: 'dev', stage });
  mirrorConditions(objects, stage);
  return objects;
}

/** Replaces the names of the cluster and its namespace. */
export function filled(text: string): string {
  return text.replaceAll('$namespace', namespace).replaceAll('$name', name);
}

export const clusterName = name;
