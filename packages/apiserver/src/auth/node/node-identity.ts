import type { UserInfo } from '../../contract/index.js';

const userPrefix = 'system:node:';
const nodesGroup = 'system:nodes';

/** Returns the name of the node whose kubelet the user is, or undefined for other users. */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  return username.startsWith(userPrefix) && groups.includes(nodesGroup) ? username.slice(userPrefix.length) : undefined;
}
