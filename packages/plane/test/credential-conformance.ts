import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '@slipway/base';
import type { StatusError } from '@slipway/kube';
import {
  type ConnectionConfig,
  createHttpClient,
  type HttpClient,
  namespaces,
  secrets,
  serviceAccounts,
} from '@slipway/runtime';

export interface CredentialTarget {
  /** Administrator credentials of the server. */
  readonly connection: ConnectionConfig;
  stop(): Promise<void>;
}

const account = { namespace: 'credentials', name: 'robot' };

/** Tests authentication by each type of credential. */
export function credentialConformance(name: string, start: () => Promise<CredentialTarget>): void {
  describe(`credentials: ${name}`, () => {
    const scope = new Scope();
    let target: CredentialTarget;
    let token = '';

    const clientWith = (changes: Partial<ConnectionConfig>, anonymous = true): HttpClient => {
      const own = anonymous ? { clientCertificate: undefined, clientKey: undefined } : {};
      const client = createHttpClient({ ...target.connection, ...own, ...changes });
      scope.defer(() => client.close());
      return client;
    };

    beforeAll(async () => {
      target = await start();
      const admin = clientWith({}, false);
      await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: account.namespace } });
      await admin.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...account } });
      const request = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 3600 },
      };
      const answer = await admin.createSubresource(serviceAccounts, account, 'token', request);
      token = (answer['status'] as unknown as { readonly token: string }).token;
    });

    afterAll(async () => {
      await scope.dispose();
      await target?.stop();
    });

    const refusal = async (client: HttpClient): Promise<StatusError> =>
      client.list(secrets, { namespace: account.namespace }).then(
        () => {
          throw new Error('a refusal was expected');
        },
        (error: unknown) => error as StatusError,
      );
    const robot = 'User "system:serviceaccount:credentials:robot" cannot list resource "secrets"';

    it('authenticates with a token', async () => {
      const refused = await refusal(clientWith({ token: { data: token } }));
      expect(refused).toMatchObject({ code: 403, reason: 'Forbidden', message: expect.stringContaining(robot) });
    });

    it('rejects an invalid token', async () => {
      expect(await refusal(clientWith({ token: { data: 'nonsense' } }))).toMatchObject({
        code: 401,
        reason: 'Unauthorized',
      });
    });

    it('authenticates with an exec plugin', async () => {
      const apiVersion = 'client.authentication.k8s.io/v1' as const;
      const answer = JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token } });
      const exec = {
        apiVersion,
        command: 'sh',
        args: ['-c', `printf '%s' "$ANSWER"`],
        env: [{ name: 'ANSWER', value: answer }],
        provideClusterInfo: false,
        interactiveMode: 'Never' as const,
      };
      expect((await refusal(clientWith({ exec }))).message).toContain(robot);
    });

    it('impersonates another user', async () => {
      const impersonate = { user: 'jane', groups: ['readers', 'writers'], extra: new Map([['scope', ['a', 'b']]]) };
      const refused = await refusal(clientWith({ impersonate }, false));
      expect(refused.message).toContain('User "jane" cannot list resource "secrets"');
    });

    it('authenticates with a client certificate', async () => {
      const { items } = await clientWith({}, false).list(secrets, { namespace: account.namespace });
      expect(items).toEqual([]);
    });
  });
}
