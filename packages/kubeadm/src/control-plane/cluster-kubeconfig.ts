import { formatEndpoint } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { edit, isControlledBy, type Outcome, ownerReference, patchObject, secrets, wait } from '@slipway/runtime';
import {
  certificateOf,
  certificateSecretName,
  controlPlaneCertificates,
  createKubeconfig,
  type KeyPair,
  kubeconfigSecret,
  kubeconfigServer,
  needsKubeconfigRotation,
  readCertificates,
} from '../certificates/index.js';
import { adoptSecret, readSecret } from './cluster-certificates.js';
import type { ControlPlanePass } from './control-plane-pass.js';

const authorityRetryMs = 30_000;

/** The kubeconfig Secret: made, adopted, and given a new client certificate at half-life. Undefined when all is well. */
export async function reconcileKubeconfig(pass: ControlPlanePass): Promise<Outcome | undefined> {
  const { name } = pass.clusterKey;
  const secret = await readSecret(pass, certificateSecretName(name, 'kubeconfig'));
  if (secret === undefined) return createSecret(pass);
  const { checkedSecrets } = pass.world;
  const subject = `kubeconfig of ${pass.controlPlane.metadata.uid}`;
  if (checkedSecrets.isFresh(subject, [secret], pass.nowMs)) return undefined;
  const owned = await adoptSecret(pass, secret);
  // What the user made is the user's to renew.
  if (!isControlledBy(owned, pass.controlPlane) || !needsKubeconfigRotation(owned, pass.nowMs)) {
    checkedSecrets.note(subject, [owned], pass.nowMs);
    return undefined;
  }
  const authority = await readAuthority(pass);
  if (authority === undefined) return waitForAuthority(pass);
  const server = kubeconfigServer(owned, name) ?? serverOf(pass);
  const kubeconfig = await newKubeconfig(pass, authority, server);
  const { client, signal } = pass.context;
  const renewed = kubeconfigSecret(pass.clusterKey, kubeconfig, ownerReference(pass.controlPlane));
  const after = edit(owned, (draft) => void (draft.data = { ...draft.data, ...renewed.data }));
  await patchObject(client, secrets, owned, after, { signal });
  return undefined;
}

async function createSecret(pass: ControlPlanePass): Promise<Outcome | undefined> {
  const authority = await readAuthority(pass);
  if (authority === undefined) return waitForAuthority(pass);
  const kubeconfig = await newKubeconfig(pass, authority, serverOf(pass));
  const owner = ownerReference(pass.controlPlane, { controller: true });
  const { client, signal } = pass.context;
  try {
    await client.create(secrets, kubeconfigSecret(pass.clusterKey, kubeconfig, owner), { signal });
  } catch (error) {
    // Somebody was quicker: theirs is looked at next time.
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
  return undefined;
}

/** The user's infrastructure may know the name of its load balancer only: whatever it is, this is where clients go. */
function serverOf({ cluster }: ControlPlanePass): string {
  const { host = '', port = 0 } = cluster.spec?.controlPlaneEndpoint ?? {};
  return `https://${formatEndpoint({ host, port })}`;
}

async function readAuthority(pass: ControlPlanePass): Promise<KeyPair | undefined> {
  const { name } = pass.clusterKey;
  const secretName = certificateSecretName(name, 'ca');
  const secret = await readSecret(pass, secretName);
  if (secret === undefined) return undefined;
  const configuration = pass.controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration;
  const wanted = controlPlaneCertificates(configuration).filter(({ purpose }) => purpose === 'ca');
  return certificateOf(readCertificates(wanted, new Map([[secretName, secret]]), name), 'ca')?.keyPair;
}

function waitForAuthority({ clusterKey }: ControlPlanePass): Outcome {
  const message = `the kubeconfig needs the Secret ${certificateSecretName(clusterKey.name, 'ca')}, which does not exist`;
  return wait({ ms: authorityRetryMs, reason: 'WaitingForClusterAuthority', message });
}

function newKubeconfig(pass: ControlPlanePass, authority: KeyPair, server: string): Promise<string> {
  const { clock, random, signal } = pass.context;
  const strength = pass.controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration?.encryptionAlgorithm;
  const world = { clock, random, keys: pass.world.keys, signal };
  const { name: clusterName } = pass.clusterKey;
  return createKubeconfig(world, { clusterName, server, authority, ...(strength && { strength }) });
}
