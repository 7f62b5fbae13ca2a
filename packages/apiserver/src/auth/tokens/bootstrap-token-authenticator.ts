import type { Clock } from '@slipway/base';
import type { Store } from '../../contract/index.js';
import {
  bootstrapTokenNamespace,
  bootstrapTokenPrefix,
  parseBootstrapToken,
  readBootstrapTokenSecret,
} from './bootstrap-token.js';
import { secretsEqual } from './static-tokens.js';
import type { TokenAuthenticator, TokenIdentity } from './token-authenticator.js';

/**
 * Authenticates tokens `<id>.<secret>` of Secrets in kube-system. All failures have the same result, so that it does not disclose
 * whether the id exists.
 */
export class BootstrapTokenAuthenticator implements TokenAuthenticator {
  constructor(
    readonly store: Pick<Store, 'get'>,
    readonly clock: Clock,
  ) {}

  authenticate(token: string): TokenIdentity | undefined {
    const parsed = parseBootstrapToken(token);
    if (parsed === undefined) return undefined;
    const name = `${bootstrapTokenPrefix}${parsed.id}`;
    const stored = this.store.get({ resource: 'secrets', namespace: bootstrapTokenNamespace, name });
    const known = stored && readBootstrapTokenSecret(stored.object, this.clock.now());
    if (known === undefined || !secretsEqual(known.secret, parsed.secret)) return undefined;
    if (known.id !== parsed.id || known.expired || !known.authenticates || known.groups === undefined) return undefined;
    return { user: { username: `system:bootstrap:${known.id}`, groups: known.groups } };
  }
}
