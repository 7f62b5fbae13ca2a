import type { Thawed } from '@slipway/kube';
import { done, keyOf, type Outcome, wait } from '@slipway/runtime';
import { type BootstrapRole, type JoinConfiguration, planDiscovery, withToken } from '../bootstrap-data/index.js';
import { certificateOf } from '../certificates/index.js';
import { tokenCheckIntervalMs } from '../tokens/index.js';
import { configReasons, setDataSecretUnavailable } from './config-conditions.js';
import type { ConfigScope } from './config-scope.js';
import { storeBootstrapData } from './data-secret.js';
import { findCertificates } from './find-certificates.js';
import { renderBootstrapData } from './render-data.js';
import { createWorkloadToken, untilNextCheck } from './workload-tokens.js';

/** Tells the machine how to join: how to find the cluster, whom to trust, and what to show. */
export async function joinNode(scope: ConfigScope, role: Exclude<BootstrapRole, 'init'>): Promise<Outcome> {
  const certificates = await findCertificates(scope, role);
  const authority = certificateOf(certificates, 'ca')?.keyPair?.certificate ?? '';
  const discovery = planDiscovery(joinConfigurationOf(scope, role), scope.cluster, authority);
  if (discovery.kind === 'wait') return waitForEndpoint(scope, discovery.ms, discovery.message);
  const { joinConfiguration, needsToken } = discovery;
  setJoinConfiguration(
    scope,
    needsToken ? withToken(joinConfiguration, await createWorkloadToken(scope)) : joinConfiguration,
  );
  await storeBootstrapData(scope, await renderBootstrapData(scope, role, certificates));
  if (joinConfiguration.discovery?.bootstrapToken === undefined) return done();
  const checkMs = tokenCheckIntervalMs(scope.world.tokenTtlMs);
  scope.world.tokenSchedule.set(keyOf(scope.config), checkMs);
  return untilNextCheck(checkMs);
}

/** A control plane member is known by this field, also to whoever reads the config later. */
function joinConfigurationOf({ spec }: ConfigScope, role: BootstrapRole): JoinConfiguration {
  const join = spec.joinConfiguration ?? {};
  return role === 'control-plane-join' ? { ...join, controlPlane: join.controlPlane ?? {} } : join;
}

/** The token of a pool has to be another one: what was left of the old is not looked at. */
export async function rejoinWithNewToken(scope: ConfigScope): Promise<Outcome> {
  const { token: _old, ...bootstrapToken } = scope.spec.joinConfiguration?.discovery?.bootstrapToken ?? {};
  const join = scope.spec.joinConfiguration ?? {};
  setJoinConfiguration(scope, { ...join, discovery: { ...join.discovery, bootstrapToken } });
  return joinNode(scope, 'worker-join');
}

/** It stays in the spec: the next look must know which token is out there. */
function setJoinConfiguration(scope: ConfigScope, join: JoinConfiguration): void {
  scope.change((draft) => {
    draft.spec = { ...draft.spec, joinConfiguration: join as Thawed<JoinConfiguration> };
  });
}

function waitForEndpoint(scope: ConfigScope, ms: number, message: string): Outcome {
  const { waitingForControlPlaneAvailable: reason } = configReasons;
  scope.change((draft, nowMs) => setDataSecretUnavailable(draft, { message, reason, severity: 'Info' }, nowMs));
  return wait({ ms, reason: 'WaitingForControlPlaneEndpoint', message });
}
