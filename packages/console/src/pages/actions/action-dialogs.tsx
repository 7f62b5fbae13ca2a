import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AccessView, Action } from '../../model/action.js';
import { type ClusterView, type Ref, refKey, type ScalableView } from '../../model/cluster.js';
import { objectsToDelete } from '../../model/objects-to-delete.js';
import { Dialog } from './dialog.js';

interface ActionDialogProps {
  readonly view: ClusterView;
  readonly cluster: Ref;
  readonly access: AccessView | undefined;
  readonly onAct: (action: Action) => Promise<void>;
  readonly onClose: () => void;
}

function groupsIn(view: ClusterView, access: AccessView | undefined): readonly ScalableView[] {
  return Object.values(view.scalables).filter(({ ref }) => access?.groups[refKey(ref)] === true);
}

export function ScaleDialog({ view, access, onAct, onClose }: ActionDialogProps): JSX.Element {
  const groups = groupsIn(view, access);
  const [chosen, setChosen] = useState(groups[0] === undefined ? '' : refKey(groups[0].ref));
  const group = groups.find(({ ref }) => refKey(ref) === chosen);
  const [replicas, setReplicas] = useState<number | undefined>();
  const wanted = replicas ?? group?.replicas ?? 0;
  return (
    <Dialog
      title="Scale"
      confirm={`Scale to ${wanted}`}
      isReady={group !== undefined && wanted !== group.replicas}
      onClose={onClose}
      onConfirm={() => group !== undefined && void onAct({ action: 'scale', of: group.ref, replicas: wanted })}
    >
      <GroupSelect groups={groups} value={chosen} onChange={setChosen} />
      <label class="field">
        Machines
        <input
          type="number"
          min={0}
          max={1_000}
          value={wanted}
          onInput={(event) => setReplicas(Number(event.currentTarget.value))}
        />
      </label>
      {group?.managed === true && (
        <p class="soft">This changes spec.topology of the Cluster, which manages these Machines.</p>
      )}
    </Dialog>
  );
}

interface GroupSelectProps {
  readonly groups: readonly ScalableView[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}

function GroupSelect({ groups, value, onChange }: GroupSelectProps): JSX.Element {
  return (
    <label class="field">
      Target
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {groups.map(({ ref, replicas, version }) => (
          <option key={refKey(ref)} value={refKey(ref)}>
            {ref.kind} {ref.name} ({replicas}, {version})
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * Upgrades a cluster. A topology is upgraded as a whole. Without a topology, the user upgrades the control plane first, then each
 * group of workers.
 */
export function UpgradeDialog({ view, cluster, access, onAct, onClose }: ActionDialogProps): JSX.Element {
  const groups = groupsIn(view, access).toSorted(
    (left, right) =>
      Number(right.ref.group.startsWith('controlplane.')) - Number(left.ref.group.startsWith('controlplane.')),
  );
  const isTopology = view.summary.clusterClass !== '';
  const [chosen, setChosen] = useState(groups[0] === undefined ? '' : refKey(groups[0].ref));
  const group = groups.find(({ ref }) => refKey(ref) === chosen);
  const of = isTopology ? cluster : group?.ref;
  const current = isTopology ? view.summary.version : (group?.version ?? '');
  const [version, setVersion] = useState(view.summary.upgrade);
  return (
    <Dialog
      title="Upgrade or roll out"
      confirm={version === '' ? 'Upgrade' : `Upgrade to ${version}`}
      isReady={of !== undefined && version !== '' && version !== current}
      onClose={onClose}
      onConfirm={() => of !== undefined && void onAct({ action: 'upgrade', of, version })}
    >
      {!isTopology && <GroupSelect groups={groups} value={chosen} onChange={setChosen} />}
      <label class="field">
        Version (currently {current})
        <input
          type="text"
          placeholder="v1.35.1"
          value={version}
          onInput={(event) => setVersion(event.currentTarget.value)}
        />
      </label>
      {!isTopology && <p class="soft">Upgrade the control plane first, and the workers after it has finished.</p>}
      {group !== undefined && /^(MachineDeployment|KubeadmControlPlane)$/.test(group.ref.kind) && (
        <p>
          <button type="button" onClick={() => void onAct({ action: 'roll-out', of: group.ref })}>
            Replace all Machines of {group.ref.name} without changes
          </button>
        </p>
      )}
    </Dialog>
  );
}

export function DeleteDialog({ view, cluster, onAct, onClose }: ActionDialogProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const deleted = objectsToDelete(view.graph, cluster);
  const kinds = [...new Set(deleted.map(({ kind }) => kind))];
  return (
    <Dialog
      title={`Delete ${cluster.name}`}
      confirm="Delete permanently"
      isDanger
      isReady={typed === cluster.name}
      onClose={onClose}
      onConfirm={() => void onAct({ action: 'delete', of: cluster })}
    >
      <p>This deletes {deleted.length} objects, including all machines and everything that runs on them:</p>
      <div class="going" tabIndex={0} role="group" aria-label="Objects to delete">
        {kinds.map((kind) => (
          <p key={kind}>
            <b>{kind}</b>{' '}
            {deleted
              .filter((ref) => ref.kind === kind)
              .map(({ name }) => name)
              .toSorted()
              .join(', ')}
          </p>
        ))}
      </div>
      <label class="field">
        Type {cluster.name} to confirm
        <input type="text" value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
    </Dialog>
  );
}
