import { describe, expect, it } from 'vitest';
import { explain, needsExplanation, type ObjectSet, type Observed } from '@slipway/insight';
import { clusterView } from '../../packages/console/src/cluster/cluster-view.js';
import { toneOf } from '../../packages/console/src/cluster/tones.js';
import { situations } from './catalogue/index.js';
import { nowMs } from './draft.js';
import { clusterName, forms } from './forms.js';

const ofClusters = situations.filter(({ subject }) => subject === undefined);
/** Kinds that do not report to the Cluster, and that the fleet page watches. */
const reporters = ['KubeadmControlPlane', 'MachineHealthCheck', 'ClusterResourceSet'];
/** Situations that no watched object reports. The fleet page shows them when the control plane provider has noticed. */
const unreported: ReadonlySet<string> = new Set([
  'the Secret of the service account key was deleted, and the control plane has not noticed',
]);

function clusterOf(set: ObjectSet): Observed {
  const cluster = set.ofKind('Cluster').find(({ metadata }) => metadata.name === clusterName);
  if (cluster === undefined) throw new Error('there is no Cluster');
  return cluster;
}

describe.each(forms)('the console, $title', ({ setOf }) => {
  it.each(ofClusters)('shows the root cause of slipway why on the page of a cluster: $name', (situation) => {
    const set = setOf(situation);
    const cluster = clusterOf(set);
    const explanation = explain(set, cluster, nowMs);
    const { why, summary } = clusterView({ set, cluster, history: [], certificates: {}, nowMs });
    expect(why).toEqual(explanation);
    const { verdict, root } = explanation;
    const isBlocked = verdict === 'blocked';
    expect(summary).toMatchObject({ blocked: isBlocked, reason: root?.reason });
    expect(summary.message).toContain(`${root?.object.kind} ${root?.object.name}: `);
    expect(isBlocked && ['available', 'coming'].includes(summary.state)).toBe(false);
  });

  it.each(ofClusters)('explains the cluster in the fleet list: $name', (situation) => {
    const set = setOf(situation);
    const cluster = clusterOf(set);
    const nearby = reporters
      .flatMap((kind) => set.ofKind(kind))
      .filter(({ kind, metadata }) => {
        const isOwn = metadata.labels?.['cluster.x-k8s.io/cluster-name'] === clusterName;
        return kind === 'ClusterResourceSet' || isOwn;
      });
    expect(needsExplanation(cluster, nearby)).toBe(!unreported.has(situation.name));
  });

  it.each(ofClusters)('shows a failing infrastructure object as failing: $name', (situation) => {
    const set = setOf(situation);
    const { root } = explain(set, clusterOf(set), nowMs);
    const object = root && set.get(root.object);
    const isInfrastructure = root !== undefined && /(^|\.)infrastructure\./.test(root.object.group);
    const isProblem = root?.state === 'blocked' || root?.state === 'failing';
    const isShown = isInfrastructure && isProblem && object !== undefined;
    expect(isShown ? toneOf(object) : 'bad').toBe('bad');
  });
});

describe('the console beside healthy clusters', () => {
  it('explains neither healthy clusters nor clusters whose neighbours have problems with add-ons', () => {
    const [, , beside] = forms;
    const [situation] = ofClusters;
    const set = situation && beside?.setOf(situation);
    const healthy = (set?.ofKind('Cluster') ?? []).filter(({ metadata }) => metadata.name?.startsWith('healthy-'));
    const nearby = set?.ofKind('ClusterResourceSet') ?? [];
    expect(healthy.map((cluster) => needsExplanation(cluster, nearby))).toEqual(Array(10).fill(false));
  });
});
