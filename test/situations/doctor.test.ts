import { describe, expect, it } from 'vitest';
import { type Diagnosis, examine, type ObjectSet } from '@slipway/insight';
import { situations } from './catalogue/index.js';
import { nowMs } from './draft.js';
import { forms } from './forms.js';

const [alone] = forms;
const ofClusters = situations.filter(({ subject }) => subject === undefined);

function diagnosesOf(set: ObjectSet): readonly Diagnosis[] {
  const facts = { set, nowMs, certificates: [], inventory: [], deployments: [], webhooks: [], refused: [] };
  return examine({ ...facts, serverVersion: 'v1.36.0', ownCertificateNotAfterMs: undefined, airGapped: false })
    .diagnoses;
}

describe('slipway doctor', () => {
  it.each(ofClusters)('reports the same cause as slipway why: $name', (situation) => {
    const set = alone?.setOf(situation);
    const cluster = set?.ofKind('Cluster')[0];
    if (set === undefined || cluster === undefined) throw new Error('there is no Cluster');
    const found = diagnosesOf(set).filter(({ area, where }) => area === 'clusters' && where?.kind === 'Cluster');
    const { cause, state } = situation.expect;
    const isProblem = state === 'blocked' || state === 'failing';
    const text = found.map(({ what }) => what).join('\n');
    const errors = found.filter(({ severity }) => severity === 'error');
    expect(isProblem ? text : `${errors.length} errors`).toContain(isProblem ? `: ${cause}, ` : '0 errors');
  });

  it.each(['ca', 'etcd', 'proxy', 'sa', 'kubeconfig'])(
    'reports a deleted %s Secret of an initialized cluster',
    (purpose) => {
      const set = alone?.setOf({
        name: 'deleted',
        stage: 'available',
        broken: [{ on: `Secret/${purpose}`, removed: true }],
        expect: { cause: 'CertificatesMissing', state: 'blocked', object: 'Secret', exitCode: 1, next: '' },
      });
      if (set === undefined) throw new Error('there is no form');
      const found = diagnosesOf(set).filter(({ area }) => area === 'certificates');
      expect(found.map(({ severity, what, where }) => `${severity} ${where?.name ?? ''}: ${what}`)).toEqual([
        `error demo-${purpose}: the Secret does not exist`,
      ]);
    },
  );

  it('reports an unreachable vCenter once for all its objects, and does not suggest unblocking them', () => {
    const message = 'VCenterAvailable=False VCenterUnreachable: cannot connect to vcenter.example';
    const set = alone?.setOf({
      name: 'outage',
      provider: 'vcenter',
      stage: 'available',
      broken: [
        { on: 'VSphereCluster', conditions: [message] },
        { on: 'VSphereVM/worker', spec: { server: 'vcenter.example' }, conditions: [message], deletingForMinutes: 30 },
      ],
      expect: { cause: 'VCenterUnreachable', state: 'failing', object: 'VSphereCluster', exitCode: 1, next: '' },
    });
    if (set === undefined) throw new Error('there is no form');
    const found = diagnosesOf(set);
    expect(
      found.filter(({ area }) => area === 'infrastructure').map(({ severity, what }) => `${severity} ${what}`),
    ).toEqual([expect.stringMatching(/^error The provider cannot connect to vCenter.*\(2 objects\)$/)]);
    expect(found.filter(({ area }) => area === 'deletions').map(({ remedy }) => remedy)).toEqual([
      '`slipway why vspherevm/demo-worker -n team`',
    ]);
  });
});
