import type { Answer, Route } from './endpoint.js';

/** A health check. Throws or rejects if it fails. */
export type HealthCheck = () => void | Promise<void>;
export type HealthChecks = ReadonlyMap<string, HealthCheck>;

/**
 * Returns the route of `/healthz`, `/livez` and `/readyz`. Each check has its own path below them. Supports `?verbose` and
 * `?exclude=`.
 */
export function healthRoute(checks: { readonly health: HealthChecks; readonly ready: HealthChecks }): Route {
  const groups: ReadonlyMap<string, HealthChecks> = new Map([
    ['healthz', checks.health],
    ['livez', checks.health],
    ['readyz', checks.ready],
  ]);
  return async (path, query) => {
    const [, group = '', name, ...rest] = path.split('/');
    const found = groups.get(group);
    if (found === undefined || rest.length > 0) return undefined;
    if (name === undefined || name === '') return checkAll(group, found, query);
    const check = found.get(name);
    return check === undefined ? undefined : checkAll(group, new Map([[name, check]]), query);
  };
}

async function checkAll(group: string, checks: HealthChecks, query: URLSearchParams): Promise<Answer> {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const [name, check] of checks) {
    if (excluded.has(name)) lines.push(`[+]${name} excluded: ok`);
    else if (await passes(check)) lines.push(`[+]${name} ok`);
    else {
      failed = true;
      // Withhold the reason: it may contain details that an unauthenticated probe must not see.
      lines.push(`[-]${name} failed: reason withheld`);
    }
  }
  if (failed) return { status: 500, body: `${lines.join('\n')}\n${group} check failed\n` };
  const body = query.has('verbose') ? `${lines.join('\n')}\n${group} check passed\n` : 'ok';
  return { status: 200, body };
}

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
