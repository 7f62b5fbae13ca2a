import { ReconcileError } from '@slipway/runtime';
import { devConditions, devReasons } from '../api/index.js';
import { registerNode, startApiServer, startEtcd } from '../guest/index.js';
import type { Stage, StartupStep } from './stage.js';

const { vmProvisioned, nodeProvisioned, etcdProvisioned, apiServerProvisioned } = devConditions;

export const machineSteps: readonly StartupStep[] = [
  {
    phase: 'vm',
    condition: vmProvisioned,
    begin: ({ workload, name }) => workload.switchOn(name),
    async finish({ workload, name }) {
      workload.switchOn(name);
    },
  },
  {
    phase: 'node',
    condition: nodeProvisioned,
    after: { condition: vmProvisioned, reason: devReasons.waitingForVmProvisioned },
    begin: ({ report }) => report.since(vmProvisioned),
    finish: joinCluster,
  },
];

export const controlPlaneSteps: readonly StartupStep[] = [
  {
    phase: 'etcd',
    condition: etcdProvisioned,
    after: { condition: nodeProvisioned, reason: devReasons.waitingForNodeProvisioned },
    begin: ({ report }) => report.since(nodeProvisioned),
    finish: startEtcd,
  },
  {
    phase: 'apiServer',
    condition: apiServerProvisioned,
    after: { condition: nodeProvisioned, reason: devReasons.waitingForNodeProvisioned },
    begin: ({ report }) => report.since(nodeProvisioned),
    finish: (stage) => startApiServer(stage, stage.report.since(apiServerProvisioned)),
  },
];

/** The first machine brings the cluster's keys, and with them the cluster. */
async function joinCluster(stage: Stage): Promise<void> {
  const { report, devMachine, name } = stage;
  try {
    await registerNode(stage);
  } catch (error) {
    if (error instanceof ReconcileError) report.waits(nodeProvisioned, devReasons.certificatesNotUsable, error.message);
    throw error;
  }
  if (devMachine.metadata.deletionTimestamp !== undefined) throw new Error(`${name} is being deleted`);
}

export function providerIdOf(name: string): string {
  return `in-memory://${name}`;
}
