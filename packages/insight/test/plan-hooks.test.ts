import { readFileSync } from 'node:fs';
import { extensionConfigs } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { type ExtensionServer, handler, startExtensionServer } from '@slipway/testing/servers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ManagementState, type Plan, planOnState, readManifest, readState } from '../src/index.js';
import { ref } from './manifests.js';
import { untilCondition } from './situations.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

const namespace = 'default';
const sample = readFileSync(new URL('../../../docs/samples/quick-start-topology.yaml', import.meta.url), 'utf8');
const lifecycleHooks = [
  'BeforeClusterCreate',
  'AfterControlPlaneInitialized',
  'BeforeClusterUpgrade',
  'BeforeControlPlaneUpgrade',
  'AfterControlPlaneUpgrade',
  'BeforeWorkersUpgrade',
  'AfterWorkersUpgrade',
  'AfterClusterUpgrade',
  'BeforeClusterDelete',
];
const pureHooks = ['GeneratePatches', 'ValidateTopology', 'DiscoverVariables'];
const external = {
  generatePatchesExtension: 'generatepatches.ext',
  validateTopologyExtension: 'validatetopology.ext',
  discoverVariablesExtension: 'discovervariables.ext',
};

let plane: SimulatedPlane;
let server: ExtensionServer;
let state: ManagementState;

beforeAll(async () => {
  server = await startExtensionServer([]);
  plane = await startSimulatedPlane();
  await plane.create(...readManifest(sample, 'sample'));
  await untilCondition(plane, ref('Cluster', namespace, 'quick-start'), 'Available', 'True');
  state = withExtension(await readState(plane.client, { namespaces: [namespace] }));
});
afterAll(async () => {
  await plane?.stop();
  await server?.stop();
});
beforeEach(() => server.calls.splice(0));

/** Returns the state with a registered extension that handles every hook, and with a ClusterClass that uses its patches. */
function withExtension({ definitions, objects }: ManagementState): ManagementState {
  const handlers = [...lifecycleHooks, ...pureHooks].map((hook) => ({
    ...handler(`${hook.toLowerCase()}.ext`, hook),
    timeoutSeconds: 10,
    failurePolicy: 'Fail',
  }));
  const config = {
    apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
    kind: 'ExtensionConfig',
    metadata: { name: 'ext', uid: 'ext', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { clientConfig: { url: server.url, caBundle: Buffer.from(server.authority).toString('base64') } },
    status: { handlers },
  } as KubeObject;
  return { definitions, objects: [...objects, { resource: extensionConfigs, object: config }] };
}

const withPatches = (text: string): readonly KubeObject[] =>
  readManifest(text, 'manifest').map((object) =>
    object.kind === 'ClusterClass'
      ? ({
          ...object,
          spec: { ...(object['spec'] as object), patches: [{ name: 'external', external }] },
        } as KubeObject)
      : object,
  );

interface Options {
  readonly delete?: boolean;
  readonly forceConflicts?: boolean;
  readonly objects?: readonly KubeObject[];
}

const plan = (text: string, { objects = withPatches(text), ...options }: Options = {}): Promise<Plan> =>
  planOnState(
    { state, objects, unchanged: [], known: [], clusters: [] },
    {
      nowMs: plane.clock.now(),
      featureGates: 'ClusterTopology=true,RuntimeSDK=true',
      ...options,
    },
  );

const called = (): readonly string[] => [...new Set(server.calls.map(({ path }) => path.split('/')[0] ?? ''))].sort();

describe('a plan with a runtime extension', () => {
  it('calls pure hooks only, and assumes that lifecycle hooks do not block an upgrade', async () => {
    const made = await plan(sample.replaceAll('v1.35.0', 'v1.36.0'));
    expect(called()).toEqual(['discovervariables', 'generatepatches', 'validatetopology']);
    expect(made.summary.replace).toBeGreaterThan(0);
    expect(made.isSettled).toBe(true);
    expect(made.assumedHooks).toContainEqual({
      hook: 'BeforeClusterUpgrade',
      handler: 'beforeclusterupgrade.ext',
      subject: 'default/quick-start',
    });
  });

  it('calls no lifecycle hook for a new Cluster', async () => {
    const made = await plan(sample.replaceAll(/name: quick-start$/gm, 'name: second'));
    expect(called().filter((hook) => !pureHooks.map((each) => each.toLowerCase()).includes(hook))).toEqual([]);
    expect(made.assumedHooks.map(({ hook }) => hook)).toContain('BeforeClusterCreate');
  });

  it('calls no lifecycle hook for a deletion', async () => {
    const objects = withPatches(sample).filter(({ kind }) => kind === 'Cluster');
    const made = await plan(sample, { delete: true, objects });
    expect(called().filter((hook) => hook.startsWith('before') || hook.startsWith('after'))).toEqual([]);
    expect(made.assumedHooks.map(({ hook }) => hook)).toContain('BeforeClusterDelete');
    expect(made.summary.delete).toBeGreaterThan(0);
  });

  it('names the object of a manifest that may not be deleted, with a remedy', async () => {
    await expect(plan(sample, { delete: true })).rejects.toMatchObject({
      name: 'ManifestError',
      message: expect.stringMatching(/^ClusterClass default\/quick-start: .*is used by 1 Cluster/) as string,
      remedy: expect.stringContaining('remove the object from the manifest') as string,
    });
  });

  it('does not call an address that the management cluster has not registered', async () => {
    const moved = `${sample}
---
apiVersion: runtime.cluster.x-k8s.io/v1beta2
kind: ExtensionConfig
metadata:
  name: ext
spec:
  clientConfig:
    url: ${server.url}/elsewhere
`;
    await plan(moved, { forceConflicts: true });
    expect(server.calls.filter(({ path }) => path.includes('elsewhere'))).toEqual([]);
  });
});
