import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  type AccountPlan,
  type AccountWishes,
  accountSecret,
  applyAccount,
  DriverError,
  findPlaces,
  generatePassword,
  listGrants,
  objectNameOf,
  openSession,
  type Places,
  planAccount,
  remedyOf,
  writeObjects,
} from '@slipway/drivers';
import { type ObjectKey, secrets } from '@slipway/runtime';
import { isFault, SessionPool, VimConnectionError, type VimSession } from '@slipway/vsphere';
import { commandWriter, type Target, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import { readPassword } from '../../terminal/input.js';
import type { UsersFlags } from './configure-command.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Creates roles and accounts. The administrator's password is kept in memory for this operation only. */
export function createUsers(flags: UsersFlags): Promise<ExitCode> {
  return asAdministrator(flags, async (session, signal, target) => {
    if ((flags.datacenter ?? []).length === 0)
      throw new CliError('a datacenter is required', { remedy: 'set --datacenter NAME', exitCode: exitCodes.usage });
    const places = await findPlaces(session, accountScopeOf(flags), signal);
    for (const { driver, plan, user } of accountsOf(flags, session, places)) {
      if (flags.dryRun === true || flags.printYaml === true) {
        printPlan(plan, user);
        continue;
      }
      const password = flags.existingUser === true ? undefined : generatePassword(systemRandom);
      if (password !== undefined) await createPerson(session, target, flags, driver, password, signal);
      const writer = commandWriter(target.client, signal);
      const updateRoles = flags.updateRoles === true;
      await applyAccount(session, plan, places, writer, {
        user,
        key: secretKey(flags, driver),
        updateRoles,
        signal,
        say,
      });
      if (password !== undefined) await writeAccount(target, flags, driver, user, password, signal);
    }
    if (flags.dryRun !== true)
      say(
        'Next: `slipway drivers configure drivers --secret-name …`. vCenter passwords expire after 90 days by default; rotate them with `slipway drivers users rotate`.',
      );
    return exitCodes.ok;
  });
}

interface PlannedAccount {
  readonly driver: 'cpi' | 'csi';
  readonly user: string;
  readonly plan: AccountPlan;
}

function accountsOf(flags: UsersFlags, session: VimSession, places: Places): PlannedAccount[] {
  const { roleSuffix, fileVolumes = false } = flags;
  return driversOf(flags).map((driver) => ({
    driver,
    user: userOf(flags, driver, session),
    plan: planAccount({ driver, fileVolumes, roleSuffix }, places.all),
  }));
}

function accountScopeOf({ datacenter = [], datastore = [], cluster = [], folder = [] }: UsersFlags): AccountWishes {
  return { datacenters: datacenter, datastores: datastore, clusters: cluster, folders: folder };
}

function printPlan(plan: AccountPlan, user: string): void {
  for (const { name, privileges } of plan.roles) say(`role ${name}: ${privileges.join(', ')}`);
  for (const { role, place, propagate } of plan.grants)
    say(`${user}: ${role} on ${place.kind} ${place.name}${below(propagate)}`);
}

/** Updates the managed roles that differ from the plan. The accounts already exist. */
export function updateUsers(flags: UsersFlags): Promise<ExitCode> {
  return asAdministrator(flags, async (session, signal, target) => {
    const places = await findPlaces(session, accountScopeOf(flags), signal);
    const writer = commandWriter(target.client, signal);
    for (const { plan, user, driver } of accountsOf(flags, session, places)) {
      const key = secretKey(flags, driver);
      if (flags.dryRun === true || flags.printYaml === true) printPlan(plan, user);
      else await applyAccount(session, plan, places, writer, { user, key, updateRoles: true, signal, say });
    }
    return exitCodes.ok;
  });
}

export function listUsers(flags: UsersFlags): Promise<ExitCode> {
  return asAdministrator(flags, async (session, signal) => {
    const found = await listGrants(session, flags.name, signal);
    await printValue(found, flags.output, () =>
      found
        .map(({ principal, role, entity, propagate }) => `${principal}  ${role}  ${entity}${below(propagate)}\n`)
        .join(''),
    );
    return exitCodes.ok;
  });
}

const below = (propagate: boolean): string => (propagate ? ', propagated to child objects' : '');

export function rotateUsers(flags: UsersFlags): Promise<ExitCode> {
  return asAdministrator(flags, async (session, signal, target) => {
    for (const driver of driversOf(flags)) {
      const password = generatePassword(systemRandom);
      const name = nameOf(flags, driver);
      await commandWriter(target.client, signal).change({
        verb: 'call',
        resource: secrets,
        key: secretKey(flags, driver),
        action: 'reset password of vSphere account',
        reason: 'RotationRequested',
        message: `Reset the password of vSphere account ${name}`,
        run: (ended) => session.sso.resetPassword(name, password, { signal: ended }),
      });
      // The old password is no longer valid, so the Secret is updated immediately. A login check before the update can
      // fail.
      await writeAccount(target, flags, driver, userOf(flags, driver, session), password, signal);
    }
    return exitCodes.ok;
  });
}

export function deleteUsers(flags: UsersFlags): Promise<ExitCode> {
  return asAdministrator(flags, async (session, signal, target) => {
    for (const driver of driversOf(flags)) {
      const name = nameOf(flags, driver);
      await commandWriter(target.client, signal).change({
        verb: 'call',
        resource: secrets,
        key: secretKey(flags, driver),
        action: 'delete vSphere account',
        reason: 'DeletionRequested',
        message: `Deleted vSphere account ${name}`,
        run: (ended) => session.sso.deletePerson(name, { signal: ended }),
      });
      say(`deleted account ${userOf(flags, driver, session)}`);
    }
    return exitCodes.ok;
  });
}

function driversOf(flags: UsersFlags): readonly ('cpi' | 'csi')[] {
  const wrong = (flags.for as readonly string[]).find((each) => each !== 'cpi' && each !== 'csi');
  if (wrong !== undefined)
    throw new CliError(`unknown driver "${wrong}"`, { remedy: 'use --for cpi,csi', exitCode: exitCodes.usage });
  return flags.for;
}

const nameOf = (flags: UsersFlags, driver: string): string =>
  flags.existingUser === true ? flags.name.replace(/@.*$/, '') : `${flags.name}-${driver}`;
const userOf = (flags: UsersFlags, driver: string, session: VimSession): string =>
  flags.existingUser === true && flags.name.includes('@')
    ? flags.name
    : `${nameOf(flags, driver)}@${session.sso.domain}`;

/** Returns the key of the Secret with the credentials of the account. */
function secretKey(flags: UsersFlags, driver: 'cpi' | 'csi'): ObjectKey {
  const name = flags.secretName ?? objectNameOf(flags.vcenter, `-creds-${driver}`);
  return { namespace: flags.secretNamespace, name };
}

async function createPerson(
  session: VimSession,
  { client }: Target,
  flags: UsersFlags,
  driver: 'cpi' | 'csi',
  password: string,
  signal: AbortSignal,
): Promise<void> {
  const name = nameOf(flags, driver);
  if (await session.sso.hasPerson(name, { signal }))
    throw new CliError(`account ${name} already exists`, {
      remedy: 'use it with --existing-user, reset its password with `users rotate`, or choose another --name',
    });
  const description = `vSphere ${driver.toUpperCase()} of a Kubernetes cluster`;
  await commandWriter(client, signal).change({
    verb: 'call',
    resource: secrets,
    key: secretKey(flags, driver),
    action: 'create vSphere account',
    reason: 'AccountRequested',
    message: `Created vSphere account ${name}`,
    run: (ended) => session.sso.createPerson(name, password, description, { signal: ended }),
  });
  say(`created account ${userOf(flags, driver, session)}`);
}

async function writeAccount(
  { client }: Target,
  flags: UsersFlags,
  driver: 'cpi' | 'csi',
  username: string,
  password: string,
  signal: AbortSignal,
): Promise<void> {
  const { name } = secretKey(flags, driver);
  const secret = accountSecret(name, { username, password }, flags.secretNamespace);
  await writeObjects(commandWriter(client, signal), [secret], { signal, say });
}

async function asAdministrator(
  flags: UsersFlags,
  work: (session: VimSession, signal: AbortSignal, target: Target) => Promise<ExitCode>,
): Promise<ExitCode> {
  const password = await readPassword(
    flags.adminPasswordStdin === true,
    `Password of ${flags.adminUser}`,
    '--admin-password-stdin',
  );
  return withTarget(flags, async (target, signal) => {
    const sessions = new SessionPool({ clock: systemClock, logger: silentLogger });
    const session = openSession(sessions, {
      server: flags.vcenter,
      port: flags.port ?? 443,
      username: flags.adminUser,
      password,
      insecure: flags.insecure === true,
      thumbprint: flags.thumbprint,
      caBundle: undefined,
    });
    try {
      await session.soap.login({ signal });
      return await work(session, signal, target);
    } catch (error) {
      throw explain(error, flags);
    } finally {
      await sessions.dispose();
    }
  });
}

function explain(error: unknown, flags: UsersFlags): unknown {
  if (error instanceof DriverError)
    return new CliError(error.message, { remedy: remedyOf(error.reason) ?? '', cause: error });
  if (isFault(error, 'InvalidLogin'))
    return new CliError(`${flags.vcenter} rejected the user name or password of ${flags.adminUser}`, { cause: error });
  if (isFault(error, 'NoPermission'))
    return new CliError(error.message, {
      remedy: 'use an account with the privileges to change roles and permissions',
      cause: error,
    });
  if (error instanceof VimConnectionError) {
    const remedy =
      error.failure === 'untrusted'
        ? 'verify the thumbprint of the certificate and set it with --thumbprint'
        : 'check that vCenter is reachable from this host';
    return new CliError(error.message, { remedy, cause: error });
  }
  return error;
}
