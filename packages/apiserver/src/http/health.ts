import type { HttpResponse } from '@slipway/base';
import { pageNotFound, textResponse } from './message.js';
import type { Query } from './query.js';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

export interface HealthCheck {
  readonly name: string;
  /** Endpoints that run this check. Default: all three. */
  readonly endpoints?: readonly HealthEndpoint[];
  /** Runs the check. Throws or rejects if unhealthy. */
  check(): void | Promise<void>;
}

/** The checks of `/healthz`, `/livez` and `/readyz`. */
export class HealthChecks {
  readonly #checks: HealthCheck[] = [{ name: 'ping', check: () => undefined }];

  register(check: HealthCheck): { dispose(): void } {
    this.#checks.push(check);
    return {
      dispose: () => {
        const index = this.#checks.indexOf(check);
        if (index >= 0) this.#checks.splice(index, 1);
      },
    };
  }

  async respond(endpoint: HealthEndpoint, subcheck: string, query: Query): Promise<HttpResponse> {
    const checks = this.#checks.filter((check) => check.endpoints?.includes(endpoint) ?? true);
    return subcheck === '' ? respondAll(endpoint, checks, query) : respondOne(checks, subcheck);
  }
}

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    await check.check();
    return true;
  } catch {
    // Do not return the reason: this page is readable without authentication.
    return false;
  }
}

async function respondOne(checks: readonly HealthCheck[], name: string): Promise<HttpResponse> {
  const check = checks.find((candidate) => candidate.name === name);
  if (check === undefined) return pageNotFound();
  return (await passes(check))
    ? textResponse(200, 'ok')
    : textResponse(500, 'internal server error: reason withheld\n');
}

async function respondAll(
  endpoint: HealthEndpoint,
  checks: readonly HealthCheck[],
  query: Query,
): Promise<HttpResponse> {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const check of checks) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
    } else if (await passes(check)) {
      lines.push(`[+]${check.name} ok`);
    } else {
      failed = true;
      lines.push(`[-]${check.name} failed: reason withheld`);
    }
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => JSON.stringify(name)).join(', ');
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  if (failed) return textResponse(500, `${lines.join('\n')}\n${endpoint} check failed\n`);
  return textResponse(200, query.has('verbose') ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok');
}
