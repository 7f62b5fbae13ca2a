import {
  ensureServerIdentity,
  type IdentityDependencies,
  type KubernetesServer,
  type ServerIdentity,
} from '@slipway/apiserver';
import type { Clock, Disposable, Logger } from '@slipway/base';

export interface RenewalOptions {
  readonly dependencies: IdentityDependencies;
  readonly hosts: readonly string[];
  readonly server: Pick<KubernetesServer, 'replaceServingCertificate'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the new identity when the administrator's certificate changed. */
  readonly onAdmin: (identity: ServerIdentity) => Promise<void>;
}

const dayMs = 86_400_000;

/** Checks once a day and renews certificates of the running server with less than a third of their validity left. */
export function startCertificateRenewal(options: RenewalOptions): Disposable {
  const { clock, logger } = options;
  let stopped = false;
  const check = (): void => {
    renew(options)
      .catch((error: unknown) => logger.error({ err: error }, 'Failed to renew certificates; retrying in 24 hours'))
      .finally(() => {
        if (!stopped) timer = clock.setTimer(dayMs, check);
      });
  };
  let timer = clock.setTimer(dayMs, check);
  return {
    dispose: () => {
      stopped = true;
      timer.cancel();
    },
  };
}

async function renew(options: RenewalOptions): Promise<void> {
  const identity = await ensureServerIdentity(options.dependencies, { hosts: options.hosts });
  const { written } = identity;
  if (written.length === 0) return;
  options.logger.info({ files: written }, 'Certificates renewed');
  if (written.includes('pki/apiserver.crt')) options.server.replaceServingCertificate(identity.serving);
  if (written.includes('pki/admin.crt')) await options.onAdmin(identity);
  if (written.includes('pki/ca.crt')) {
    options.logger.warn(
      {},
      'CA certificate renewed with the same key; restart the management plane within three years to use it',
    );
  }
}
