import {
  ensureServerIdentity,
  type IdentityWorld,
  type KubernetesServer,
  type ServerIdentity,
} from '@slipway/apiserver';
import type { Clock, Disposable, Logger } from '@slipway/base';

export interface RenewalOptions {
  readonly world: IdentityWorld;
  readonly hosts: readonly string[];
  readonly server: Pick<KubernetesServer, 'replaceServingCertificate'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the new identity when the administrator's certificate changed. */
  readonly onAdmin: (identity: ServerIdentity) => Promise<void>;
}

const dayMs = 86_400_000;

/** Looks once a day whether a certificate has less than a third of its life left, and renews it in the running server. */
export function startCertificateRenewal(options: RenewalOptions): Disposable {
  const { clock, logger } = options;
  let stopped = false;
  const check = (): void => {
    renew(options)
      .catch((error: unknown) => logger.error({ err: error }, 'Renewing certificates failed; trying again in a day'))
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
  const identity = await ensureServerIdentity(options.world, { hosts: options.hosts });
  const { written } = identity;
  if (written.length === 0) return;
  options.logger.info({ files: written }, 'Certificates renewed');
  if (written.includes('pki/apiserver.crt')) options.server.replaceServingCertificate(identity.serving);
  if (written.includes('pki/admin.crt')) await options.onAdmin(identity);
  if (written.includes('pki/ca.crt')) {
    options.logger.warn({}, 'The certificate authority was renewed with the same key; restart within three years');
  }
}
