import type { PolicyRule } from './policy-rule.js';

export interface RoleText {
  readonly namespace: string;
  readonly name: string;
  /** ClusterRoles into which this one is aggregated: `edit` sets the label …/aggregate-to-edit. */
  readonly aggregateTo: readonly string[];
  /** ClusterRoles that this one aggregates. */
  readonly aggregates: readonly string[];
  readonly rules: readonly PolicyRule[];
}

const verbAliases: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list', 'watch'],
  write: ['create', 'delete', 'deletecollection', 'patch', 'update'],
};

/**
 * Compact notation of roles, one rule per line:
 *
 *     [namespace/]name [> aggregated to] [< aggregated from]
 *       verbs groups resources [named names]
 *       verbs urls paths
 *
 * `core` is the core API group, `read` and `write` are short for the verbs that read and write, and a line that ends in a comma continues in the
 * next one. The notation keeps the many bootstrap roles short enough to review.
 */
export function parsePolicyText(text: string): RoleText[] {
  const roles: RoleText[] = [];
  let rules: PolicyRule[] = [];
  for (const line of joinedLines(text)) {
    if (line.startsWith(' ')) {
      rules.push(parseRule(line.trim()));
    } else {
      rules = [];
      roles.push({ ...parseHead(line), rules });
    }
  }
  return roles;
}

function joinedLines(text: string): string[] {
  return text
    .replace(/,\n +/g, ',')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function parseHead(line: string): Omit<RoleText, 'rules'> {
  const tokens = line.split(' ');
  const path = tokens[0] ?? '';
  const slash = path.indexOf('/');
  return {
    namespace: slash < 0 ? '' : path.slice(0, slash),
    name: path.slice(slash + 1),
    aggregateTo: listAfter(tokens, '>'),
    aggregates: listAfter(tokens, '<'),
  };
}

function listAfter(tokens: readonly string[], sign: string): string[] {
  const at = tokens.indexOf(sign);
  return at < 0 ? [] : (tokens[at + 1] ?? '').split(',');
}

function parseRule(line: string): PolicyRule {
  const [verbText = '', second = '', third = '', , names] = line.split(' ');
  const verbs = verbText
    .split(',')
    .flatMap((verb) => verbAliases[verb] ?? [verb])
    .sort();
  if (second === 'urls') return { nonResourceURLs: third.split(','), verbs };
  const rule: PolicyRule = {
    apiGroups: second.split(',').map((group) => (group === 'core' ? '' : group)),
    resources: third.split(','),
    verbs,
  };
  return names === undefined ? rule : { ...rule, resourceNames: names.split(',') };
}
