import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { kvmTemplates } from '../src/index.js';

const promtool = (...words: string[]): string => {
  const { stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
  return stdout + stderr;
};
const folder = mkdtempSync(join(tmpdir(), 'rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('Prometheus takes the rules that give old alerts their names', () => {
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, kvmTemplates['prometheus-rules.yaml'] ?? '');
  expect(promtool('check', 'rules', file)).toContain('SUCCESS: 4 rules found');
});

it('they compute what operatorkit told', () => {
  const rules = join(folder, 'rules.yaml');
  const test = join(folder, 'test.yaml');
  const labels = '{controller="kvmcluster-controller", kind="KVMCluster", name="abc", namespace="abc"}';
  writeFileSync(
    test,
    JSON.stringify({
      rule_files: [rules],
      tests: [
        {
          interval: '1m',
          input_series: [{ series: 'capi_kvmcluster_created{name="abc", namespace="abc"}', values: '100 100' }],
          promql_expr_test: [
            {
              expr: 'operatorkit_controller_creation_timestamp',
              eval_time: '1m',
              exp_samples: [{ labels: `operatorkit_controller_creation_timestamp${labels}`, value: 100 }],
            },
          ],
        },
      ],
    }),
  );
  expect(promtool('test', 'rules', test)).toContain('SUCCESS');
});
