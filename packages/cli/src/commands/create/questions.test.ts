import { expect, it } from 'vitest';
import { isSecret, variableProblem } from './questions.js';

it('rejects an empty value and a value of several lines with a reason', () => {
  expect(variableProblem('  ')).toBe('a value is required; Ctrl-C cancels');
  expect(variableProblem('a\nb')).toBe('the value must be a single line');
  expect(variableProblem('10.0.0.5')).toBeUndefined();
});

it('does not echo secrets', () => {
  expect(['VSPHERE_PASSWORD', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN'].every(isSecret)).toBe(true);
  expect(['VSPHERE_USERNAME', 'VSPHERE_SSH_AUTHORIZED_KEY'].some(isSecret)).toBe(false);
});
