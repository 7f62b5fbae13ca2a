import { certificateToPem, type Disposable, type Random, Scope } from '@slipway/base';
import { type AdmissionChain, createNamespaceLifecycle } from '../admission/index.js';
import type { Authorizer } from '../contract/index.js';
import type { ServerIdentity, ServiceAccountKeys } from '../auth/index.js';
import { startApiServices } from './api-services/api-services.js';
import { startClusterInfoSigner } from './bootstrap/cluster-info-signer.js';
import { startTokenCleaner } from './bootstrap/token-cleaner.js';
import { startSigningRequests } from './certificates/signing-requests.js';
import { startDisruptionBudgets } from './disruption-budgets/disruption-budgets.js';
import { startEndpointsMirror, startKubernetesService, startServiceEndpoints } from './endpoints/index.js';
import { EventExpiry } from './events/event-expiry.js';
import { GarbageCollector } from './garbage-collector/garbage-collector.js';
import { createLimitRanger } from './limits/limit-ranger.js';
import { startNamespaceController } from './namespaces/namespace-controller.js';
import { createQuotaAdmission, QuotaLedger, startQuotaStatus } from './quota/index.js';
import { startRoleAggregation } from './roles/role-aggregation.js';
import { startDefaultServiceAccounts, startRootCertificates, startTokenSecrets } from './service-accounts/index.js';
import type { ControllerWorld } from './shared/index.js';

/** The parts of admission that rest on the loops' knowledge, in upstream's order. */
export interface ControllerAdmission extends Disposable {
  readonly ledger: QuotaLedger;
}

/**
 * Adds the plugins that go before everything else. `installQuotaAdmission` goes last: what others refuse must not count.
 */
export function installEarlyAdmission(admission: AdmissionChain, world: Pick<ControllerWorld, 'store'>): Disposable {
  const scope = new Scope();
  scope.add(admission.add(createNamespaceLifecycle(world.store)));
  scope.add(admission.add(createLimitRanger(world.store)));
  return scope;
}

export function installQuotaAdmission(
  admission: AdmissionChain,
  world: Pick<ControllerWorld, 'store' | 'registry'>,
): ControllerAdmission {
  const scope = new Scope();
  const ledger = scope.add(new QuotaLedger(world));
  ledger.start();
  scope.add(admission.add(createQuotaAdmission(ledger)));
  return { ledger, dispose: () => scope.dispose() };
}

export interface ControllersOptions extends ControllerWorld {
  readonly random: Random;
  readonly identity: Pick<ServerIdentity, 'authority'>;
  readonly authorizer: Authorizer;
  readonly keys: ServiceAccountKeys;
  /** The books that admission writes into. */
  readonly ledger: QuotaLedger;
  /** The first address of the range of services. */
  readonly clusterIp: string;
  /** Where the server listens; undefined before it does. */
  address(): { readonly ip: string; readonly port: number } | undefined;
  /** Where machines outside reach the server, for cluster-info; undefined publishes none. */
  serverUrl(): string | undefined;
}

export interface Controllers extends Disposable {
  /** To be called after the server began to listen, or moved. */
  addressChanged(): void;
}

/** Starts every control loop of the server. Each can also be started alone. */
export function startControllers(options: ControllersOptions): Controllers {
  const scope = new Scope();
  const authorityPem = certificateToPem(options.identity.authority.certificate);
  const { authorizer, random, keys } = options;
  scope.add(startNamespaceController(options));
  scope.add(startDefaultServiceAccounts(options));
  scope.add(startRootCertificates(options, authorityPem));
  scope.add(startTokenSecrets(options, { authorityPem, keys }));
  scope.add(startRoleAggregation(options));
  scope.add(startSigningRequests(options, { authority: options.identity.authority, authorizer, random }));
  const clusterInfo = scope.add(
    startClusterInfoSigner(options, { authorityPem, serverUrl: () => options.serverUrl() }),
  );
  scope.add(startTokenCleaner(options));
  scope.add(startQuotaStatus(options, options.ledger));
  scope.add(startServiceEndpoints(options));
  scope.add(startEndpointsMirror(options));
  const service = scope.add(
    startKubernetesService(options, { clusterIp: options.clusterIp, address: () => options.address() }),
  );
  scope.add(startApiServices(options));
  scope.add(startDisruptionBudgets(options));
  scope.add(new EventExpiry(options)).start();
  scope.add(new GarbageCollector(options)).start();
  return {
    addressChanged() {
      service.refresh();
      clusterInfo.refresh();
    },
    dispose: () => scope.dispose(),
  };
}
