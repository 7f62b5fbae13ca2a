import { type Disposable, type Random, Scope } from '@slipway/base';
import { certificateToPem } from '@slipway/pki';
import { type AdmissionChain, createNamespaceLifecycle } from '../admission/index.js';
import type { Authorizer } from '../contract/index.js';
import type { ServerIdentity, ServiceAccountKeys } from '../auth/index.js';
import { startApiServices } from './api-services/api-services.js';
import { startClusterInfoSigner } from './bootstrap/cluster-info-signer.js';
import { startTokenCleaner } from './bootstrap/token-cleaner.js';
import { startSigningRequests } from './certificates/signing-requests.js';
import { type ControllerName, controllerNames } from './controller-names.js';
import { startDisruptionBudgets } from './disruption-budgets/disruption-budgets.js';
import { startEndpointsMirror, startKubernetesService, startServiceEndpoints } from './endpoints/index.js';
import { EventExpiry } from './events/event-expiry.js';
import { startFlowSchemaStatus } from './flow-schemas/flow-schemas.js';
import { GarbageCollector } from './garbage-collector/garbage-collector.js';
import { createLimitRanger } from './limits/limit-ranger.js';
import { startNamespaceController } from './namespaces/namespace-controller.js';
import { createQuotaAdmission, QuotaLedger, startQuotaStatus } from './quota/index.js';
import { startRoleAggregation } from './roles/role-aggregation.js';
import { startDefaultServiceAccounts, startRootCertificates, startTokenSecrets } from './service-accounts/index.js';
import type { ControllerDependencies } from './shared/index.js';

/** The admission plugins that depend on controller state, in upstream's order. */
export interface ControllerAdmission extends Disposable {
  readonly ledger: QuotaLedger;
}

/**
 * Adds the admission plugins that run first. Call `installQuotaAdmission` last: quota must not count requests that other plugins
 * reject.
 */
export function installEarlyAdmission(
  admission: AdmissionChain,
  dependencies: Pick<ControllerDependencies, 'store'>,
): Disposable {
  const scope = new Scope();
  scope.add(admission.add(createNamespaceLifecycle(dependencies.store)));
  scope.add(admission.add(createLimitRanger(dependencies.store)));
  return scope;
}

export function installQuotaAdmission(
  admission: AdmissionChain,
  dependencies: Pick<ControllerDependencies, 'store' | 'registry'>,
): ControllerAdmission {
  const scope = new Scope();
  const ledger = scope.add(new QuotaLedger(dependencies));
  ledger.start();
  scope.add(admission.add(createQuotaAdmission(ledger)));
  return { ledger, dispose: () => scope.dispose() };
}

export interface ControllersOptions extends ControllerDependencies {
  readonly random: Random;
  readonly identity: Pick<ServerIdentity, 'authority'>;
  readonly authorizer: Authorizer;
  readonly keys: ServiceAccountKeys;
  /** The controllers to start. Default: all. */
  readonly controllers?: ReadonlySet<ControllerName> | undefined;
  /** The quota ledger that admission uses. */
  readonly ledger: QuotaLedger;
  /** The first address of the service range. */
  readonly clusterIp: string;
  /** Returns the address of the server; undefined before it listens. */
  address(): { readonly ip: string; readonly port: number } | undefined;
  /** Returns the external URL of the server for cluster-info; undefined disables publication. */
  serverUrl(): string | undefined;
}

export interface Controllers extends Disposable {
  /** Call after the server starts to listen or its address changes. */
  addressChanged(): void;
}

/** Starts the controllers of the server. Each can also be started individually. */
export function startControllers(options: ControllersOptions): Controllers {
  const scope = new Scope();
  const authorityPem = certificateToPem(options.identity.authority.certificate);
  const { authorizer, random, keys, controllers = new Set(controllerNames) } = options;
  const serverUrl = (): string | undefined => options.serverUrl();
  const startable: Readonly<Record<ControllerName, () => Disposable & { refresh?(): void }>> = {
    'namespace-controller': () => startNamespaceController(options),
    'serviceaccount-controller': () => startDefaultServiceAccounts(options),
    'root-ca-certificate-publisher-controller': () => startRootCertificates(options, authorityPem),
    'serviceaccount-token-controller': () => startTokenSecrets(options, { authorityPem, keys }),
    'clusterrole-aggregation-controller': () => startRoleAggregation(options),
    'certificatesigningrequest-signing-controller': () =>
      startSigningRequests(options, { authority: options.identity.authority, authorizer, random }),
    'bootstrap-signer-controller': () => startClusterInfoSigner(options, { authorityPem, serverUrl }),
    'token-cleaner-controller': () => startTokenCleaner(options),
    'resourcequota-controller': () => startQuotaStatus(options, options.ledger),
    'endpointslice-controller': () => startServiceEndpoints(options),
    'endpointslice-mirroring-controller': () => startEndpointsMirror(options),
    'disruption-controller': () => startDisruptionBudgets(options),
    'garbage-collector-controller': () => started(new GarbageCollector(options)),
  };
  const running = Object.entries(startable)
    .filter(([name]) => controllers.has(name as ControllerName))
    .map(([, start]) => scope.add(start()));
  // The parts that belong to kube-apiserver itself always run.
  const address = (): ReturnType<ControllersOptions['address']> => options.address();
  running.push(scope.add(startKubernetesService(options, { clusterIp: options.clusterIp, address })));
  scope.add(startApiServices(options));
  scope.add(startFlowSchemaStatus(options));
  scope.add(new EventExpiry(options)).start();
  return {
    addressChanged() {
      for (const controller of running) controller.refresh?.();
    },
    dispose: () => scope.dispose(),
  };
}

function started<T extends Disposable & { start(): void }>(controller: T): T {
  controller.start();
  return controller;
}
