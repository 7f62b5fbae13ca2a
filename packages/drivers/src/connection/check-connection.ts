import type { Clock } from '@slipway/base';
import {
  AmbiguousInInventory,
  Finder,
  isFault,
  NotFoundInInventory,
  VimConnectionError,
  type VimSession,
} from '@slipway/vsphere';
import { DriverError, type Reason } from '../api/index.js';
import { isBelow, vsphereVersion } from '../matrix/index.js';
import { readCertificate } from './certificate.js';
import { askPrivileges, type NamedEntities, type NamedEntity, privilegeNeeds } from './privileges.js';
import type { CertificateFacts, ConnectionReport, ConnectionTarget } from './vcenters.js';

const oldestVersion = '6.7.3';

/** Checks a connection step by step, and throws the first problem. */
export async function checkConnection(
  session: VimSession,
  target: ConnectionTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<ConnectionReport> {
  const certificate = await readCertificate(target.server, target.port, clock);
  try {
    const { about } = await session.soap.content({ signal });
    if (about.apiType !== 'VirtualCenter')
      throw new DriverError('NotVCenter', `${target.server} is not a vCenter: it reports apiType ${about.apiType}`);
    const version = vsphereVersion(about);
    if (isBelow(version, oldestVersion))
      throw new DriverError(
        'VersionUnsupported',
        `${target.server} runs vSphere ${version}, but ${oldestVersion} or later is required`,
      );
    await session.soap.login({ signal });
    const entities = await findEntities(session, target, signal);
    const answer = await askPrivileges(session, target.username, privilegeNeeds(entities, target.usedBy), signal);
    return {
      version: about.version,
      apiVersion: version,
      build: about.build ?? '',
      instanceUuid: about.instanceUuid ?? '',
      certificate,
      missingPrivileges: answer.missing,
      arePrivilegesKnown: answer.isKnown,
    };
  } catch (error) {
    throw classify(error, target, certificate, clock.now());
  }
}

async function findEntities(
  session: VimSession,
  target: ConnectionTarget,
  signal: AbortSignal,
): Promise<NamedEntities> {
  const { rootFolder } = await session.soap.content({ signal });
  const finders = target.datacenters.map((name) => ({ name, finder: new Finder(session.soap, name, { signal }) }));
  const datacenters: NamedEntity[] = [];
  for (const { name, finder } of finders) datacenters.push({ name, ref: await finder.datacenter() });
  const findAll = async (
    kind: 'datastore' | 'computeCluster' | 'folder',
    names: readonly string[],
  ): Promise<NamedEntity[]> => {
    const found: NamedEntity[] = [];
    for (const name of names)
      found.push({
        name,
        ref: await findOne(
          kind,
          name,
          finders.map(({ finder }) => finder),
        ),
      });
    return found;
  };
  return {
    root: { name: 'the root folder', ref: rootFolder },
    datacenters,
    datastores: await findAll('datastore', target.datastores),
    clusters: await findAll('computeCluster', target.clusters),
    folders: await findAll('folder', target.folders),
  };
}

/** Finds an object by name in any of the datacenters. */
async function findOne(
  kind: 'datastore' | 'computeCluster' | 'folder',
  name: string,
  finders: readonly Finder[],
): Promise<NamedEntity['ref']> {
  for (const finder of finders) {
    try {
      return await finder.find(kind, name);
    } catch (error) {
      if (!(error instanceof NotFoundInInventory)) throw error;
    }
  }
  throw new NotFoundInInventory(kind, name);
}

/** Converts an error to a reason. The type of a vCenter fault is used, not its message, which is localized. */
function classify(error: unknown, target: ConnectionTarget, certificate: CertificateFacts, nowMs: number): unknown {
  if (error instanceof DriverError) return error;
  const { server, username } = target;
  const of = (reason: Reason, message: string): DriverError => new DriverError(reason, message, { cause: error });
  if (error instanceof VimConnectionError) return classifyConnection(error, target, certificate, nowMs);
  if (error instanceof NotFoundInInventory)
    return of(error.kind === 'datacenter' ? 'DatacenterNotFound' : 'ResourceNotFound', `${server}: ${error.message}`);
  if (error instanceof AmbiguousInInventory) return of('DatacenterAmbiguous', `${server}: ${error.message}`);
  if (!isFault(error)) return error;
  switch (error.fault) {
    case 'InvalidLogin':
      return of('InvalidLogin', `${server} rejected the login of ${username}`);
    case 'InvalidLocale':
    case 'UserLockedOut':
    case 'AccountLocked':
      return of('AccountLocked', `${server} has locked the account ${username}`);
    case 'PasswordExpired':
      return of('PasswordExpired', `the password of ${username} on ${server} has expired`);
    case 'NoPermission':
      return of('PrivilegesMissing', `${server}: ${error.message}`);
    default:
      return of('Unreachable', `${server}: ${error.message}`);
  }
}

function classifyConnection(
  error: VimConnectionError,
  { thumbprint }: ConnectionTarget,
  certificate: CertificateFacts,
  nowMs: number,
): DriverError {
  const { message } = error;
  if (error.failure !== 'untrusted') return new DriverError('Unreachable', message, { cause: error });
  if (nowMs > Date.parse(certificate.notAfter)) return new DriverError('CertificateExpired', message, { cause: error });
  const reason = thumbprint === undefined || thumbprint === '' ? 'TLSUntrusted' : 'ThumbprintMismatch';
  return new DriverError(reason, message, { cause: error });
}
