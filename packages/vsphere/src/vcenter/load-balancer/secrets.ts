import { labels } from '@slipway/cluster-api';
import { deepEqual, type Frozen } from '@slipway/kube';
import {
  type Change,
  edit,
  ifPresent,
  type ObjectKey,
  ownerReference,
  type ReconcileContext,
  secrets,
} from '@slipway/runtime';
import type { HaproxyLoadBalancer } from '../../api/index.js';
import { bootstrapData } from './bootstrap-data.js';
import {
  type DataPlaneCredentials,
  type DataPlaneIdentity,
  isUsable,
  makeCredentials,
  makeIdentity,
} from './data-plane-credentials.js';
import { haproxyPorts } from './haproxy-configuration.js';

type LoadBalancer = Frozen<HaproxyLoadBalancer>;
type Context = Pick<ReconcileContext, 'read' | 'change' | 'changeAll' | 'clock' | 'random' | 'signal'>;

/** Suffixes of the Secrets' names, as in upstream. */
const suffixes = { authority: 'haproxy-ca', bootstrap: 'haproxy-bootstrap', config: 'haproxy-config' } as const;

export function bootstrapSecretName({ metadata }: Pick<LoadBalancer, 'metadata'>): string {
  return `${metadata.name}-${suffixes.bootstrap}`;
}

/** Returns the CA and the user of the Data Plane API. They are generated once, because the guest boots with them. */
export async function ensureCredentials(context: Context, balancer: LoadBalancer): Promise<DataPlaneCredentials> {
  const found = await read(context, balancer, suffixes.authority);
  if (found !== undefined) {
    const [authority = '', authorityKey = '', username = '', password = ''] = [
      found['ca.cert'],
      found['ca.key'],
      found['username'],
      found['password'],
    ];
    return { authority, authorityKey, username, password };
  }
  const made = await makeCredentials(context, `${balancer.metadata.name}-haproxy`);
  const { authority, authorityKey, username, password } = made;
  await write(context, balancer, suffixes.authority, {
    'ca.cert': authority,
    'ca.key': authorityKey,
    username,
    password,
  });
  return made;
}

/** Returns the bootstrap data of the guest. It is generated once, because the guest reads it once. */
export async function ensureBootstrapData(
  context: Context,
  balancer: LoadBalancer,
  credentials: DataPlaneCredentials,
): Promise<void> {
  if ((await read(context, balancer, suffixes.bootstrap)) !== undefined) return;
  await write(context, balancer, suffixes.bootstrap, {
    value: bootstrapData(balancer.spec, credentials),
    format: 'cloud-config',
  });
}

/** Returns the client configuration of the Data Plane API, for the controller and for operators. */
export async function ensureIdentity(
  context: Context,
  balancer: LoadBalancer,
  credentials: DataPlaneCredentials,
  host: string,
): Promise<DataPlaneIdentity> {
  const found = (await read(context, balancer, suffixes.config)) ?? {};
  const known = { certificate: found['client.crt'] ?? '', key: found['client.key'] ?? '' };
  const identity = isUsable(known, context.clock.now()) ? known : await makeIdentity(context, credentials);
  const { username, password, authority } = credentials;
  const desired = {
    server: `https://${host}:${haproxyPorts.dataPlane}/v1`,
    'ca.crt': authority,
    'client.crt': identity.certificate,
    'client.key': identity.key,
    username,
    password,
  };
  if (!deepEqual(found, desired)) await write(context, balancer, suffixes.config, desired);
  return identity;
}

/** Deletes the Secrets of a load balancer. Must run after the deletion of the VM, which is reached with these credentials. */
export async function deleteSecrets(context: Context, balancer: LoadBalancer): Promise<void> {
  await context.changeAll(
    Object.values(suffixes).map((suffix): Change => {
      const key = keyOf(balancer, suffix);
      const message = `Deleted Secret ${key.name}: its HAProxyLoadBalancer is being deleted`;
      return { verb: 'delete', resource: secrets, key, reason: 'Deleting', message };
    }),
  );
}

function keyOf({ metadata }: LoadBalancer, suffix: string): ObjectKey {
  return { namespace: metadata.namespace ?? '', name: `${metadata.name}-${suffix}` };
}

async function read(
  { read: reader, signal }: Context,
  balancer: LoadBalancer,
  suffix: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const secret = await ifPresent(reader.get(secrets, keyOf(balancer, suffix), { signal }));
  if (secret === undefined) return undefined;
  const entries = Object.entries(secret.data ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]));
}

async function write(
  context: Context,
  balancer: LoadBalancer,
  suffix: string,
  content: Readonly<Record<string, string>>,
): Promise<void> {
  const key = keyOf(balancer, suffix);
  const entries = Object.entries(content);
  const data = Object.fromEntries(entries.map(([name, value]) => [name, Buffer.from(value).toString('base64')]));
  const cause = {
    reason: 'CredentialsRequired',
    message: `Wrote Secret ${key.name} of HAProxyLoadBalancer ${balancer.metadata.name}`,
  };
  const current = await ifPresent(context.read.get(secrets, key, { signal: context.signal }));
  if (current !== undefined) {
    const after = edit(current, (draft) => {
      draft.data = data;
    });
    await context.change({ verb: 'patch', resource: secrets, before: current, after, ...cause });
    return;
  }
  const metadata = {
    ...key,
    labels: { [labels.clusterName]: balancer.metadata.labels?.[labels.clusterName] ?? '' },
    ownerReferences: [ownerReference(balancer, { controller: true })],
  };
  const object = { apiVersion: 'v1', kind: 'Secret', metadata, data } as const;
  await context.change({ verb: 'create', resource: secrets, object, ...cause });
}
