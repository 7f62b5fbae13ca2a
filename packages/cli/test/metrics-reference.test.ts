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

/** Removes the kind from a metric name: each reconciled kind has the same three metrics, which are listed once. */
function withoutKind(metric: Metric): Metric {
  return {
    ...metric,
    name: metric.name.replace(/^capi_[a-z]+_(?=(created|deletion_timestamp|last_reconciled)$)/, 'capi_<kind>_'),
  };
}

/** Whether a metric is documented here. Node.js documents its own metrics. */
const isOurs = ({ name }: Metric): boolean => !/^(process|nodejs)_/.test(name);

// Run `npx vitest run --project server packages/cli/test/metrics-reference -u` to update the page.
it('docs/reference/metrics.md lists every metric that a management plane serves', async () => {
  const { status, text } = await kubeText(plane.kubeconfig, 'GET', '/metrics');
  expect(status).toBe(200);
  const metrics = metricsIn(text).filter(isOurs);
  expect(metrics.filter(({ help }) => help === '')).toEqual([]);
  const rows = new Set(
    metrics.map(withoutKind).map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help.replace(/\.$/, '')} |\n`),
  );
  const page = `# Metrics

Generated from the metrics of a running management plane. \`slipway up\` serves all of them at \`/metrics\` of the API server, to
users that may \`get\` that path; \`slipway manager\` serves those of the controllers at \`--diagnostics-address\`. Metrics with names
of Cluster API, controller-runtime or kube-apiserver have the same meaning as there, so that existing dashboards and alerts work.
\`<kind>\` is a kind in lower case, such as \`machine\`; its metrics have the labels \`name\` and \`namespace\`. The standard
\`process_*\` and \`nodejs_*\` metrics of a Node.js process are served too. \`prometheus-rules.yaml\` in the release of the KVM
provider has recording rules for \`operatorkit_controller_creation_timestamp\`, \`_deletion_timestamp\`, \`_last_reconciled\` and
\`_error_total\`, for existing alerts that use them.

| metric | type | description |
| --- | --- | --- |
${[...rows].join('')}`;
  await expect(page).toMatchFileSnapshot('../../../docs/reference/metrics.md');
});
