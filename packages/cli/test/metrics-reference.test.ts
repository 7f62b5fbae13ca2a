import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from './support/command.js';
import { kubeText } from './support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-metrics-'));
let plane: Plane;
beforeAll(async () => {
  plane = await startPlane(join(folder, 'data'));
});
afterAll(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true });
});

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

function metricsIn(exposition: string): Metric[] {
  const types = new Map(
    [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  return [...exposition.matchAll(/^# HELP (\S+) (.*)$/gm)]
    .map(([, name = '', help = '']) => ({ name, type: types.get(name) ?? 'untyped', help }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** Every kind that is reconciled has the same three. */
function withoutKind(metric: Metric): Metric {
  return {
    ...metric,
    name: metric.name.replace(/^capi_[a-z]+_(?=(created|deletion_timestamp|last_reconciled)$)/, 'capi_<kind>_'),
  };
}

/** The metrics of Node itself are Node's to explain. */
const isOurs = ({ name }: Metric): boolean => !/^(process|nodejs)_/.test(name);

// The page is what a plane serves: `npx vitest run --project server packages/cli/test/metrics-reference -u` writes it.
it('docs/reference/metrics.md names every metric that a plane serves', async () => {
  const { status, text } = await kubeText(plane.kubeconfig, 'GET', '/metrics');
  expect(status).toBe(200);
  const metrics = metricsIn(text).filter(isOurs);
  expect(metrics.filter(({ help }) => help === '')).toEqual([]);
  const rows = new Set(
    metrics.map(withoutKind).map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help.replace(/\.$/, '')} |\n`),
  );
  const page = `# Metrics

Written from what a management plane serves. \`slipway up\` serves all of them at \`/metrics\` of the API server, to whoever
may \`get\` that path; \`slipway manager\` serves those of the controllers at \`--diagnostics-address\`. Names that Cluster API,
controller-runtime or kube-apiserver have mean here what they mean there, so that dashboards and alerts go on working.
\`<kind>\` is a kind in lower case, such as \`machine\`; its metrics have the labels \`name\` and \`namespace\`. Beside these there
are the usual ones of a Node process: \`process_*\` and \`nodejs_*\`. \`prometheus-rules.yaml\` of the release of the KVM provider
has Prometheus compute \`operatorkit_controller_creation_timestamp\`, \`_deletion_timestamp\`, \`_last_reconciled\` and \`_error_total\`
from these, for alerts that ask for them.

| metric | type | what it says |
| --- | --- | --- |
${[...rows].join('')}`;
  await expect(page).toMatchFileSnapshot('../../../docs/reference/metrics.md');
});
