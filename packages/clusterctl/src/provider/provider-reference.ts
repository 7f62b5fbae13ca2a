import { checkDns1123Label } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';

export interface ProviderReference {
  readonly name: string;
  readonly version?: string;
}

/** Parses `name` or `name:version`, the syntax of flags. */
export function parseProviderReference(text: string): ProviderReference {
  const invalid = (more: string): ClusterctlError =>
    new ClusterctlError(`invalid provider name "${text}". Provider name should be in the form name[:version]${more}`);
  const [given = '', version, ...rest] = text.split(':');
  if (rest.length > 0) throw invalid('');
  if (given === '') throw invalid(' and name cannot be empty');
  const name = given.toLowerCase();
  const [problem] = checkDns1123Label(name);
  if (problem !== undefined) throw invalid(` and the name should be valid: ${problem}`);
  if (version === '') throw invalid(' and version cannot be empty');
  return { name, ...(version !== undefined && { version }) };
}
