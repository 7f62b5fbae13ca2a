import type { UserInfo } from '../contract/index.js';

export const anonymousUser: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
