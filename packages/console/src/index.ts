export { whoAmI } from './access/reviews.js';
export { Console, type ConsoleOptions } from './console.js';
export type { OidcClient } from './oidc/issuer.js';
export type { User } from './sessions/user.js';
