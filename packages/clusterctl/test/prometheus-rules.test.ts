import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { kvmTemplates } from '../src/index.js';

const promtool = (...args: string[]): string => {
  const { stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return stdout + stderr;
};
const folder = mkdtempSync(join(tmpdir(), 'rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('has Prometheus rules for the legacy alert names', () => {
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, kvmTemplates['prometheus-rules.yaml']?.() ?? '');
  expect(promtool('check', 'rules', file)).toContain('SUCCESS: 4 rules found');
});

it('computes the metrics that operatorkit exported', () => {
  const rules = join(folder, 'rules.yaml');
  const test = join(folder, 'test.yaml');
  const controller = 'controller="kvmcluster-controller", kind="KVMCluster"';
  const expected = (name: string, labels: string, value: number) => ({
    expr: `operatorkit_controller_${name}`,
    eval_time: '1m',
    exp_samples: [{ labels: `operatorkit_controller_${name}${labels}`, value }],
  });
  writeFileSync(
    test,
    JSON.stringify({
      rule_files: [rules],
      tests: [
        {
          interval: '1m',
          input_series: [
            { series: 'capi_kvmcluster_created{name="abc", namespace="abc"}', values: '100 100' },
            { series: 'capi_kvmcluster_deletion_timestamp{name="abc", namespace="abc"}', values: '200 200' },
            { series: 'capi_kvmcluster_last_reconciled{name="abc", namespace="abc"}', values: '150 160' },
            { series: 'capi_kvmcluster_last_reconciled{name="old", namespace="old"}', values: '40 40' },
            { series: 'controller_runtime_reconcile_errors_total{controller="kvmcluster"}', values: '2 5' },
          ],
          promql_expr_test: [
            expected('creation_timestamp', `{${controller}, name="abc", namespace="abc"}`, 100),
            expected('deletion_timestamp', `{${controller}, name="abc", namespace="abc"}`, 200),
            expected('last_reconciled', `{${controller}}`, 160),
            expected('error_total', `{${controller}}`, 5),
          ],
        },
      ],
    }),
  );
  expect(promtool('test', 'rules', test)).toContain('SUCCESS');
});
