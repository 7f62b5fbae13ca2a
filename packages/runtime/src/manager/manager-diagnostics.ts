import type { Scope } from '@slipway/base';
import { stringifyJson } from '@slipway/kube';
import type { Registry } from 'prom-client';
import { type ChangeFeed, changesDocument, changesPath } from '../change/index.js';
import { type EndpointOptions, type HealthCheck, healthRoute, openEndpoint, type Route } from '../diagnostics/index.js';

export interface DiagnosticsPorts {
  readonly health?: number;
  readonly metrics?: number;
}

export interface DiagnosticsOptions {
  readonly healthAddress?: string;
  readonly version?: string;
  readonly metricsAddress?: string;
  readonly metricsAuthorize?: EndpointOptions['authorize'];
  readonly metricsTls?: EndpointOptions['tls'];
  readonly healthChecks?: ReadonlyMap<string, HealthCheck>;
  readonly readyChecks?: ReadonlyMap<string, HealthCheck>;
}

export interface DiagnosticsSubject {
  readonly registry: Registry;
  readonly debug: () => unknown;
  readonly changes: ChangeFeed;
  readonly ready: HealthCheck;
}

/** Starts the endpoints that have an address. The addresses `''` and `0` disable an endpoint, as in upstream's flags. */
export async function openDiagnostics(
  scope: Scope,
  options: DiagnosticsOptions,
  subject: DiagnosticsSubject,
): Promise<DiagnosticsPorts> {
  const ports: { health?: number; metrics?: number } = {};
  if (isOn(options.healthAddress)) {
    const health = new Map([['ping', () => undefined], ...(options.healthChecks ?? [])]);
    const ready = new Map([['manager', subject.ready], ...(options.readyChecks ?? [])]);
    const route = withVersion(healthRoute({ health, ready }), options.version);
    const endpoint = await openEndpoint({ address: options.healthAddress, route });
    scope.defer(() => endpoint.close());
    ports.health = endpoint.port;
  }
  if (isOn(options.metricsAddress)) {
    const endpoint = await openEndpoint({
      address: options.metricsAddress,
      route: diagnosticsRoute(subject),
      ...(options.metricsAuthorize && { authorize: options.metricsAuthorize }),
      ...(options.metricsTls && { tls: options.metricsTls }),
    });
    scope.defer(() => endpoint.close());
    ports.metrics = endpoint.port;
  }
  return ports;
}

function isOn(address: string | undefined): address is string {
  return address !== undefined && address !== '' && address !== '0';
}

function withVersion(route: Route, version: string | undefined): Route {
  return (path, query) =>
    path === '/version' && version !== undefined
      ? Promise.resolve({ status: 200, body: `${stringifyJson({ version })}\n`, contentType: 'application/json' })
      : route(path, query);
}

function diagnosticsRoute(subject: DiagnosticsSubject): Route {
  return async (path) => {
    if (path === '/metrics') {
      const { registry } = subject;
      return { status: 200, body: await registry.metrics(), contentType: registry.contentType };
    }
    if (path === changesPath) return { status: 200, ...changesDocument(subject.changes) };
    if (path !== '/debug') return undefined;
    const body = stringifyJson(subject.debug(), { indent: 2 });
    return { status: 200, body: `${body}\n`, contentType: 'application/json' };
  };
}
