import { checkAirGap, checkCertificates, checkClusters, checkDeletions, checkEtcd } from './checks/clusters.js';
import { checkInfrastructure, checkWebhooks } from './checks/infrastructure.js';
import { checkOrphans } from './checks/orphans.js';
import { checkCredentials, checkProviders, checkVersions } from './checks/server.js';
import { checkStorage } from './checks/storage.js';
import { type Area, areas, type Diagnosis, type Report, type Severity } from './diagnosis.js';
import type { Facts } from './facts.js';

const checks: Readonly<Record<Area, (facts: Facts) => readonly Diagnosis[]>> = {
  versions: checkVersions,
  credentials: checkCredentials,
  storage: checkStorage,
  providers: checkProviders,
  webhooks: checkWebhooks,
  infrastructure: checkInfrastructure,
  certificates: checkCertificates,
  etcd: checkEtcd,
  clusters: checkClusters,
  orphans: checkOrphans,
  deletions: checkDeletions,
  'air gap': checkAirGap,
};

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Runs all checks on the facts, without requests. Within each area, the most severe diagnosis comes first. */
export function examine(facts: Facts): Report {
  const byArea = areas.map((area) => ({
    area,
    found: checks[area](facts).toSorted((left, right) => rank[left.severity] - rank[right.severity]),
  }));
  return {
    diagnoses: byArea.flatMap(({ found }) => found),
    well: byArea.filter(({ found }) => found.every(({ severity }) => severity === 'info')).map(({ area }) => area),
  };
}
